import type { Likelihood, Params } from '../../likelihoods/likelihood.js'
import { pickRows, rowPicker } from '../../random/pick-rows.js'

/** Subsets tried, and the best of them that are followed further. */
const SUBSETS = 60
const FOLLOWED = 3
const CONCENTRATIONS = 3

/**
 * Models to start from beside the plain fit. Rows far out in the features pull the plain fit towards themselves and so
 * hide. Fits to a few rows at random are fooled only when they catch such a row: each is concentrated on the half of
 * the rows nearest to it, and the tightest are kept.
 */
export function concentrated<D, P extends Params>(likelihood: Likelihood<D, P>, data: D, seed: number): P[] {
  const spread = likelihood.spread!
  const n = likelihood.rows(data)
  const size = spread.spent(data) + spread.dimension(data)
  const half = Math.floor((n + size + 1) / 2)
  if (half >= n) return []
  const pick = rowPicker(seed)
  const squared = new Float64Array(n)
  const weights = new Float64Array(n)
  const found: { params: P; volume: number }[] = []
  for (let k = 0; k < SUBSETS; k++) {
    let params = subsetFit(likelihood, data, pickRows(pick, n, size), weights)
    for (let step = 0; step < CONCENTRATIONS; step++) {
      spread.squaredDistances(data, params, squared)
      nearest(squared, half, weights)
      params = likelihood.fit(data, weights)
      if (params.problem?.reason === 'exact-fit') return [params]
    }
    // A model that lost columns is no start.
    if (params.problem === undefined) found.push({ params, volume: spread.logVolume(data, params) })
  }
  found.sort((a, b) => a.volume - b.volume)
  return found.slice(0, FOLLOWED).map(({ params }) => params)
}

/** Fits to a few random rows each, for models with labels or counts. */
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

function subsetFit<D, P extends Params>(
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

/** Weight 1 for the `count` rows with the smallest values, 0 for the others. */
function nearest(values: Float64Array, count: number, weights: Float64Array): void {
  const cut = Float64Array.from(values).sort()[count - 1]
  for (let i = 0; i < values.length; i++) weights[i] = values[i] <= cut ? 1 : 0
}
