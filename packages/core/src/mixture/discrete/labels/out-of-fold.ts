import { exactEStep } from '../../../inference/exact.js'
import type { Discrete, Prior } from '../../../likelihoods/capabilities.js'
import type { Params } from '../../../likelihoods/likelihood.js'
import { fitReferenceMixture } from '../em.js'
import { sampleByLoss } from '../sample-by-loss.js'
import { FOLDS, type Fold, foldsOf, intervalOf, SHARPNESS, sharpened, split, union } from './folds.js'
import type { Classed } from './labelled.js'
import { admittedLoss, type Level } from './level.js'
import { type HabitsOutOfFold, habitsOutOfFold } from './out-of-fold-habits.js'
import { vanishes } from './vanishing-class.js'

/** Priors to choose from, and on how many rows. */
const STRENGTHS = [0.3, 3, 30, 300]
const CHOICE_ROWS = 3000
const ROUGH = { maxIterations: 4, tolerance: 0.5 }
const ONWARDS = { maxIterations: 2, tolerance: 0.5 }

export interface OutOfFold<D, P extends Params> extends Level {
  /** The model with the prior that predicts best. */
  readonly likelihood: Discrete<D, P>
  /** P(a label is not random), and its loss, by a fit without its row. */
  readonly weights: Float64Array
  readonly losses: Float64Array
  readonly start: P
  /** Where labels clearly go wrong by habit. */
  readonly habits?: HabitsOutOfFold
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
  const { sharpness, ...found } = judged
  const uniform = { ...found, likelihood: prior.strengthened(data, best.strength, 'kept'), start }
  if (base.classes === undefined) return uniform
  const classed = likelihood as Classed<D, P>
  const habits = habitsOutOfFold(classed, data, folds, models, sharpness, parametersPerRow)
  if (habits === undefined || vanishes(classed, data, habits.posterior)) return uniform
  if (!habits.clear) return { ...uniform, interval: union([uniform.interval, habits.interval]) }
  const { level: ofHabits, interval } = habits
  return { ...uniform, level: ofHabits, interval, habits }
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
): Level & Pick<OutOfFold<D, P>, 'weights' | 'losses'> & { readonly sharpness: number } {
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
    return { sharpness: factor, losses, ratios, level, value: valueAt(ratios, level) }
  })
  const best = tried.reduce((a, b) => (b.value > a.value ? b : a))
  const wanted = best.value - admitted
  const intervals = tried
    .filter(({ value }) => value >= wanted)
    .map(({ ratios, level }) => intervalOf((at) => valueAt(ratios, at), level, wanted))
  const { level, losses, sharpness } = best
  const weights = best.ratios.map((ratio) =>
    level === 0 ? 1 : 1 / (1 + (level / (1 - level)) * Math.exp(ratio)),
  )
  return { level, interval: union(intervals), weights, losses, sharpness }
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
