/** That many digits, without an exponent where people write none. */
export function digits(value: number, many = 4): string {
  if (!Number.isFinite(value)) return String(value)
  const rounded = Number(value.toPrecision(many))
  const size = Math.abs(rounded)
  return size !== 0 && (size < 1e-5 || size >= 1e9) ? rounded.toExponential() : String(rounded)
}

/** Both ends of an interval with as many digits as tell them apart, and three at least. */
export function ends([low, high]: readonly [number, number]): string {
  const many = digitsOf(Math.max(Math.abs(low), Math.abs(high)), high - low, 3)
  return `${digits(low, many)} to ${digits(high, many)}`
}

/** How many digits of a number say something beside the width of its interval: so many at least. */
export function digitsOf(size: number, width: number, least: number): number {
  if (!(width > 0 && size > 0) || !Number.isFinite(size / width)) return least
  return Math.min(12, Math.max(least, Math.floor(Math.log10(size)) - Math.floor(Math.log10(width)) + 2))
}

/** A share in percent, in one piece. */
export function percent(share: number): string {
  const value = 100 * share
  // What is not all is not told as all.
  if (value >= 99.5 && value < 100) return `${Math.min(99.9, Number(value.toFixed(1)))}\u00a0%`
  if (value > 0 && value < 0.05) return '<\u00a00.1\u00a0%'
  return `${Math.abs(value) < 10 ? Number(value.toFixed(1)) : value.toFixed(0)}\u00a0%`
}

const units = ['', 'k', 'M', 'G', 'T'] as const

/** How an axis writes the numbers of a domain: 250k and 1.5M for 250,000 and 1,500,000 where there is no room for those. */
export function tickFormat(domain: readonly number[], room: number): ((value: number) => string) | undefined {
  const most = domain.reduce((size, value) => Math.max(size, Math.abs(value)), 0)
  if (most > 0 && most < 1e-3) return (value) => signed(value, (size) => size.toExponential())
  // Whole numbers of four digits are often years.
  if (most < 10_000 && most >= 1000) return (value) => signed(value, String)
  if (!(most >= room)) return undefined
  return (value) =>
    signed(value, (size) => {
      const power = Math.min(Math.floor(Math.log10(size) / 3 + 1e-9), units.length - 1)
      return power < 1 ? String(size) : `${Number((size / 1000 ** power).toPrecision(6))}${units[power]}`
    })
}

function signed(value: number, text: (size: number) => string): string {
  if (value === 0) return '0'
  return `${value < 0 ? '−' : ''}${text(Math.abs(value))}`
}

/** A probability with three decimals, never rounded to a certainty that it is not. */
export function probability(p: number): string {
  // 0 too: it is a number that was too small to be told from it.
  if (p < 0.0005) return '< 0.001'
  if (p < 1 && p > 0.9995) return '> 0.999'
  return p.toFixed(3)
}
