import type { Likelihood, Params } from '../../likelihoods/likelihood.js'
import { factor, solve } from '../../linalg/cholesky.js'
import { type Matrix, matrix } from '../../matrix.js'

/**
 * Standard errors and covariance of `vector(params)` from the observed information of the mixture: the curvature of good
 * rows' losses by their weights, less what is lost by not knowing which rows are good.
 */
export function standardErrorsOf<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  params: P,
  weights: Float64Array,
): { standardErrors?: Float64Array; covariance?: Matrix } {
  if (likelihood.information === undefined || params.problem !== undefined) return {}
  let information = likelihood.information(data, params, weights)
  const size = Math.round(Math.sqrt(information.length))
  // In few rows what is lost can exceed what is there; then the rows that are probably good count, and no others.
  if (factor(information, size).dependent.length > 0) {
    information = likelihood.information(
      data,
      params,
      weights.map((w) => (w < 0.5 ? 0 : 1)),
    )
  }
  const covariance = matrix(size, size, inverse(information, size))
  const standardErrors = new Float64Array(size)
  for (let j = 0; j < size; j++) standardErrors[j] = Math.sqrt(covariance.values[j * size + j])
  return { standardErrors, covariance }
}

/** The inverse; columns without information of their own count as fixed. */
export function inverse(information: Float64Array, size: number): Float64Array {
  const f = factor(information, size)
  const out = new Float64Array(size * size)
  for (let j = 0; j < size; j++) {
    const column = out.subarray(j * size, (j + 1) * size)
    column[j] = 1
    solve(f, column)
  }
  return out
}

/** b' A^-1 b */
export function inverseQuadratic(information: Float64Array, size: number, b: Float64Array): number {
  const solved = Float64Array.from(b)
  solve(factor(information, size), solved)
  let sum = 0
  for (let j = 0; j < size; j++) sum += b[j] * solved[j]
  return sum
}
