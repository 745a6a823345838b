import type { Continuous } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { atScale, type BroadMixture, fitBroadMixture, startFrom } from './em.js'
import { MAX_LEVEL } from './shell-histogram.js'

/** Steps of the path: wide ones while the scale is far above what half of the rows suggest, fine ones from there on. */
const FAR = 2
const NEAR = 1.3
/** The path ends at this share of the scale that half of the rows suggest. */
const DEEPEST = 1 / 8
/** From scales of 10^30 down; a path that is longer has lost its way. */
const MOST_STEPS = 200
const EACH = { tolerance: 1e-4, maxIterations: 60 }

/**
 * Models along a path of falling scales. At a large scale every row counts and there is one answer; each smaller scale
 * starts from the answer before, so that rows drop out one after the other, the worst first, and no model is missed
 * for want of a start. What scale is right is left to the models' likelihoods.
 */
export function scalePath<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  start: P,
): BroadMixture<P>[] {
  const dimension = likelihood.dimension(data)
  const squared = new Float64Array(likelihood.rows(data))
  const models: BroadMixture<P>[] = []
  let logScale = likelihood.logScale(data, start)
  let from: { params: P; width: number } = startFrom(start)
  while (models.length < MOST_STEPS) {
    const params = atScale(likelihood, data, from.params, logScale)
    const model = fitBroadMixture(likelihood, data, { params, width: from.width }, { ...EACH, logScale })
    models.push(model)
    if (model.params.problem !== undefined || model.trace.at(-1)!.level >= MAX_LEVEL) return models
    const half = medianScale(likelihood, data, model.params, squared)
    if (!(half > DEEPEST ** -1)) {
      logScale -= dimension * Math.log(half < 1 / FAR ? FAR : NEAR)
      from = model
    } else return models
  }
  return models
}

/** The scale at which the median distance would be what a Gaussian's is, in units of the model's. */
export function medianScale<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  params: P,
  squared: Float64Array,
): number {
  likelihood.squaredDistances(data, params, squared)
  const n = squared.length
  const D = likelihood.dimension(data)
  const sorted = Float64Array.from(squared).sort()
  const middle = sorted[Math.min(n - 1, Math.floor((n + likelihood.degreesOfFreedom(data)) / 2))]
  // Median of chi-squared, by Wilson and Hilferty; exact in one dimension.
  const median = D === 1 ? 0.4549 : D * (1 - 2 / (9 * D)) ** 3
  return Math.sqrt(middle / median)
}
