import type { Likelihood, Params } from '../../likelihoods/likelihood.js'
import type { FitOptions } from '../../methods/fit.js'
import type { Corruption, Fit } from '../../result.js'
import { modelAverage } from '../shared/model-average.js'
import { SEARCH_ROWS, sampleRows } from '../shared/sample.js'
import { standardErrorsOf } from '../shared/standard-errors.js'
import { toFit } from '../shared/to-fit.js'
import { fitReferenceMixture, type ReferenceMixture } from './em.js'
import { type EmpiricalBayes, empiricalBayes } from './empirical-bayes.js'
import { correctForInfluence, leaveOneOut } from './leave-one-out.js'
import { levelInterval } from './level-interval.js'
import { searchDiscrete } from './search.js'

/**
 * The calibrated method for labels and counts, whose reference density the likelihood knows: first the level, from the
 * model as it is, then which rows are bad.
 */
export function fitDiscrete<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  options: FitOptions,
): Fit<P> {
  const seed = options.seed ?? 0
  const ml = likelihood.fit(data)
  const still = { maxIterations: 1, tolerance: 0 }
  const clean = { ...fitReferenceMixture(likelihood, data, ml, { ...still, level: 0 }), converged: true }
  const asItIs = (model: ReferenceMixture<P>): Fit<P> =>
    withClean(likelihood, data, withLevel(likelihood, data, model, clean))
  if (FATAL.includes(ml.problem?.reason ?? '')) return asItIs(clean)

  const sample = sampleRows(likelihood, data, seed, SEARCH_ROWS)
  const models = searchDiscrete(likelihood, sample, ml, seed)
  if (models.length === 0) return asItIs(clean)
  const best = models.reduce((a, b) => (b.value > a.value ? b : a))
  if (sample !== data) {
    const final = { maxIterations: options.maxIterations ?? 500, tolerance: options.tolerance ?? 1e-6 }
    return asItIs(fitReferenceMixture(likelihood, data, best.params, final))
  }
  // Models that explain the rows about as well are averaged: the best of many is the one that bends most to them.
  const averaged = modelAverage(models)
  const params = likelihood.fit(data, averaged.weights, best.params)
  const model = fitReferenceMixture(likelihood, data, params, { ...still, level: averaged.level })
  const known = withLevel(
    likelihood,
    data,
    { ...best, ...model, params, value: best.value, converged: true },
    clean,
  )
  if (likelihood.withPrior === undefined || known.level === 0 || known.params.problem !== undefined)
    return withClean(likelihood, data, known)
  const starts = [ml, ...models.map((m) => m.params)]
  return withClean(likelihood, data, known, empiricalBayes(likelihood, data, starts, known.level))
}

const FATAL = ['collinear', 'few-rows', 'one-class']

interface Levelled<P> extends ReferenceMixture<P> {
  readonly interval: readonly [number, number]
}

/** The better of a model and the maximum-likelihood one, with a level corrected for the influence of the rows on their own fit, and its interval. */
function withLevel<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  model: ReferenceMixture<P>,
  ml: ReferenceMixture<P>,
): Levelled<P> {
  const fitted = model.value > ml.value ? model : ml
  const corrected = correctForInfluence(likelihood, data, fitted)
  // Less than half a row is none.
  const level = corrected.level < 0.5 / corrected.weights.length ? 0 : corrected.level
  const best = { ...fitted, level, weights: corrected.weights }
  const centred = likelihood.centred?.(data, fitted.params) ?? { data, params: fitted.params }
  const interval = levelInterval(likelihood, centred.data, { ...best, params: centred.params }, ml)
  return { ...best, interval }
}

function withClean<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  model: Levelled<P>,
  bayes?: EmpiricalBayes<D, P>,
): Fit<P> {
  const { params, weights } = bayes ?? model
  const result = toFit(likelihood, data, params, model)
  const K = likelihood.labels
  // Where no row is found bad, the largest level that is reported as 0 ranks them.
  const n = weights.length
  const clean = Float64Array.from(
    K !== undefined && model.level === 0 ? leaveOneOut(likelihood, data, params, 0.5 / n) : weights,
  )
  // A random label is right by chance in one of K rows: those are good rows.
  const share = K === undefined ? 1 : (K - 1) / K
  if (K !== undefined) for (let i = 0; i < n; i++) clean[i] += (1 - clean[i]) * Math.exp(-result.losses[i])
  const [low, high] = model.interval
  const corruption: Corruption = {
    level: share * model.level,
    interval: [share * low, share * high],
    source: 'inferred',
  }
  const errors = standardErrorsOf(bayes?.likelihood ?? likelihood, data, params, weights)
  return { ...result, clean, corruption, ...errors }
}
