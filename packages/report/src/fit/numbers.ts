/** That many digits, without an exponent where people write none. */
export function digits(value: number, many = 4): string {
  if (!Number.isFinite(value)) return String(value)
  const rounded = Number(value.toPrecision(many))
  const size = Math.abs(rounded)
  return size !== 0 && (size < 1e-5 || size >= 1e9) ? rounded.toExponential() : String(rounded)
}

/** A share in percent, in one piece. */
export function percent(share: number): string {
  const value = 100 * share
  if (value > 0 && value < 0.05) return '<\u00a00.1\u00a0%'
  return `${Math.abs(value) < 10 ? Number(value.toFixed(1)) : value.toFixed(0)}\u00a0%`
}

/** A probability with three decimals, never rounded to a certainty that it is not. */
export function probability(p: number): string {
  if (p > 0 && p < 0.0005) return '< 0.001'
  if (p < 1 && p > 0.9995) return '> 0.999'
  return p.toFixed(3)
}
