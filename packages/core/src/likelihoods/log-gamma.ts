/** log Gamma(z) for z > 0, to the last digits: Stirling's series, moved up to where it converges. */
export function logGamma(z: number): number {
  let shift = 1
  let at = z
  for (; at < 16; at++) shift *= at
  const inverse = 1 / at
  const square = inverse * inverse
  const series = inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)))
  return (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series - Math.log(shift)
}

/** log n!: the logarithm of a product that has all its digits where it can be had. */
export function logFactorial(n: number): number {
  if (n >= 32) return logGamma(n + 1)
  let product = 1
  for (let k = 2; k <= n; k++) product *= k
  return Math.log(product)
}

/** The derivative of log Gamma, for z > 0: its series, moved up to where that converges. */
export function digamma(z: number): number {
  let sum = 0
  let at = z
  for (; at < 16; at++) sum -= 1 / at
  const square = 1 / (at * at)
  return (
    sum + Math.log(at) - 0.5 / at - square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)))
  )
}
