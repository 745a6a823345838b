import type { Continuous } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { subsetStarts } from '../shared/subset-starts.js'

/** Subsets tried, and the best of them that are followed further. */
const SUBSETS = 60
const FOLLOWED = 3
const C_STEPS = 3

/**
 * Models to start from beside the maximum-likelihood fit, by the C-steps of FAST-LTS (Rousseeuw and Van Driessen 2006).
 * Leverage points pull the maximum-likelihood fit towards themselves and so hide. Fits to a few rows at random are fooled
 * only when they catch such a row: each is concentrated on the half of the rows nearest to it, and the tightest are kept.
 */
export function cStepStarts<D, P extends Params>(likelihood: Continuous<D, P>, data: D, seed: number): P[] {
  const n = likelihood.rows(data)
  const size = likelihood.degreesOfFreedom(data) + likelihood.dimension(data)
  const half = Math.floor((n + size + 1) / 2)
  if (half >= n) return []
  const squared = new Float64Array(n)
  const weights = new Float64Array(n)
  const found: { params: P; logScale: number }[] = []
  for (let params of subsetStarts(likelihood, data, size, SUBSETS, seed)) {
    for (let step = 0; step < C_STEPS; step++) {
      likelihood.squaredDistances(data, params, squared)
      nearest(squared, half, weights)
      params = likelihood.fit(data, weights)
      if (params.problem?.reason === 'exact-fit') return [params]
    }
    // A model that lost columns is no start.
    if (params.problem === undefined) found.push({ params, logScale: likelihood.logScale(data, params) })
  }
  found.sort((a, b) => a.logScale - b.logScale)
  return found.slice(0, FOLLOWED).map(({ params }) => params)
}

/** Weight 1 for the `count` rows with the smallest values, 0 for the others. */
function nearest(values: Float64Array, count: number, weights: Float64Array): void {
  const cut = Float64Array.from(values).sort()[count - 1]
  for (let i = 0; i < values.length; i++) weights[i] = values[i] <= cut ? 1 : 0
}
