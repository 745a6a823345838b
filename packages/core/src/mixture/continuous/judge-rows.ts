import { type Continuous, isRegression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { rowVector } from '../../matrix.js'
import type { Caution, Fit } from '../../result.js'
import { errorLaw } from '../laws/allowed.js'
import { badFromOf } from '../laws/bad-from.js'
import { type Curve, curves } from '../laws/curvature.js'
import { asEvidence } from '../laws/evidence.js'
import { fitGoodRows, isPlain, type Laws } from '../laws/good-rows.js'
import { areHeavy, beyondCauchy, underNormal } from '../laws/heavy-tails.js'
import { lawErrors } from '../laws/law-errors.js'
import { logMixture } from '../laws/log-mixture.js'
import { farShare, isMisfit, withoutShoulder } from '../laws/misfit.js'
import { momentsOf } from '../laws/moments.js'
import { offsetsOf } from '../laws/row-offsets.js'
import type { Candidate } from '../laws/select.js'
import { shareInterval, withShare } from '../laws/share-interval.js'
import { standardErrorsOf } from '../shared/standard-errors.js'
import { toFit } from '../shared/to-fit.js'
import type { BroadMixture } from './em.js'
import { without } from './leverage.js'

/** A fit, and what else is known of it. */
export interface Judged<P extends Params> {
  readonly fit: Fit<P>
  readonly law?: Candidate
  /** At the scale of the law's offsets. */
  readonly params?: P
  /** Log-likelihood of the rows, as far as they speak, less what all parameters cost. */
  readonly evidence: number
  /** Bad leverage points, which took no part. */
  readonly leverage?: ReadonlyMap<number, number>
  /** Whether no law fits the good rows. */
  readonly misfit?: boolean
  /** Whether their tails are as heavy as a law's may be. */
  readonly heavy?: boolean
  /** Whether the search ended on rows of one response. */
  readonly tied?: boolean
  /** Columns that the good rows' residuals bend against. */
  readonly curves: readonly Curve[]
  /** log density of each row per unit of the columns, where these were put on curves, and what the curves cost. */
  readonly onCurves?: { readonly rows: Float64Array; readonly cost: number }
  /** What else speaks against the fit. */
  readonly cautions?: readonly Caution[]
}

/** One whose rows follow a law. */
export type JudgedByLaw<P extends Params> = Judged<P> & { readonly law: Candidate }

export function hasLaw<P extends Params>(judged: Judged<P>): judged is JudgedByLaw<P> {
  return judged.law !== undefined
}

/** A leverage point so many times farther off than a good one could be is bad for certain. */
const CERTAIN = 1.5

/** Which rows are good and what law they follow, from a model that is nearly right; bad leverage points stay out. */
export function judgeRows<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  ml: P,
  model: BroadMixture<P>,
  bad: ReadonlyMap<number, number>,
  laws: Laws,
  broad?: BroadMixture<P>,
): Judged<P> {
  const rest = without(likelihood, data, bad)
  const judged = fitGoodRows(likelihood, rest, model.params, laws, broad)
  const n = likelihood.rows(data)
  const clean = rowVector(n)
  for (let i = 0, k = 0; i < n; i++) clean[i] = bad.has(i) ? 0 : judged.clean[k++]
  const trace = { converged: judged.converged, weights: clean, trace: model.trace }
  const [law] = judged.laws
  if (judged.params.problem !== undefined)
    return {
      fit: toFit(likelihood, data, judged.params, trace),
      evidence: Number.NEGATIVE_INFINITY,
      curves: [],
    }
  const level = (bad.size + judged.level * (n - bad.size)) / n
  const plain = level === 0 && isPlain(law)
  const params = plain ? ml : likelihood.rescale(judged.params, momentsOf(law).spread)
  const misfit = isMisfit(law, judged.offsets, judged.clean)
  const [low, high] = judged.interval
  // Rows that a better law would explain may not be bad; those far off would be under any.
  const heavy = areHeavy(judged.laws)
  const least = Math.min(
    misfit ? farShare(law) : 1,
    heavy ? beyondCauchy(judged.offsets) : 1,
    law.shape.skewed ? withoutShoulder(law) : 1,
  )
  const interval = [Math.min(low, least), heavy ? Math.max(high, underNormal(judged.laws)) : high] as const
  const certain = [...bad.values()].filter((times) => times > CERTAIN).length
  const fit: Fit<P> = {
    ...toFit(likelihood, data, params, trace),
    corruption: {
      level,
      interval: withLeverage(judged.level, interval, n, bad.size, certain),
      source: 'inferred',
    },
    errors: errorLaw(law),
    badFrom: badFromOf(likelihood, data, judged.params, law, {
      ...judged,
      leverage: farOut(likelihood, data, judged.params, law, bad),
    }),
    ...(plain
      ? standardErrorsOf(likelihood, data, ml, clean)
      : lawErrors(likelihood, rest, judged.params, law, judged.offsets, judged.clean)),
  }
  const logScale = likelihood.logScale(rest, judged.params)
  const rows = n - bad.size
  const evidence = law.evidence - asEvidence({ rows }, (rows - likelihood.degreesOfFreedom(data)) * logScale)
  return {
    fit,
    law,
    params: judged.params,
    leverage: bad,
    evidence,
    misfit,
    heavy,
    curves: isRegression(likelihood) ? curves(likelihood, data, judged.params, clean) : [],
  }
}

/** How far off bad leverage points lie, which took no part in the law. */
function farOut<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  params: P,
  { growth }: Candidate,
  bad: ReadonlyMap<number, number>,
): Float64Array {
  // Where the scatter follows the prediction, that of a row far out is anybody's guess.
  if (bad.size === 0 || growth !== undefined) return new Float64Array(0)
  return offsetsOf(likelihood, likelihood.take(data, Int32Array.from(bad.keys())), params)
}

/** The interval of the other rows' level, with that of the bad leverage points' share beside it. */
function withLeverage(
  level: number,
  interval: readonly [number, number],
  rows: number,
  bad: number,
  certain: number,
): readonly [number, number] {
  if (bad === 0) return interval
  const [from] = shareInterval(certain, rows)
  const [, to] = shareInterval(bad, rows)
  const [low, high] = withShare(level, interval, bad / rows, [from, to])
  return [certain === 0 && interval[0] === 0 ? 0 : low, high]
}

/** log density of each row under a fit, per unit of the columns. */
export function rowsOf<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  judged: Judged<P>,
): Float64Array {
  const { law, params } = judged as Required<Judged<P>>
  const logScale = likelihood.logScale(data, params)
  return logMixture(law, offsetsOf(likelihood, data, params)).map((log) => log - logScale)
}
