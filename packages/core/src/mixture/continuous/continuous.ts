import { RlviError } from '../../errors.js'
import type { Likelihood, Params } from '../../likelihoods/likelihood.js'
import { rowVector } from '../../matrix.js'
import type { FitOptions } from '../../methods/fit.js'
import type { Corruption, Fit } from '../../result.js'
import { modelAverage } from '../shared/model-average.js'
import { REFINE_ROWS, SEARCH_ROWS, sampleRows } from '../shared/sample.js'
import { standardErrorsOf } from '../shared/standard-errors.js'
import { toFit } from '../shared/to-fit.js'
import { binnedEm } from './binned-em.js'
import { cStepStarts } from './c-steps.js'
import { type BroadMixture, consistent, fitBroadMixture, mlFit } from './em.js'
import { estimateLevel, shellBic } from './level.js'
import { badLeveragePoints, leveragePoints } from './leverage.js'
import { scalePath } from './scale-path.js'

/**
 * The calibrated method for continuous rows: find the model on a broad reference, over all scales and from several starts,
 * then tell the level from the distances of all rows.
 */
export function fitContinuous<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  options: FitOptions,
): Fit<P> {
  if (likelihood.spread!.dimension(data) < 1) {
    const todo = 'use fewer components'
    throw new RlviError('fit', 'rows must be able to lie off the model', likelihood.name, todo)
  }
  const ml = mlFit(likelihood, data)
  if (ml.problem !== undefined) return degenerate(likelihood, data, ml)

  const seed = options.seed ?? 0
  const sample = sampleRows(likelihood, data, seed, SEARCH_ROWS)
  const found = search(likelihood, withoutBadLeverage(likelihood, sample, seed), seed)
  if (found.params.problem !== undefined) return degenerate(likelihood, data, found.params)
  if (sample === data) return withLevel(likelihood, data, ml, found)
  // On many rows the answer is refined in steps: from a sample, a larger one, then all, each to well within its error.
  let model = found
  for (const part of [sampleRows(likelihood, data, seed + 1, REFINE_ROWS), data]) {
    model = binnedEm(likelihood, part, model, options.tolerance ?? 0.02 / Math.sqrt(likelihood.rows(part)))
    if (part === data || model.params.problem !== undefined) break
  }
  if (model.params.problem !== undefined) return degenerate(likelihood, data, model.params)
  return withLevel(likelihood, data, ml, model)
}

/** The model that the rows support best, over all scales and from all starts. */
function search<D, P extends Params>(likelihood: Likelihood<D, P>, data: D, seed: number): BroadMixture<P> {
  const paths: BroadMixture<P>[][] = []
  for (const start of [mlFit(likelihood, data), ...cStepStarts(likelihood, data, seed)]) {
    if (start.problem !== undefined) return exact(start)
    const path = scalePath(likelihood, data, start)
    const last = path[path.length - 1].params
    if (last.problem !== undefined) return exact(last)
    paths.push(path)
  }
  let found = average(likelihood, data, paths.flat())
  let judged = judge(likelihood, data, found.params) + DECISIVE
  // Bad rows in one far cluster look to the broad reference like one wide cloud together with the good ones.
  for (const path of paths.slice(1)) {
    const model = average(likelihood, data, path)
    const value = judge(likelihood, data, model.params)
    if (value > judged) [found, judged] = [model, value]
  }
  return found
}

/** By so much must a single start's model explain the rows better to be preferred to the average of all. */
const DECISIVE = 10

function exact<P>(params: P): BroadMixture<P> {
  return { params, weights: new Float64Array(0), width: 1, value: 0, converged: false, trace: [] }
}

/** One model from many: the fit to the rows by their averaged weights, unless they speak of different models. */
function average<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  models: readonly BroadMixture<P>[],
): BroadMixture<P> {
  const best = models.reduce((a, b) => (b.value > a.value ? b : a))
  const { weights } = modelAverage(models)
  const good = weights.reduce((sum, w) => sum + w, 0)
  const params = consistent(likelihood.spread!, data, likelihood.fit(data, weights, best.params), good)
  // An average between models that contradict each other leads to a lesser one, or to none.
  const led = fitBroadMixture(likelihood, data, { params, width: best.width }, LED)
  if (led.value < best.value - CONFLICT) return { ...best, converged: true }
  return { ...best, params, weights, converged: true }
}

const LED = { maxIterations: 50, tolerance: 1e-3 }
const CONFLICT = 3

/** How well a model explains all rows, good ones and shells of bad ones. */
function judge<D, P extends Params>(likelihood: Likelihood<D, P>, data: D, params: P): number {
  const spread = likelihood.spread!
  const n = likelihood.rows(data)
  const squared = new Float64Array(n)
  spread.squaredDistances(data, params, squared)
  const degreesOfFreedom = spread.degreesOfFreedom(data)
  return (
    shellBic(squared, spread.dimension(data), degreesOfFreedom) -
    (n - degreesOfFreedom) * spread.logScale(data, params)
  )
}

/** The data less the rows far out in the features that contradict what the others say. */
function withoutBadLeverage<D, P extends Params>(likelihood: Likelihood<D, P>, data: D, seed: number): D {
  if (
    likelihood.features === undefined ||
    likelihood.take === undefined ||
    likelihood.information === undefined
  )
    return data
  const far = leveragePoints(likelihood.features(data), seed)
  if (far.size === 0) return data
  const n = likelihood.rows(data)
  const rest = (gone: ReadonlySet<number>): D =>
    likelihood.take!(
      data,
      Array.from({ length: n }, (_, i) => i).filter((i) => !gone.has(i)),
    )
  const near = rest(far)
  const { params } = search(likelihood, near, seed)
  if (params.problem !== undefined) return data
  const gone = badLeveragePoints(likelihood, data, near, params, far)
  return gone.size > 0 ? rest(gone) : data
}

function withLevel<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  ml: P,
  model: BroadMixture<P>,
): Fit<P> {
  const spread = likelihood.spread!
  const squared = rowVector(likelihood.rows(data))
  spread.squaredDistances(data, model.params, squared)
  const estimate = estimateLevel(squared, spread.dimension(data), spread.degreesOfFreedom(data))
  const clear = estimate.level === 0
  const params = clear ? ml : spread.rescale(model.params, estimate.scale)
  const corruption: Corruption = { level: estimate.level, interval: estimate.interval, source: 'inferred' }
  return {
    ...toFit(likelihood, data, params, model),
    clean: estimate.clean,
    corruption,
    ...standardErrorsOf(likelihood, data, params, estimate.clean),
  }
}

/** A model whose scale is 0 or whose columns depend on each other: rows on it are good, rows off it bad. */
function degenerate<D, P extends Params>(likelihood: Likelihood<D, P>, data: D, params: P): Fit<P> {
  const weights = rowVector(likelihood.rows(data)).fill(1)
  const result = toFit(likelihood, data, params, { converged: true, weights, trace: [] })
  if (params.problem?.reason !== 'exact-fit') return result
  const squared = rowVector(result.clean.length)
  likelihood.spread!.squaredDistances(data, params, squared)
  // On an exact fit any distance beyond rounding is infinite in units of the scale.
  const clean = squared.map((d) => (d < 1e6 ? 1 : 0))
  const off = clean.reduce((sum, c) => sum + 1 - c, 0) / clean.length
  return { ...result, clean, corruption: { level: off, interval: undefined, source: 'inferred' } }
}
