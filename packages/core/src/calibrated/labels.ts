import type { Likelihood, Params } from '../likelihoods/likelihood.js'
import type { Corruption, Fit } from '../result.js'
import { averageOf } from './average.js'
import type { CalibratedOptions } from './calibrated.js'
import { finished } from './finished.js'
import { withoutOwnPull } from './own-pull.js'
import { type ReferenceModel, referenceFit } from './reference-fit.js'
import { referenceInterval } from './reference-interval.js'
import { SEARCH_ROWS, sampled } from './sample.js'
import { uncertainty } from './standard-errors.js'
import { subsetStarts } from './starts.js'

/** The calibrated method for labels and counts, whose reference density the likelihood knows. */
export function calibratedLabels<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  options: CalibratedOptions,
): Fit<P> {
  const seed = options.seed ?? 0
  const plain = likelihood.fit(data)
  const fatal = ['collinear', 'few-rows', 'one-class']
  const clean = {
    ...referenceFit(likelihood, data, plain, { maxIterations: 1, tolerance: 0, level: 0 }),
    converged: true,
  }
  if (fatal.includes(plain.problem?.reason ?? '')) return fromReference(likelihood, data, clean, clean)

  const sample = sampled(likelihood, data, seed, SEARCH_ROWS)
  const parameters = likelihood.vector(plain).length
  // In many dimensions a few rows determine too little to be a start worth its cost.
  const count = Math.min(SUBSETS, Math.max(6, Math.floor(360 / parameters)))
  const starts = [plain, ...subsetStarts(likelihood, sample, 2 * parameters + 2, count, seed)]
  const first = starts.map((start) => referenceFit(likelihood, sample, start, FIRST))
  first.sort((a, b) => b.value - a.value)
  const further = (model: ReferenceModel<P>) => referenceFit(likelihood, sample, model.params, FURTHER)
  const followed = first.slice(0, FOLLOWED).map(further)
  // A fit to wrong labels is too soft and can hold all starts at level 0; with a level held against it, it sharpens.
  if (followed.every(({ level }) => level < NONE)) {
    const sharpened = HELD.map((level) => referenceFit(likelihood, sample, plain, { ...SHARPEN, level }))
    followed.push(...sharpened.map(further))
  }
  const usable = followed.filter(({ level }) => level < ALL)
  if (usable.length === 0) return fromReference(likelihood, data, clean, clean)
  const best = usable.reduce((a, b) => (b.value > a.value ? b : a))
  const final = { maxIterations: options.maxIterations ?? 500, tolerance: options.tolerance ?? 1e-6 }
  const distinct = usable.filter((a, k) => usable.findIndex((b) => Math.abs(a.value - b.value) < SAME) === k)
  if (sample !== data) {
    return fromReference(likelihood, data, referenceFit(likelihood, data, best.params, final), clean)
  }
  // Models that explain the rows about as well are averaged: the best of many is the one that bends most to them.
  const averaged = averageOf(distinct)
  const params = likelihood.fit(data, averaged.weights, best.params)
  const model = referenceFit(likelihood, data, params, {
    maxIterations: 1,
    tolerance: 0,
    level: averaged.level,
  })
  return fromReference(
    likelihood,
    data,
    { ...best, ...model, params, value: best.value, converged: true },
    clean,
  )
}

/** Many starts are tried a little, the best of them more. */
const FIRST = { maxIterations: 5, tolerance: 1e-2 }
const FURTHER = { maxIterations: 200, tolerance: 1e-4 }
const FOLLOWED = 6
/** A model that has no good rows is none. */
const ALL = 0.999
const NONE = 0.001
const SHARPEN = { maxIterations: 30, tolerance: 1e-3 }
const HELD = [0.1, 0.3, 0.6]
/** Log-likelihoods nearer than this belong to one model. */
const SAME = 0.05
const SUBSETS = 30

function fromReference<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  model: ReferenceModel<P>,
  plain: ReferenceModel<P>,
): Fit<P> {
  const fitted = model.value > plain.value ? model : plain
  const centred = likelihood.centred?.(data, fitted.params) ?? { data, params: fitted.params }
  const freed = withoutOwnPull(likelihood, centred.data, { ...fitted, params: centred.params })
  const best = { ...fitted, level: freed.level, weights: freed.weights }
  const result = finished(likelihood, data, best.params, best)
  // A random label is right by chance in one of K rows: those are good rows.
  const K = likelihood.labels
  const share = K === undefined ? 1 : (K - 1) / K
  const clean = Float64Array.from(best.weights)
  if (K !== undefined)
    for (let i = 0; i < clean.length; i++) clean[i] += (1 - clean[i]) * Math.exp(-result.losses[i])
  const [low, high] = referenceInterval(likelihood, centred.data, { ...best, params: centred.params }, plain)
  const level = best.level < 0.5 / clean.length ? 0 : best.level
  const corruption: Corruption = {
    level: share * level,
    interval: [share * low, share * high],
    source: 'inferred',
  }
  return { ...result, clean, corruption, ...uncertainty(likelihood, data, best.params, best.weights) }
}
