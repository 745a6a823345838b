import { RlviError } from '../../errors.js'
import type { Continuous } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { rowVector } from '../../matrix.js'
import type { Fit } from '../../result.js'
import { allowedLaws, errorLaw } from '../laws/allowed.js'
import { fitGoodRows, isPlain, type Laws } from '../laws/good-rows.js'
import { lawErrors } from '../laws/law-errors.js'
import { momentsOf } from '../laws/moments.js'
import type { FitOptions } from '../shared/options.js'
import { REFINE_ROWS, SEARCH_ROWS, sampleRows } from '../shared/sample.js'
import { toFit } from '../shared/to-fit.js'
import { binnedEm } from './binned-em.js'
import { type BroadMixture, mlFit } from './em.js'
import { badLeverage, without } from './leverage.js'
import { canonicalOrder, inOrder } from './order.js'
import { searchContinuous } from './search.js'
import { MAX_DIMENSION } from '../laws/shells.js'

/**
 * `fit` for continuous rows: find the model on a broad reference, over all scales and from several starts, then estimate the
 * level from the distances of all rows.
 */
export function fitContinuous<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  options: FitOptions,
): Fit<P> {
  checkDimension(likelihood, data)
  const ml = mlFit(likelihood, data)
  if (ml.problem !== undefined) return degenerate(likelihood, data, ml)

  const laws = allowedLaws(likelihood, options.errors)
  const seed = options.seed ?? 0
  const sample = sampleRows(likelihood, data, seed, SEARCH_ROWS)
  if (sample === data) {
    const order = canonicalOrder(likelihood, data, ml)
    return inOrder(fitFewRows(likelihood, likelihood.take(data, order), laws, seed), order)
  }
  const found = searchContinuous(likelihood, without(likelihood, sample, badLeverage(likelihood, sample, seed)), seed)
  if (found.params.problem !== undefined) return degenerate(likelihood, data, found.params)
  // On many rows the answer is refined in steps: from a sample, a larger one, then all, each to well within its error.
  let model = found
  for (const part of [sampleRows(likelihood, data, seed + 1, REFINE_ROWS), data]) {
    model = binnedEm(likelihood, part, model, options.tolerance ?? 0.02 / Math.sqrt(likelihood.rows(part)))
    if (part === data || model.params.problem !== undefined) break
  }
  if (model.params.problem !== undefined) return degenerate(likelihood, data, model.params)
  return judgeRows(likelihood, data, ml, model, new Set(), laws)
}

/** The search on all rows. */
function fitFewRows<D, P extends Params>(likelihood: Continuous<D, P>, data: D, laws: Laws, seed: number): Fit<P> {
  const bad = badLeverage(likelihood, data, seed)
  const found = searchContinuous(likelihood, without(likelihood, data, bad), seed)
  if (found.params.problem !== undefined) return degenerate(likelihood, data, found.params)
  return judgeRows(likelihood, data, mlFit(likelihood, data), found, bad, laws, found)
}

function checkDimension<D, P extends Params>(likelihood: Continuous<D, P>, data: D): void {
  const dimension = likelihood.dimension(data)
  if (dimension < 1) {
    const todo = 'use fewer components'
    throw new RlviError('fit', 'rows must be able to lie off the model', likelihood.name, todo)
  }
  if (dimension > MAX_DIMENSION) {
    const rule = `distances in at most ${MAX_DIMENSION} dimensions can be compared`
    throw new RlviError('fit', rule, dimension, 'use fewer columns, or `paper`')
  }
}

/** Which rows are good and what law they follow, from a model that is nearly right; bad leverage points stay out. */
function judgeRows<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  ml: P,
  model: BroadMixture<P>,
  bad: ReadonlySet<number>,
  laws: Laws,
  broad?: BroadMixture<P>,
): Fit<P> {
  const rest = without(likelihood, data, bad)
  const judged = fitGoodRows(likelihood, rest, model.params, laws, broad)
  if (judged.params.problem !== undefined) return degenerate(likelihood, data, judged.params)
  const [law] = judged.laws
  const n = likelihood.rows(data)
  const share = (level: number): number => (bad.size + level * (n - bad.size)) / n
  const level = share(judged.level)
  const clean = rowVector(n)
  for (let i = 0, k = 0; i < n; i++) clean[i] = bad.has(i) ? 0 : judged.clean[k++]
  const plain = level === 0 && isPlain(law)
  const params = plain ? ml : likelihood.rescale(judged.params, momentsOf(law).spread)
  const trace = { converged: judged.converged, weights: clean, trace: model.trace }
  return {
    ...toFit(likelihood, data, params, trace),
    corruption: { level, interval: [share(judged.interval[0]), share(judged.interval[1])], source: 'inferred' },
    errors: errorLaw(law),
    ...lawErrors(likelihood, rest, judged.params, law, judged.clean),
  }
}

/** A model whose scale is 0 or whose columns depend on each other: rows on it are good, rows off it bad. */
function degenerate<D, P extends Params>(likelihood: Continuous<D, P>, data: D, params: P): Fit<P> {
  const weights = rowVector(likelihood.rows(data)).fill(1)
  const result = toFit(likelihood, data, params, { converged: true, weights, trace: [] })
  if (params.problem?.reason !== 'exact-fit') return result
  const squared = rowVector(result.clean.length)
  likelihood.squaredDistances(data, params, squared)
  // On an exact fit any distance beyond rounding is infinite in units of the scale.
  const clean = squared.map((d) => (d < 1e6 ? 1 : 0))
  const off = clean.reduce((sum, c) => sum + 1 - c, 0) / clean.length
  return { ...result, clean, corruption: { level: off, interval: undefined, source: 'inferred' } }
}
