import type { Likelihood, Params } from '../../likelihoods/likelihood.js'
import { pickRows, rowPicker } from '../../random/pick-rows.js'

/** Fits to `count` random subsets of `size` rows each. */
export function subsetStarts<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  size: number,
  count: number,
  seed: number,
): P[] {
  const n = likelihood.rows(data)
  if (size >= n) return []
  const pick = rowPicker(seed)
  const weights = new Float64Array(n)
  return Array.from({ length: count }, () => subsetFit(likelihood, data, pickRows(pick, n, size), weights))
}

export function subsetFit<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  rows: Int32Array,
  weights: Float64Array,
): P {
  if (likelihood.take !== undefined) return likelihood.fit(likelihood.take(data, rows))
  weights.fill(0)
  for (const row of rows) weights[row] = 1
  return likelihood.fit(data, weights)
}
