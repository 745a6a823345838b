import { RlviError } from '../../errors.js'
import { rightLabelProbability, wrongLabelShare } from '../../inference/label-noise.js'
import type { Discrete } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import type { CountLikelihood } from '../../likelihoods/poisson.js'
import type { Fit } from '../../result.js'
import { modelAverage } from '../shared/model-average.js'
import type { FitOptions } from '../shared/options.js'
import { SEARCH_ROWS, sampleRows } from '../shared/sample.js'
import { standardErrorsOf } from '../shared/standard-errors.js'
import { toFit } from '../shared/to-fit.js'
import { fitCounts } from './counts/counts.js'
import { fitReferenceMixture, type ReferenceMixture } from './em.js'
import { type EmpiricalBayes, empiricalBayes } from './empirical-bayes.js'
import { correctForInfluence, leaveOneOut } from './leave-one-out.js'
import { levelInterval } from './level-interval.js'
import { searchDiscrete } from './search.js'

/** Problems of the maximum-likelihood fit that no weights can cure. */
const FATAL = ['collinear', 'few-rows', 'one-class']
/** An E-step at given parameters, without a fit. */
const E_STEP_ONLY = { maxIterations: 1, tolerance: 0 }

/**
 * `fit` for labels and counts, whose reference density the likelihood knows: first the level, from the model as it is, then
 * which rows are bad.
 */
export function fitDiscrete<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  options: FitOptions,
): Fit<P> {
  if (isCounts(likelihood)) return fitCounts(likelihood, data as never, options) as never
  if (options.errors !== undefined && options.errors !== 'auto')
    throw new RlviError('fit errors', `${likelihood.name} has no law of errors to choose`, options.errors)
  const seed = options.seed ?? 0
  const mlParams = likelihood.fit(data)
  const ml = {
    ...fitReferenceMixture(likelihood, data, mlParams, { ...E_STEP_ONLY, level: 0 }),
    converged: true,
  }
  const finish = (model: ReferenceMixture<P>): Fit<P> =>
    toDiscreteFit(likelihood, data, withLevel(likelihood, data, model, ml))
  if (FATAL.includes(mlParams.problem?.reason ?? '')) return finish(ml)

  const sample = sampleRows(likelihood, data, seed, SEARCH_ROWS)
  const models = searchDiscrete(likelihood, sample, mlParams, seed)
  if (models.length === 0) return finish(ml)
  const best = models.reduce((a, b) => (b.value > a.value ? b : a))
  if (sample !== data) {
    const final = { maxIterations: options.maxIterations ?? 500, tolerance: options.tolerance ?? 1e-6 }
    return finish(fitReferenceMixture(likelihood, data, best.params, final))
  }
  // Models that explain the rows about as well are averaged: the best of many is the one that bends most to them.
  const average = modelAverage(models)
  const params = likelihood.fit(data, average.weights, best.params)
  const averaged = fitReferenceMixture(likelihood, data, params, { ...E_STEP_ONLY, level: average.level })
  const model = { ...best, ...averaged, params, value: best.value, converged: true }
  const levelled = withLevel(likelihood, data, model, ml)
  if (likelihood.prior === undefined || levelled.level === 0 || levelled.params.problem !== undefined)
    return toDiscreteFit(likelihood, data, levelled)
  const starts = [mlParams, ...models.map((m) => m.params)]
  const bayes = empiricalBayes(likelihood.prior, data, starts, levelled.level)
  return toDiscreteFit(likelihood, data, levelled, bayes)
}

interface Levelled<P> extends ReferenceMixture<P> {
  readonly interval: readonly [number, number]
}

/** The better of a model and the maximum-likelihood one, its level corrected for the rows' own influence, with an interval. */
function withLevel<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  model: ReferenceMixture<P>,
  ml: ReferenceMixture<P>,
): Levelled<P> {
  const better = model.value > ml.value ? model : ml
  const corrected = correctForInfluence(likelihood, data, better)
  // Less than half a row is none.
  const level = corrected.level < 0.5 / corrected.weights.length ? 0 : corrected.level
  const best = { ...better, level, weights: corrected.weights }
  const centred = likelihood.centred?.(data, better.params) ?? { data, params: better.params }
  const interval = levelInterval(likelihood, centred.data, { ...best, params: centred.params }, ml)
  return { ...best, interval }
}

/** The result, with parameters and P(good) of the prior where one was chosen. */
function toDiscreteFit<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  model: Levelled<P>,
  bayes?: EmpiricalBayes<D, P>,
): Fit<P> {
  const { params, weights } = bayes ?? model
  const result = toFit(likelihood, data, params, model)
  const errors = standardErrorsOf(bayes?.likelihood ?? likelihood, data, params, weights)
  const { level, interval } = model
  const { labels } = likelihood
  if (labels === undefined)
    return { ...result, clean: weights, corruption: { level, interval, source: 'inferred' }, ...errors }
  // Where no row is found bad, the largest level that is reported as 0 ranks them.
  const notRandom = level === 0 ? leaveOneOut(likelihood, data, params, 0.5 / weights.length) : weights
  return {
    ...result,
    clean: notRandom.map((p, i) => rightLabelProbability(p, result.losses[i])),
    corruption: {
      level: wrongLabelShare(level, labels),
      interval: [wrongLabelShare(interval[0], labels), wrongLabelShare(interval[1], labels)],
      source: 'inferred',
    },
    ...errors,
  }
}

function isCounts(likelihood: object): likelihood is CountLikelihood {
  return 'withDispersion' in likelihood
}
