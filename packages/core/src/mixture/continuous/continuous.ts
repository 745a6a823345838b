import { RlviError } from '../../errors.js'
import { type Continuous, isRegression } from '../../likelihoods/capabilities.js'
import { covariance } from '../../likelihoods/covariance.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { rowVector } from '../../matrix.js'
import type { Fit } from '../../result.js'
import { fitGoodRows, type Laws } from '../laws/good-rows.js'
import { MAX_LEVEL } from '../laws/masses.js'
import { MAX_DIMENSION } from '../laws/shells.js'
import type { FitOptions } from '../shared/options.js'
import { REFINE_ROWS, sampleRows, searchRows } from '../shared/sample.js'
import { standardErrorsOf } from '../shared/standard-errors.js'
import { toFit } from '../shared/to-fit.js'
import { allowForGap } from './beyond-a-gap.js'
import { binnedEm } from './binned-em.js'
import { cautionsOf } from './cautions.js'
import { hasColumns, isSupervised, lawsFor } from './columns.js'
import { copiesOf } from './copies.js'
import { allowForDoubtful } from './doubtful-leverage.js'
import { type BroadMixture, mlFit } from './em.js'
import { onModel } from './exact-rows.js'
import { allowForFewPerCoefficient } from './few-per-coefficient.js'
import { allowForFilledIn } from './filled-in.js'
import { allowForFurtherComponent } from './further-component.js'
import { allowForHalves } from './halves.js'
import { allowForGroup } from './hidden-group.js'
import { hasLaw, type Judged, judgeRows } from './judge-rows.js'
import { badLeverage, badLeverageOfAll, type Leverage, without } from './leverage.js'
import { groupCautions, type LeverageGroup } from './leverage-groups.js'
import { allowForSides } from './one-column.js'
import { canonicalOrder, inOrder, MOST_ORDERED, places } from './order.js'
import { ROUGH, searchContinuous } from './search.js'
import { secondOpinion } from './second-opinion.js'
import { allowForSkewness } from './skewed-columns.js'
import { ofSteps, spreadOverSteps } from './steps.js'
import { allowForTies, hasTies, inUnits, trustsTie } from './ties.js'
import { ofUnevenScatter } from './uneven-scatter.js'
import { ofUnmasked, unmaskedLeverage } from './unmasked-leverage.js'
import { withoutBadCaution } from './without-bad.js'
import { allowForWorstColumn } from './worst-column.js'

/**
 * `fit` for continuous rows: find the model on a broad reference, over all scales and from several starts, then estimate the
 * level from the distances of all rows.
 */
export function fitContinuous<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  options: FitOptions,
): Fit<P> {
  const found = fitOnce(likelihood, data, options)
  const caution = withoutBadCaution(likelihood, data, found, (rest) => fitOnce(likelihood, rest, options))
  return caution === undefined ? found : { ...found, cautions: [...(found.cautions ?? []), caution] }
}

function fitOnce<D, P extends Params>(likelihood: Continuous<D, P>, data: D, options: FitOptions): Fit<P> {
  checkDimension(likelihood, data)
  const ml = mlFit(likelihood, data)
  if (ml.problem !== undefined) return degenerate(likelihood, data, ml)

  const laws = lawsFor(likelihood, data, options.errors)
  const n = likelihood.rows(data)
  const few = n <= 2 * searchRows(likelihood.degreesOfFreedom(data))
  const copies = few ? copiesOf(data) : undefined
  if (copies !== undefined) {
    const one = fitOnce(likelihood, likelihood.take(data, copies.distinct), options)
    const message = `every row occurs ${copies.times} times; each was counted once`
    const cautions = [...(one.cautions ?? []), { about: 'copies' as const, message }]
    return { ...inOrder(one, copies.kind), cautions }
  }
  const search = few ? fitFewRows : fitManyRows
  const fit = (rows: D): Fit<P> => {
    if (n > MOST_ORDERED) return search(likelihood, rows, laws, options, ml)
    const order = canonicalOrder(likelihood, rows, ml)
    return inOrder(search(likelihood, likelihood.take(rows, order), laws, options, ml), places(order))
  }
  if (!isRegression(likelihood) || !isSupervised(data)) return fit(data)
  const spread = spreadOverSteps(data)
  if (spread === undefined) return fit(data)
  const found = fit({ ...data, y: spread.y })
  return found.errors === undefined ? fit(data) : ofSteps(likelihood, data, found, spread, options)
}

/** The search on a sample; the answer is refined in steps: on the sample, on a larger one, then on all, as their law has it. */
function fitManyRows<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  laws: Laws,
  options: FitOptions,
  ml: P,
): Fit<P> {
  const seed = options.seed ?? 0
  const sample = sampleRows(likelihood, data, seed, searchRows(likelihood.degreesOfFreedom(data)))
  const leverage = badLeverage(likelihood, sample, seed, laws, ROUGH)
  // A start for all rows: those of the sample that are far out need not have been in it.
  const found = leverage.found ?? searchContinuous(likelihood, sample, seed, ROUGH)
  const lost = (params: P): Fit<P> =>
    withCautions(
      likelihood,
      data,
      withoutLaw(likelihood, data, params),
      () => withoutLaw(likelihood, data, params),
      options,
    )
  if (found.params.problem !== undefined) return lost(found.params)
  const refined = (rows: D, from: BroadMixture<P>): BroadMixture<P> =>
    binnedEm(likelihood, rows, from, options.tolerance ?? 0.1 / Math.sqrt(likelihood.rows(rows)))
  const { bad, groups } = badLeverageOfAll(
    likelihood,
    data,
    leverage,
    (rest) => refined(sampleRows(likelihood, rest, seed + 1, REFINE_ROWS), found),
    laws,
  )
  const kept = without(likelihood, data, bad)
  const part = sampleRows(likelihood, kept, seed + 1, REFINE_ROWS)
  let model = refined(part, found)
  if (part !== kept && model.params.problem === undefined)
    model = { ...model, params: fitGoodRows(likelihood, part, model.params, laws).params }
  if (model.params.problem !== undefined) return lost(model.params)
  const first = told(judgeRows(likelihood, data, ml, model, bad, laws), groups)
  if (trustsTie(likelihood, data, first.fit.clean) || first.fit.status.kind === 'degenerate')
    return lost(first.fit.params)
  const judged = asColumns(likelihood, data, first, laws, seed)
  return withCautions(
    likelihood,
    data,
    judged,
    (other) => {
      const params = mlFit(likelihood, without(likelihood, other, bad))
      return judgeRows(likelihood, other, params, { ...model, params }, bad, laws)
    },
    options,
  )
}

/** With what is to be told of groups of bad leverage points, and of those that others hid. */
function told<P extends Params>(
  judged: Judged<P>,
  groups: readonly LeverageGroup[],
  unmasked: number = 0,
): Judged<P> {
  const cautions = [...groupCautions(groups), ...(unmasked > 0 ? [ofUnmasked(unmasked)] : [])]
  return cautions.length === 0 ? judged : { ...judged, cautions: [...(judged.cautions ?? []), ...cautions] }
}

/** What rows of columns leave open that a distance does not tell: skewness, sides, single columns, groups without a gap. */
function asColumns<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  judged: Judged<P>,
  laws: Laws,
  seed: number,
): Judged<P> {
  if (laws.bends === undefined || !hasLaw(judged) || !hasColumns(data))
    return allowForGroup(likelihood, data, judged)
  const skewed = allowForSkewness(likelihood, data, judged, laws, seed)
  const sides =
    data.x.cols === 1
      ? allowForSides(likelihood, data, skewed, laws, seed)
      : allowForWorstColumn(likelihood, data, skewed, seed)
  const allowed = allowForGroup(likelihood, data, sides)
  // Along a component good rows may lie far apart.
  return likelihood.dimension(data) < data.x.cols ? allowed : allowForGap(data.x, allowed)
}

/** The search on all rows. */
function fitFewRows<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  laws: Laws,
  options: FitOptions,
): Fit<P> {
  const seed = options.seed ?? 0
  const judgeBeside = (rows: D, leverage: Leverage<P>): { params: P; judged?: Judged<P> } => {
    const { bad, groups, unmasked, doubtful, beside } = leverage
    const found = beside ?? searchContinuous(likelihood, without(likelihood, rows, bad), seed)
    if (found.params.problem !== undefined) return { params: found.params }
    const judged = judgeRows(likelihood, rows, mlFit(likelihood, rows), found, bad, laws, found)
    if (judged.fit.status.kind === 'degenerate') return { params: judged.fit.params }
    return {
      params: judged.fit.params,
      judged: allowForDoubtful(told(judged, groups, unmasked), doubtful),
    }
  }
  const judge = (rows: D): Judged<P> => {
    const leverage = badLeverage(likelihood, rows, seed, laws)
    let { params, judged } = judgeBeside(rows, leverage)
    if (judged !== undefined) {
      const more = unmaskedLeverage(likelihood, rows, leverage, judged.fit.clean, seed, laws)
      if (more !== undefined) judged = judgeBeside(rows, more).judged ?? judged
      const allowed = asColumns(likelihood, rows, judged, laws, seed)
      if (!trustsTie(likelihood, rows, allowed.fit.clean)) return allowed
      params = judged.fit.params
    }
    return withoutLaw(likelihood, rows, params)
  }
  return withCautions(likelihood, data, judge(data), judge, options)
}

/** The fit with what speaks against it, and an interval that allows for that. */
function withCautions<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  judged: Judged<P>,
  judge: (data: D) => Judged<P>,
  options: FitOptions,
): Fit<P> {
  const { fit } = judged
  const y = isRegression(likelihood) ? inUnits(likelihood.responses(data), options.responseUnits) : undefined
  const opinion =
    likelihood.name === 'mean' && hasColumns(data)
      ? ofUnevenScatter(
          data.x,
          fit.clean,
          fit.corruption,
          (x) => fitContinuous(covariance(), { x }, options).corruption,
        )
      : secondOpinion(likelihood, data, judged, judge, y, lawsFor(likelihood, data, options.errors))
  const few = allowForFewPerCoefficient(likelihood, data, opinion)
  const further = hasColumns(data)
    ? allowForFurtherComponent(data.x, fit, few.corruption)
    : { cautions: [], corruption: few.corruption }
  const halves = allowForHalves(further.corruption)
  const filled = allowForFilledIn(likelihood, data, judged, halves.corruption)
  const cautions = [
    ...cautionsOf(likelihood, data, judged, y),
    ...few.cautions,
    ...further.cautions,
    ...halves.cautions,
    ...filled.cautions,
  ]
  const corruption = y === undefined ? filled.corruption : allowForTies(filled.corruption, y, fit.clean)
  return { ...fit, corruption, ...(cautions.length > 0 ? { cautions } : {}) }
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

/**
 * What is left where a search ends on rows that lie on their model, or on a tie. Maximum likelihood had no problem with all
 * rows: where responses repeat, what had one trusts little more than rows of one value.
 */
function withoutLaw<D, P extends Params>(likelihood: Continuous<D, P>, data: D, params: P): Judged<P> {
  const tied = hasTies(likelihood, data)
  const fit = tied ? withoutLevel(likelihood, data) : degenerate(likelihood, data, params)
  return { fit, evidence: Number.NEGATIVE_INFINITY, tied, curves: [] }
}

/** Rows of one value leave no scale by which others could be bad: maximum likelihood, and a level that nobody knows. */
function withoutLevel<D, P extends Params>(likelihood: Continuous<D, P>, data: D): Fit<P> {
  const params = mlFit(likelihood, data)
  const weights = rowVector(likelihood.rows(data)).fill(1)
  return {
    ...toFit(likelihood, data, params, { converged: true, weights, trace: [] }),
    corruption: { level: 0, interval: [0, MAX_LEVEL], source: 'inferred' },
    ...standardErrorsOf(likelihood, data, params, weights),
  }
}

/** A model whose scale is 0 or whose columns depend on each other: rows on it are good, rows off it bad. */
function degenerate<D, P extends Params>(likelihood: Continuous<D, P>, data: D, params: P): Fit<P> {
  const weights = rowVector(likelihood.rows(data)).fill(1)
  const result = toFit(likelihood, data, params, { converged: true, weights, trace: [] })
  if (params.problem?.reason !== 'exact-fit') return result
  const clean = onModel(likelihood, data, params)
  const off = clean.reduce((sum, c) => sum + 1 - c, 0) / clean.length
  return { ...result, clean, corruption: { level: off, interval: undefined, source: 'inferred' } }
}
