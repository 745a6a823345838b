import { RlviError } from '../errors.js'
import type { Likelihood, Params } from '../likelihoods/likelihood.js'
import { rowVector } from '../matrix.js'
import { type Corruption, type Fit, type Status, statusOf } from '../result.js'
import { levelOf, shellLikelihood } from './level.js'
import { contradicting, farRows } from './leverage.js'
import { fitManyRows } from './many-rows.js'
import { withoutOwnPull } from './own-pull.js'
import { pickRows, rowPicker } from './random.js'
import { type ReferenceModel, referenceFit } from './reference-fit.js'
import { referenceInterval } from './reference-interval.js'
import { averageWeights, scalePath } from './scale-path.js'
import { consistent, plainFit, type SpreadModel } from './spread-fit.js'
import { uncertainty } from './standard-errors.js'
import { concentrated, subsetStarts } from './starts.js'

export interface CalibratedOptions {
  /** Which subsets the search for starts draws. Default 0. */
  readonly seed?: number
  /** Where the fit stops: the relative change of the parameters, or for labels and counts the gain in log-likelihood. */
  readonly tolerance?: number
  /** Default 300. */
  readonly maxIterations?: number
}

/** Starts are searched on no more rows than this; the winner goes on with all. */
const SEARCH_ROWS = 1000
const REFINE_ROWS = 30_000

/**
 * RLVI with a reference density for corrupted rows, so that the level means something: the share of rows that the model
 * of good rows does not explain and a broad alternative does. On clean data the level is 0 and the fit is that of
 * maximum likelihood; no answer depends on the units of a column. docs/method.md derives it.
 */
export function calibrated<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  options: CalibratedOptions = {},
): Fit<P> {
  likelihood.check(data)
  if (likelihood.spread !== undefined) return calibratedSpread(likelihood, data, options)
  if (likelihood.reference !== undefined) return calibratedReference(likelihood, data, options)
  const todo = 'give the likelihood a `reference`, or use `fit`'
  throw new RlviError('calibrated', 'a reference density for corrupted rows is needed', likelihood.name, todo)
}

/** A sample of `count` rows, or all where they are not many more. */
function sampled<D, P extends Params>(likelihood: Likelihood<D, P>, data: D, seed: number, count: number): D {
  const n = likelihood.rows(data)
  if (n <= 2 * count || likelihood.take === undefined) return data
  return likelihood.take(data, pickRows(rowPicker(seed), n, count).sort())
}

function calibratedSpread<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  options: CalibratedOptions,
): Fit<P> {
  const plain = plainFit(likelihood, data)
  if (plain.problem !== undefined) return degenerate(likelihood, data, plain)

  const seed = options.seed ?? 0
  const sample = sampled(likelihood, data, seed, SEARCH_ROWS)
  const found = search(likelihood, withoutContradictions(likelihood, sample, seed), seed)
  if (found.params.problem !== undefined) return degenerate(likelihood, data, found.params)
  if (sample === data) return finishSpread(likelihood, data, plain, found)
  // On many rows the answer is refined in steps: from a sample, a larger one, then all, each to well within its error.
  let model = found
  for (const part of [sampled(likelihood, data, seed + 1, REFINE_ROWS), data]) {
    model = fitManyRows(likelihood, part, model, options.tolerance ?? 0.02 / Math.sqrt(likelihood.rows(part)))
    if (part === data || model.params.problem !== undefined) break
  }
  if (model.params.problem !== undefined) return degenerate(likelihood, data, model.params)
  return finishSpread(likelihood, data, plain, model)
}

/** The model that the rows support best, over all scales and from all starts. */
function search<D, P extends Params>(likelihood: Likelihood<D, P>, data: D, seed: number): SpreadModel<P> {
  const paths: SpreadModel<P>[][] = []
  for (const start of [plainFit(likelihood, data), ...concentrated(likelihood, data, seed)]) {
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

function exact<P>(params: P): SpreadModel<P> {
  return { params, weights: new Float64Array(0), width: 1, value: 0, converged: false, trace: [] }
}

/** One model from many: the fit to the rows by their averaged weights. */
function average<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  models: readonly SpreadModel<P>[],
): SpreadModel<P> {
  const best = models.reduce((a, b) => (b.value > a.value ? b : a))
  const weights = averageWeights(models)
  const good = weights.reduce((sum, w) => sum + w, 0)
  const params = consistent(likelihood.spread!, data, likelihood.fit(data, weights, best.params), good)
  return { ...best, params, weights, converged: true }
}

/** How well a model explains all rows, good ones and shells of bad ones. */
function judge<D, P extends Params>(likelihood: Likelihood<D, P>, data: D, params: P): number {
  const spread = likelihood.spread!
  const n = likelihood.rows(data)
  const squared = new Float64Array(n)
  spread.squaredDistances(data, params, squared)
  const spent = spread.spent(data)
  return (
    shellLikelihood(squared, spread.dimension(data), spent) - (n - spent) * spread.logVolume(data, params)
  )
}

/** The data less the rows far out in the features that contradict what the others say. */
function withoutContradictions<D, P extends Params>(likelihood: Likelihood<D, P>, data: D, seed: number): D {
  if (
    likelihood.features === undefined ||
    likelihood.take === undefined ||
    likelihood.information === undefined
  )
    return data
  const far = farRows(likelihood.features(data), seed)
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
  const gone = contradicting(likelihood, data, near, params, far)
  return gone.size > 0 ? rest(gone) : data
}

function finishSpread<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  plain: P,
  model: SpreadModel<P>,
): Fit<P> {
  const spread = likelihood.spread!
  const squared = rowVector(likelihood.rows(data))
  spread.squaredDistances(data, model.params, squared)
  const told = levelOf(squared, spread.dimension(data), spread.spent(data))
  const clear = told.level === 0
  const params = clear ? plain : spread.rescale(model.params, told.scale)
  const corruption: Corruption = { level: told.level, interval: told.interval, source: 'inferred' }
  return {
    ...finished(likelihood, data, params, model),
    clean: told.clean,
    corruption,
    ...uncertainty(likelihood, data, params, told.clean),
  }
}

function calibratedReference<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  options: CalibratedOptions,
): Fit<P> {
  const seed = options.seed ?? 0
  const plain = likelihood.fit(data)
  const fatal = ['collinear', 'few-rows', 'one-class']
  const clean = referenceFit(likelihood, data, plain, { maxIterations: 1, tolerance: 0, level: 0 })
  if (fatal.includes(plain.problem?.reason ?? '')) return fromReference(likelihood, data, clean, clean)

  const sample = sampled(likelihood, data, seed, SEARCH_ROWS)
  const parameters = likelihood.vector(plain).length
  // In many dimensions a few rows determine too little to be a start worth its cost.
  const count = Math.min(SUBSETS, Math.max(6, Math.floor(360 / parameters)))
  const starts = [plain, ...subsetStarts(likelihood, sample, 2 * parameters + 2, count, seed)]
  const first = starts.map((start) => referenceFit(likelihood, sample, start, FIRST))
  first.sort((a, b) => b.value - a.value)
  const followed = first
    .slice(0, FOLLOWED)
    .map(({ params }) => referenceFit(likelihood, sample, params, FURTHER))
  const found = followed.reduce((a, b) => (b.value > a.value ? b : a))
  const final = { maxIterations: options.maxIterations ?? 500, tolerance: options.tolerance ?? 1e-6 }
  const model = referenceFit(likelihood, data, found.params, final)
  return fromReference(likelihood, data, model, clean)
}

/** Many starts are tried a little, the best of them more. */
const FIRST = { maxIterations: 5, tolerance: 1e-2 }
const FURTHER = { maxIterations: 200, tolerance: 1e-4 }
const FOLLOWED = 4
const SUBSETS = 30

function fromReference<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  model: ReferenceModel<P>,
  plain: ReferenceModel<P>,
): Fit<P> {
  const fitted = model.value > plain.value ? model : plain
  const best = { ...fitted, ...withoutOwnPull(likelihood, data, fitted) }
  const result = finished(likelihood, data, best.params, best)
  // A random label is right by chance in one of K rows: those are good rows.
  const K = likelihood.labels
  const share = K === undefined ? 1 : (K - 1) / K
  const clean = Float64Array.from(best.weights)
  if (K !== undefined)
    for (let i = 0; i < clean.length; i++) clean[i] += (1 - clean[i]) * Math.exp(-result.losses[i])
  const [low, high] = referenceInterval(likelihood, data, best, plain)
  const level = best.level < 0.5 / clean.length ? 0 : best.level
  const corruption: Corruption = {
    level: share * level,
    interval: [share * low, share * high],
    source: 'inferred',
  }
  return { ...result, clean, corruption, ...uncertainty(likelihood, data, best.params, best.weights) }
}

/** What every path returns: the parameters with their losses, status and trace. */
function finished<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  params: P,
  model: { readonly converged: boolean; readonly weights: Float64Array; readonly trace: Fit<P>['trace'] },
): Fit<P> {
  const losses = rowVector(likelihood.rows(data))
  likelihood.losses(data, params, losses)
  const moving: Status = {
    kind: 'max-iterations',
    message: `still moving after ${model.trace.length} iterations`,
  }
  return {
    params,
    clean: model.weights,
    losses,
    corruption: { level: undefined, interval: undefined, source: 'inferred' },
    status: statusOf(params, model.converged ? { kind: 'converged' } : moving),
    iterations: model.trace.length,
    trace: model.trace,
  }
}

/** A model whose scale is 0 or whose columns depend on each other: rows on it are good, rows off it bad. */
function degenerate<D, P extends Params>(likelihood: Likelihood<D, P>, data: D, params: P): Fit<P> {
  const weights = rowVector(likelihood.rows(data)).fill(1)
  const result = finished(likelihood, data, params, { converged: true, weights, trace: [] })
  if (params.problem?.reason !== 'exact-fit') return result
  const squared = rowVector(result.clean.length)
  likelihood.spread!.squaredDistances(data, params, squared)
  // On an exact fit any distance beyond rounding is infinite in units of the scale.
  const clean = squared.map((d) => (d < 1e6 ? 1 : 0))
  const off = clean.reduce((sum, c) => sum + 1 - c, 0) / clean.length
  return { ...result, clean, corruption: { level: off, interval: undefined, source: 'inferred' } }
}
