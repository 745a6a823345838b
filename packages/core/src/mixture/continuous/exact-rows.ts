import type { Continuous } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { rowVector } from '../../matrix.js'

/** In units of an exact fit's scale any distance beyond rounding is infinite. */
const ROUNDING = 1e6

/** P(good) under an exact fit: rows that lie on the model are good, all others bad. */
export function onModel<D, P extends Params>(likelihood: Continuous<D, P>, data: D, params: P): Float64Array {
  const squared = rowVector(likelihood.rows(data))
  likelihood.squaredDistances(data, params, squared)
  return squared.map((d) => (d < ROUNDING ? 1 : 0))
}
