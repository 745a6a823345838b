import { exactEStep } from '../../../inference/exact.js'
import type { Discrete, Prior } from '../../../likelihoods/capabilities.js'
import type { Params } from '../../../likelihoods/likelihood.js'
import { fitReferenceMixture } from '../em.js'
import { sampleByLoss } from '../sample-by-loss.js'
import { admittedLoss, type Level } from './level.js'

const FOLDS = 3
/** Priors to choose from, and on how many rows. */
const STRENGTHS = [0.3, 3, 30, 300]
const CHOICE_ROWS = 3000
const ROUGH = { maxIterations: 4, tolerance: 0.5 }
const ONWARDS = { maxIterations: 2, tolerance: 0.5 }
/** Factors of the linear predictor: a fit to few rows for each coefficient is too soft, or too sharp, by one of them. */
const SHARPNESS = [0.4, 0.55, 0.7, 0.85, 1, 1.2, 1.45, 1.75, 2.2, 3, 4.5]
export interface OutOfFold<D, P extends Params> extends Level {
  /** The model with the prior that predicts best. */
  readonly likelihood: Discrete<D, P>
  /** P(a label is not random), and its loss, by a fit without its row. */
  readonly weights: Float64Array
  readonly losses: Float64Array
  readonly start: P
}

/**
 * The level by cross-fitting, for so many parameters that no matrix of them can be had: each third of the rows is judged
 * by a fit to the others, under the prior whose predictions of rows that it has not seen are best.
 */
export function outOfFold<D, P extends Params>(
  prior: Prior<D, P>,
  base: Discrete<D, P>,
  data: D,
  parametersPerRow: number,
): OutOfFold<D, P> {
  const rough = prior.strengthened(data, STRENGTHS[2], 'replaced')
  let start = rough.fit(data)
  const few = sampleByLoss(base, data, start, CHOICE_ROWS)
  const fold = foldsOf(base, few, start)
  let best = { value: Number.NEGATIVE_INFINITY, strength: STRENGTHS[0] }
  for (const strength of STRENGTHS) {
    const likelihood = prior.strengthened(few, strength, 'replaced')
    const { train, held } = split(likelihood, few, fold, 0)
    const model = fitReferenceMixture(likelihood, train, likelihood.fit(train, undefined, start), ROUGH)
    const ratios = ratiosOf(likelihood, held, model.params)
    const value = valueAt(ratios, exactEStep(ratios).level)
    if (value > best.value) best = { value, strength }
  }
  const likelihood = prior.strengthened(data, best.strength, 'replaced')
  const folds = Array.from({ length: FOLDS }, (_, k) =>
    split(likelihood, data, foldsOf(base, data, start), k),
  )
  start = likelihood.fit(data, undefined, start)
  let models = folds.map(({ train }) => fitReferenceMixture(likelihood, train, start, ROUGH).params)
  let judged = judge(likelihood, folds, models, admittedLoss(parametersPerRow))
  // First with levels of their own, then with that of all rows.
  const level = Math.min(judged.level, 0.95)
  models = folds.map(
    ({ train }, k) => fitReferenceMixture(likelihood, train, models[k], { ...ONWARDS, level }).params,
  )
  judged = judge(likelihood, folds, models, admittedLoss(parametersPerRow))
  return { ...judged, likelihood: prior.strengthened(data, best.strength, 'kept'), start }
}

interface Fold<D> {
  readonly rows: readonly number[]
  readonly held: D
  readonly train: D
}

/**
 * Level, interval and P(not random) by what models say of rows that they have not seen, at the sharpness that predicts those
 * best: predictions that are too soft would take wrong labels for probable ones. The interval is of all sharpnesses.
 */
function judge<D, P extends Params>(
  likelihood: Discrete<D, P>,
  folds: readonly Fold<D>[],
  models: readonly P[],
  admitted: number,
): Level & Pick<OutOfFold<D, P>, 'weights' | 'losses'> {
  const n = folds.reduce((sum, { rows }) => sum + rows.length, 0)
  const tried = SHARPNESS.map((factor) => {
    const losses = new Float64Array(n)
    const ratios = new Float64Array(n)
    folds.forEach(({ rows, held }, k) => {
      const params = sharpened(likelihood, models[k], factor)
      const own = new Float64Array(rows.length)
      const references = new Float64Array(rows.length)
      likelihood.losses(held, params, own)
      likelihood.reference(held, params, references)
      rows.forEach((row, at) => {
        losses[row] = own[at]
        ratios[row] = own[at] - references[at]
      })
    })
    const level = Math.min(exactEStep(ratios).level, 0.95)
    return { losses, ratios, level, value: valueAt(ratios, level) }
  })
  const best = tried.reduce((a, b) => (b.value > a.value ? b : a))
  const wanted = best.value - admitted
  const intervals = tried
    .filter(({ value }) => value >= wanted)
    .map(({ ratios, level }) => intervalOf(ratios, level, wanted))
  const { level, losses } = best
  const weights = best.ratios.map((ratio) =>
    level === 0 ? 1 : 1 / (1 + (level / (1 - level)) * Math.exp(ratio)),
  )
  const interval = [
    Math.min(...intervals.map(([low]) => low)),
    Math.max(...intervals.map(([, high]) => high)),
  ] as const
  return { level, interval, weights, losses }
}

/** The model with a linear predictor so many times as large. */
function sharpened<D, P extends Params>(likelihood: Discrete<D, P>, params: P, factor: number): P {
  if (factor === 1) return params
  return likelihood.unflatten(likelihood.vector(params).map((v) => factor * v)) as unknown as P
}

/** Every third row by its loss in a fit: folds that no order of rows changes. */
function foldsOf<D, P extends Params>(likelihood: Discrete<D, P>, data: D, params: P): Uint8Array {
  const losses = new Float64Array(likelihood.rows(data))
  likelihood.losses(data, params, losses)
  const order = Uint32Array.from(losses.keys()).sort((a, b) => losses[a] - losses[b])
  const fold = new Uint8Array(losses.length)
  order.forEach((row, rank) => {
    fold[row] = rank % FOLDS
  })
  return fold
}

function split<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  fold: Uint8Array,
  k: number,
): Fold<D> {
  const all = Array.from(fold.keys())
  const rows = all.filter((i) => fold[i] === k)
  const others = all.filter((i) => fold[i] !== k)
  return { rows, held: likelihood.take(data, rows), train: likelihood.take(data, others) }
}

/** -log(p / q) of each row. */
function ratiosOf<D, P extends Params>(likelihood: Discrete<D, P>, data: D, params: P): Float64Array {
  const losses = new Float64Array(likelihood.rows(data))
  const references = new Float64Array(losses.length)
  likelihood.losses(data, params, losses)
  likelihood.reference(data, params, references)
  return losses.map((loss, i) => loss - references[i])
}

/** Log-likelihood of a level, over that of "all random". */
function valueAt(ratios: Float64Array, level: number): number {
  return ratios.reduce((sum, ratio) => sum + Math.log((1 - level) * Math.exp(-ratio) + level + 1e-300), 0)
}

function intervalOf(ratios: Float64Array, level: number, wanted: number): readonly [number, number] {
  const edge = (outside: number): number => {
    if (valueAt(ratios, outside) >= wanted) return outside
    let [yes, no] = [level, outside]
    while (Math.abs(yes - no) > 1e-6) {
      const middle = (yes + no) / 2
      if (valueAt(ratios, middle) >= wanted) yes = middle
      else no = middle
    }
    return yes
  }
  return [edge(0), edge(1)]
}
