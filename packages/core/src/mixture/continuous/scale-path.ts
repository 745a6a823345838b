import type { Continuous } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { kthSmallest } from '../../linalg/kth-smallest.js'
import { MAX_LEVEL } from '../laws/masses.js'
import { atScale, type BroadMixture, fitBroadMixture, startFrom } from './em.js'

/** Steps of the path: wide ones while the scale is far above what half of the rows suggest, fine ones from there on. */
const COARSE_STEP = 2
const FINE_STEP = 1.3
/** The path ends where half of the rows suggest a scale so many times as large. */
const END = 8
/** From scales of 10^30 down; a path that is longer has lost its way. */
const MAX_STEPS = 200
const MAX_ITERATIONS = 60

/**
 * Models along a path of falling scales. At a large scale every row counts and there is one answer; each smaller scale
 * starts from the answer before, so that rows drop out one after the other, the worst first, and no model is missed
 * for want of a start. What scale is right is left to the models' likelihoods.
 */
export function scalePath<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  start: P,
  tolerance: number,
): BroadMixture<P>[] {
  const dimension = likelihood.dimension(data)
  const squared = new Float64Array(likelihood.rows(data))
  const models: BroadMixture<P>[] = []
  let logScale = likelihood.logScale(data, start)
  let from: { params: P; width: number } = startFrom(start)
  while (models.length < MAX_STEPS) {
    const params = atScale(likelihood, data, from.params, logScale)
    const model = fitBroadMixture(
      likelihood,
      data,
      { params, width: from.width },
      {
        tolerance,
        maxIterations: MAX_ITERATIONS,
        logScale,
      },
    )
    models.push(model)
    if (model.params.problem !== undefined || model.trace.at(-1)!.level >= MAX_LEVEL) return models
    const suggested = medianScale(likelihood, data, model.params, squared)
    if (suggested > END) return models
    logScale -= dimension * Math.log(suggested < 1 / COARSE_STEP ? COARSE_STEP : FINE_STEP)
    from = model
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
  const middle = kthSmallest(
    squared,
    Math.min(n - 1, Math.floor((n + likelihood.degreesOfFreedom(data)) / 2)),
  )
  // Median of chi-squared, by Wilson and Hilferty; exact in one dimension.
  const median = D === 1 ? 0.4549 : D * (1 - 2 / (9 * D)) ** 3
  return Math.sqrt(middle / median)
}
