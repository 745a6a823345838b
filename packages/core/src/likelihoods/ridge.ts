import { RlviError } from '../errors.js'
import type { Matrix } from '../matrix.js'
import { columnSpreads } from './column-spreads.js'
import { penaltyOf } from './glm.js'

/** Half the ridge times a coefficient's square is added to the loss: one for all columns, or one for each. */
export type Ridge = number | Float64Array

export function checkRidge(where: string, ridge: Ridge): void {
  const odd = typeof ridge === 'number' ? ridge : (ridge.find((r) => !(r >= 0)) ?? 0)
  if (!(odd >= 0)) throw new RlviError(where, 'must not be negative', odd)
}

/** The ridge of each column; none where all are 0. */
export function ridgeOf(ridge: Ridge, cols: number): Float64Array | undefined {
  const each = typeof ridge === 'number' ? new Float64Array(cols).fill(ridge) : ridge
  return each.some((r) => r > 0) ? each : undefined
}

/** 1 / variance of an intercept: so wide that it holds back none. */
export const INTERCEPT_STRENGTH = 1e-3
/** A variance below this share of the squared mean is rounding: the column is constant. */
const CONSTANT = 1e-20

/**
 * The ridge with `strength` more on the coefficient that each column would have in standard deviations. A constant column is an
 * intercept of the user's own: it has none, and without any prior a direction that no row speaks of would count as evidence.
 */
export function strengthenRidge(ridge: Ridge, x: Matrix, strength: number): Float64Array {
  const out = (ridgeOf(ridge, x.cols) ?? new Float64Array(x.cols)).slice()
  const { means, variances } = columnSpreads(x)
  variances.forEach((variance, j) => {
    const square = means[j] ** 2
    out[j] += variance > CONSTANT * square ? strength * variance : INTERCEPT_STRENGTH * square
  })
  return out
}

/** -log density of `copies` sets of coefficients under the normal prior that a ridge is, up to a constant. */
export function logPrior(ridge: Float64Array | undefined, coefficients: Float64Array, copies = 1): number {
  if (ridge === undefined) return 0
  let sum = penaltyOf(ridge, coefficients)
  for (const r of ridge) if (r > 0) sum -= 0.5 * copies * Math.log(r)
  return sum
}
