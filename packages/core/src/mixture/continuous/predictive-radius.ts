/** The normal quantile of 99.73 %, up to which good rows reach: the core of the shell histogram. */
const QUANTILE = 2.782

/**
 * The distance that 99.73 % of good rows lie within when mean and covariance are those of `count` other rows: by the
 * F-distribution of Hotelling's T^2, as Hardin and Rocke (2005) judge distances from MCD. Few rows make a cloud that fits
 * them too well, and leaves the others too far out: with the quantile for known parameters it would never grow.
 */
export function predictiveRadius(dimension: number, count: number): number {
  const degrees = count - dimension
  if (degrees < 3) return Number.POSITIVE_INFINITY
  const factor = (dimension * (count + 1) * (count - 1)) / (count * degrees)
  return Math.sqrt(factor * fQuantile(dimension, degrees))
}

/** By Paulson's (1942) normal approximation of the cube root of F, solved for it. */
function fQuantile(above: number, below: number): number {
  const a = 2 / (9 * above)
  const b = 2 / (9 * below)
  const q = QUANTILE * QUANTILE
  const square = (1 - b) ** 2 - q * b
  if (square <= 0) return Number.POSITIVE_INFINITY
  const half = (1 - a) * (1 - b)
  const root = (half + Math.sqrt(half * half - square * ((1 - a) ** 2 - q * a))) / square
  return root ** 3
}
