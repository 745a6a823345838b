import type { Likelihood, Params } from '../likelihoods/likelihood.js'
import { factor, solve } from '../linalg/cholesky.js'
import { symmetricEigen } from '../linalg/eigen.js'

/**
 * Standard errors of `vector(params)` from the observed information of the mixture: the curvature of good rows' losses
 * by their weights, less what is lost by not knowing which rows are good.
 */
export function coefficientErrors<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  params: P,
  weights: Float64Array,
): { standardErrors?: Float64Array } {
  if (likelihood.information === undefined || params.problem !== undefined) return {}
  const information = likelihood.information(data, params, weights)
  const size = Math.round(Math.sqrt(information.length))
  return { standardErrors: inverseDiagonal(information, size).map(Math.sqrt) }
}

/** The diagonal of the inverse; directions without information (a constraint of the parameters) count as fixed. */
function inverseDiagonal(information: Float64Array, size: number): Float64Array {
  const f = factor(information, size)
  const out = new Float64Array(size)
  if (f.dependent.length === 0) {
    const unit = new Float64Array(size)
    for (let j = 0; j < size; j++) {
      unit.fill(0)
      unit[j] = 1
      solve(f, unit)
      out[j] = unit[j]
    }
    return out
  }
  const { values, vectors } = symmetricEigen(information, size)
  for (let k = 0; k < size; k++) {
    if (!(values[k] > 1e-10 * values[0])) continue
    for (let j = 0; j < size; j++) out[j] += vectors[k * size + j] ** 2 / values[k]
  }
  return out
}

/** b' A^-1 b, with directions of no information left out. */
export function inverseQuadratic(information: Float64Array, size: number, b: Float64Array): number {
  const { values, vectors } = symmetricEigen(information, size)
  let sum = 0
  for (let k = 0; k < size; k++) {
    if (!(values[k] > 1e-10 * values[0])) continue
    let along = 0
    for (let j = 0; j < size; j++) along += vectors[k * size + j] * b[j]
    sum += (along * along) / values[k]
  }
  return sum
}
