import { type Continuous, isRegression, type Regression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { kthSmallest } from '../../linalg/kth-smallest.js'
import { pickRows, rowPicker } from '../../random/pick-rows.js'
import { everySubset, randomSubsets, subsetStarts } from '../shared/subset-starts.js'
import { nearestPlanes } from './elemental-planes.js'

/** Subsets tried with two C-steps each; the best of them are followed until they stand still, and the best of these kept. */
const SUBSETS = 500
const FOLLOWED = 20
/** On more rows fewer do: good starts are more alike. */
const SUBSETS_OF_MANY = 150
const FOLLOWED_OF_MANY = 10
/**
 * Planes through as many rows as they have coefficients cost little: so many are looked at, or all that there are, and the
 * best take the place of those subsets.
 */
const PLANES = { looked: 10_000, work: 4e7, tried: 500 }
const PLANES_OF_MANY = { looked: 1000, work: 8e6, tried: 40 }
const FIRST_STEPS = 2
const MORE_STEPS = 50
const KEPT = 3
/** Models whose log scales are nearer than this are one. */
const SAME = 1e-6
/** The first steps are taken on at most so many rows. */
const PART = 250

/**
 * Models to start from beside the maximum-likelihood fit, by the C-steps of FAST-LTS (Rousseeuw and Van Driessen 2006).
 * Leverage points pull the maximum-likelihood fit towards themselves and so hide. Fits to a few rows at random are fooled
 * only when they catch such a row: each is concentrated on the half of the rows nearest to it, and the tightest are kept.
 * A model that passes through half of the rows is the answer, unless `exact` models are none.
 */
export function cStepStarts<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  seed: number,
  exact = true,
): P[] {
  const n = likelihood.rows(data)
  const size = likelihood.degreesOfFreedom(data) + likelihood.dimension(data)
  if (halfOf(n, size) >= n) return []
  const step = stepper(likelihood, data, size)
  // The first steps need not see all rows to tell good starts from bad ones.
  const part =
    n > 1.5 * PART ? likelihood.take(data, pickRows(rowPicker('part', seed), n, PART).sort()) : data
  const first = part === data ? step : stepper(likelihood, part, size)
  const found: { params: P; logScale: number }[] = []
  const starts = isRegression(likelihood)
    ? planeStarts(likelihood, part, size, part === data ? PLANES : PLANES_OF_MANY, seed)
    : subsetStarts(likelihood, part, size, part === data ? SUBSETS : SUBSETS_OF_MANY, seed)
  for (let params of starts) {
    for (let k = 0; k < FIRST_STEPS; k++) {
      params = first(params)
      if (params.problem === undefined) continue
      if (params.problem.reason === 'exact-fit' && exact) return [params]
      break
    }
    // A model that lost columns is no start.
    if (params.problem === undefined) found.push({ params, logScale: likelihood.logScale(part, params) })
  }
  found.sort((a, b) => a.logScale - b.logScale)
  const best: { params: P; logScale: number }[] = []
  for (let { params, logScale } of found.slice(0, part === data ? FOLLOWED : FOLLOWED_OF_MANY)) {
    for (let k = 0; k < MORE_STEPS; k++) {
      params = step(params)
      if (params.problem?.reason === 'exact-fit' && exact) return [params]
      if (params.problem !== undefined) break
      const next = likelihood.logScale(data, params)
      const still = Math.abs(logScale - next) < SAME
      logScale = next
      if (still) break
    }
    if (params.problem === undefined && best.every((other) => Math.abs(other.logScale - logScale) > SAME))
      best.push({ params, logScale })
  }
  best.sort((a, b) => a.logScale - b.logScale)
  return best.slice(0, KEPT).map(({ params }) => params)
}

/**
 * Fits to the subsets of a regression's rows whose planes pass nearest to half of all. Of few rows and coefficients all
 * planes are looked at: then no seed matters.
 */
function planeStarts<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  size: number,
  { looked, work, tried }: typeof PLANES,
  seed: number,
): P[] {
  const n = likelihood.rows(data)
  const x = likelihood.features(data)
  const coefficients = likelihood.degreesOfFreedom(data)
  const most = Math.min(looked, Math.ceil(work / (coefficients ** 3 + n * coefficients)))
  const subsets = everySubset(n, coefficients, most) ?? randomSubsets(n, coefficients, most, seed)
  const half = halfOf(n, size)
  return nearestPlanes(x, likelihood.responses(data), coefficients > x.cols, subsets, half, tried).map(
    (rows) => likelihood.fit(likelihood.take(data, rows)),
  )
}

/** How many rows the largest half is that a model of so many parameters can be told by. */
function halfOf(rows: number, size: number): number {
  return Math.floor((rows + size + 1) / 2)
}

/** A C-step: the fit to the half of the rows that lie nearest to a model. */
function stepper<D, P extends Params>(likelihood: Continuous<D, P>, data: D, size: number): (params: P) => P {
  const n = likelihood.rows(data)
  const half = halfOf(n, size)
  const squared = new Float64Array(n)
  const weights = new Float64Array(n)
  return (params) => {
    likelihood.squaredDistances(data, params, squared)
    nearest(squared, half, weights)
    return likelihood.fit(data, weights, params)
  }
}

/** Weight 1 for the `count` rows with the smallest values and those that are as near but for rounding, 0 for the others. */
function nearest(values: Float64Array, count: number, weights: Float64Array): void {
  const cut = kthSmallest(values, count - 1) * (1 + 1e-9)
  for (let i = 0; i < values.length; i++) weights[i] = values[i] <= cut ? 1 : 0
}
