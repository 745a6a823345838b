import type { Likelihood, Params } from '../../likelihoods/likelihood.js'
import type { FitOptions } from '../../methods/fit.js'
import type { Corruption, Fit } from '../../result.js'
import { averageOf } from '../shared/model-average.js'
import { SEARCH_ROWS, sampled } from '../shared/sample.js'
import { uncertainty } from '../shared/standard-errors.js'
import { finished } from '../shared/to-fit.js'
import { type ReferenceModel, referenceFit } from './em.js'
import { type Steadied, steadied } from './empirical-bayes.js'
import { referenceInterval } from './interval.js'
import { leaveOneOut, withoutOwnPull } from './leave-one-out.js'
import { searchLabels } from './search.js'

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
  const plain = likelihood.fit(data)
  const still = { maxIterations: 1, tolerance: 0 }
  const clean = { ...referenceFit(likelihood, data, plain, { ...still, level: 0 }), converged: true }
  const asItIs = (model: ReferenceModel<P>): Fit<P> =>
    told(likelihood, data, levelled(likelihood, data, model, clean))
  if (FATAL.includes(plain.problem?.reason ?? '')) return asItIs(clean)

  const sample = sampled(likelihood, data, seed, SEARCH_ROWS)
  const models = searchLabels(likelihood, sample, plain, seed)
  if (models.length === 0) return asItIs(clean)
  const best = models.reduce((a, b) => (b.value > a.value ? b : a))
  if (sample !== data) {
    const final = { maxIterations: options.maxIterations ?? 500, tolerance: options.tolerance ?? 1e-6 }
    return asItIs(referenceFit(likelihood, data, best.params, final))
  }
  // Models that explain the rows about as well are averaged: the best of many is the one that bends most to them.
  const averaged = averageOf(models)
  const params = likelihood.fit(data, averaged.weights, best.params)
  const model = referenceFit(likelihood, data, params, { ...still, level: averaged.level })
  const known = levelled(
    likelihood,
    data,
    { ...best, ...model, params, value: best.value, converged: true },
    clean,
  )
  if (likelihood.steadied === undefined || known.level === 0 || known.params.problem !== undefined)
    return told(likelihood, data, known)
  const starts = [plain, ...models.map((m) => m.params)]
  return told(likelihood, data, known, steadied(likelihood, data, starts, known.level))
}

const FATAL = ['collinear', 'few-rows', 'one-class']

interface Levelled<P> extends ReferenceModel<P> {
  readonly interval: readonly [number, number]
}

/** The better of a model and the plain one, with a level freed of the rows' own pull and its interval. */
function levelled<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  model: ReferenceModel<P>,
  plain: ReferenceModel<P>,
): Levelled<P> {
  const fitted = model.value > plain.value ? model : plain
  const freed = withoutOwnPull(likelihood, data, fitted)
  // Less than half a row is none.
  const level = freed.level < 0.5 / freed.weights.length ? 0 : freed.level
  const best = { ...fitted, level, weights: freed.weights }
  const centred = likelihood.centred?.(data, fitted.params) ?? { data, params: fitted.params }
  const interval = referenceInterval(likelihood, centred.data, { ...best, params: centred.params }, plain)
  return { ...best, interval }
}

function told<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  model: Levelled<P>,
  steady?: Steadied<D, P>,
): Fit<P> {
  const { params, weights } = steady ?? model
  const result = finished(likelihood, data, params, model)
  const K = likelihood.labels
  // Where no row is told to be bad, the largest level that is told as 0 ranks them.
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
  const errors = uncertainty(steady?.likelihood ?? likelihood, data, params, weights)
  return { ...result, clean, corruption, ...errors }
}
