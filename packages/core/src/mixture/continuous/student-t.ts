/**
 * The reference density of corrupted rows while the model is being found: a t-distribution with 2 degrees of freedom
 * about the model, `width` times as wide as the good rows' scale. Heavy-tailed, so that no distance is impossible;
 * broad, so that it does not compete for good rows; and in units of the model's own scale, so free of the data's units.
 */

const DEGREES = 2

/** The reference is at least this many times as wide as the good rows. */
export const MIN_WIDTH = 3

/** -log q in units of the scale, for squared distances, into `out`. */
export function studentTReference(
  squared: Float64Array,
  dimension: number,
  width: number,
  out: Float64Array,
): void {
  const power = (DEGREES + dimension) / 2
  // Gamma((2 + D)/2) / (Gamma(1) (2 pi)^(D/2)), with nu = 2.
  const constant =
    (dimension / 2) * Math.log(DEGREES * Math.PI) +
    dimension * Math.log(width) -
    logGammaHalves(DEGREES + dimension)
  const per = 1 / (DEGREES * width * width)
  for (let i = 0; i < squared.length; i++) out[i] = constant + power * Math.log1p(squared[i] * per)
}

/** One EM update of the width from the rows' weights of being corrupted; never below MIN_WIDTH. */
export function updateWidth(
  squared: Float64Array,
  clean: Float64Array,
  dimension: number,
  width: number,
  counts?: Float64Array,
): number {
  let sum = 0
  let total = 0
  for (let i = 0; i < squared.length; i++) {
    const bad = (1 - clean[i]) * (counts === undefined ? 1 : counts[i])
    sum += (bad * (DEGREES + dimension) * squared[i]) / (DEGREES + squared[i] / (width * width))
    total += bad
  }
  return total > 1e-9 ? Math.max(MIN_WIDTH, Math.sqrt(sum / (dimension * total))) : MIN_WIDTH
}

/** log Gamma(k / 2) for whole k >= 2. */
function logGammaHalves(k: number): number {
  let z = k / 2
  let log = 0
  while (z > 1) {
    z -= 1
    log += Math.log(z)
  }
  return z === 0.5 ? log + 0.5 * Math.log(Math.PI) : log
}
