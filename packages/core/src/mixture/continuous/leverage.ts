import { type Continuous, isRegression, type Regression } from '../../likelihoods/capabilities.js'
import { type CovarianceParams, covariance } from '../../likelihoods/covariance.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { factor, solve } from '../../linalg/cholesky.js'
import { normalQuantile, studentQuantile } from '../../linalg/quantiles.js'
import { chooseLaw, isPlain, type Laws } from '../laws/good-rows.js'
import { scalesAt } from '../laws/growth.js'
import { reachOf } from '../laws/reach.js'
import { offsetsOf, predictions } from '../laws/row-offsets.js'
import { MAX_DIMENSION } from '../laws/shells.js'
import { cStepStarts } from './c-steps.js'
import { codesIn } from './codes.js'
import type { BroadMixture } from './em.js'
import { type Apart, apartBySide, groupsOff, type LeverageGroup } from './leverage-groups.js'
import { cloudFrom, type MajorityCloud, majorityCloud } from './majority-cloud.js'
import { mcdStarts } from './mcd-starts.js'
import { type Measures, measuresOf } from './measures.js'
import { searchContinuous } from './search.js'

/** Fewer rows than this for each coefficient, and it cannot be seen which features lie far from the others. */
export const ROWS_PER_COEFFICIENT = 3
/** From so many features on columns and random subsets are looked at too, for tables of at most so many rows times squared features. */
const MANY = 8
const CHEAP = 1e5
/** The chance that a good leverage point of all there are is called bad, and that one is in doubt. */
const MISTAKEN = 0.01
const IN_DOUBT = 0.05
/** Where more than this share of the rows lies outside, the others are no majority to judge them by. */
const MOST = 0.4

/** What is known of rows far out in the features. */
export interface Leverage<P> {
  /** Bad ones, by the numbers of their rows, with how many times farther off they are than a good one could be. */
  readonly bad: ReadonlyMap<number, number>
  /** Of these, what lies together. */
  readonly groups: readonly LeverageGroup[]
  /** How many of them other bad rows had hidden. */
  readonly unmasked?: number
  /** Others that a fit follows rather than the rest, and that chance hardly explains. */
  readonly doubtful?: readonly number[] | undefined
  /** The features of the majority, where any row is bad. */
  readonly majority?: CovarianceParams | undefined
  /** The model of the rows that are not far out, where some are. */
  readonly found?: BroadMixture<P>
  /** The same where it is the model of all rows but the bad ones: where no leverage point is good. */
  readonly beside?: BroadMixture<P> | undefined
}

const NONE: Leverage<never> = { bad: new Map(), groups: [] }

/** Bad leverage points of rows that are few enough to be searched. */
export function badLeverage<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  seed: number,
  laws: Laws,
  tolerance?: number,
): Leverage<P> {
  if (!isRegression(likelihood)) return NONE
  const { rows, cols } = likelihood.features(data)
  if (rows < ROWS_PER_COEFFICIENT * (cols + 1) || cols > MAX_DIMENSION) return NONE
  const measures = measuresOf(likelihood.features(data))
  const refined = (rest: D): BroadMixture<P> => searchContinuous(likelihood, rest, seed, tolerance)
  return contradicting(likelihood, data, measures, featureCloud(measures, seed), refined, laws)
}

/**
 * Groups of bad leverage points of all rows, where a sample has some; `refined` fits a model to the rows that are left. Of many
 * rows single ones hardly pull the fit: the law of all tells which of them are bad.
 */
export function badLeverageOfAll<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  { groups, majority }: Leverage<P>,
  refined: (rest: D) => BroadMixture<P>,
  laws: Laws,
): Leverage<P> {
  if (!isRegression(likelihood) || groups.length === 0) return NONE
  const measures = measuresOf(likelihood.features(data))
  // A column that has two values in the sample may have more in all rows.
  const same = majority?.mean.length === measures.x.cols
  const cloud = majority !== undefined && same ? cloudFrom(measures.x, majority) : undefined
  const all = contradicting(likelihood, data, measures, cloud, refined, laws)
  const together = new Set(all.groups.flatMap(({ rows }) => rows))
  return { ...all, bad: new Map([...all.bad].filter(([i]) => together.has(i))), beside: undefined }
}

/** The data without some of their rows. */
export function without<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  rows: { readonly size: number; has(row: number): boolean },
): D {
  if (rows.size === 0) return data
  const kept = Array.from({ length: likelihood.rows(data) }, (_, i) => i).filter((i) => !rows.has(i))
  return likelihood.take(data, kept)
}

/**
 * The cloud that the features of the majority form. Rows outside pull a fit towards themselves, so that their residuals do not
 * show whether they are right: no likelihood of the response given the features can say.
 */
function featureCloud({ x }: Measures, seed: number): MajorityCloud | undefined {
  if (x.cols === 0) return undefined
  if (x.cols < MANY || x.rows * x.cols ** 2 > CHEAP) return majorityCloud(x)
  // In many dimensions few directions show a cluster. Most are far out in one column; subsets of few rows may miss the others.
  const columns = Array.from({ length: x.cols }, (_, j) => x.values.filter((_, k) => k % x.cols === j))
  return majorityCloud(x, [
    ...mcdStarts(covariance(), { x }, columns),
    ...cStepStarts(covariance(), { x }, seed),
  ])
}

/** Rows outside the cloud, and those of values that look like codes; together where they lie together. */
function leveragePoints(
  measures: Measures,
  cloud: MajorityCloud | undefined,
): { readonly points: ReadonlySet<number>; readonly apart: readonly Apart[] } {
  const codes = codesIn(measures)
  const coded = new Set(codes.flatMap(({ rows }) => rows))
  const points = new Set(coded)
  cloud?.inside.forEach((inside, i) => {
    if (inside === 0) points.add(i)
  })
  const apart = cloud === undefined ? [] : apartBySide(measures, cloud, coded)
  return { points, apart: [...codes, ...apart] }
}

/**
 * The leverage points that contradict a model fitted to the rest: off by more standard errors of its prediction for them,
 * which grow with the distance, than one in a hundred sets of good ones would be, each by itself or as a group that lies apart.
 * Those that agree are the most informative rows of all, and stay.
 */
function contradicting<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  measures: Measures,
  cloud: MajorityCloud | undefined,
  refined: (rest: D) => BroadMixture<P>,
  laws: Laws,
): Leverage<P> {
  const { points, apart } = leveragePoints(measures, cloud)
  const features = likelihood.features(data)
  if (points.size === 0 || points.size > MOST * features.rows) return NONE
  const rest = without(likelihood, data, points)
  const found = refined(rest)
  const { params } = found
  if (params.problem !== undefined) return NONE
  const residuals = new Float64Array(features.rows)
  likelihood.residuals(data, params, residuals)
  const { cols, values } = features
  const information = likelihood.information(rest, params, new Float64Array(likelihood.rows(rest)).fill(1))
  const size = information.cols
  const f = factor(information.values, size)
  const square = Math.exp(2 * likelihood.logScale(data, params))
  const solved = new Float64Array(size)
  // The row of the design: the features, after a 1 for the intercept where there is one.
  const row = new Float64Array(size).fill(1)
  /** Of the prediction for some features, in units of the scale, as the residuals are. */
  const variance = (at: Float64Array): number => {
    row.set(at, size - cols)
    solved.set(row)
    solve(f, solved)
    let sum = 0
    for (let j = 0; j < size; j++) sum += row[j] * solved[j]
    return sum / square
  }
  const degrees = likelihood.rows(rest) - size
  const limit = studentQuantile(MISTAKEN / Math.max(1, apart.length), degrees)
  const groups = groupsOff(features, apart, points, residuals, variance, limit)
  const together = new Set(groups.flatMap(({ rows }) => rows))
  const off = new Map<number, number>()
  // Of a leverage above a half: a fit follows such a row rather than the rest.
  const decisive = new Set<number>()
  for (const i of points) {
    const own = variance(values.subarray(i * cols, (i + 1) * cols))
    off.set(i, residuals[i] / Math.sqrt(1 + own))
    if (own > 1) decisive.add(i)
  }
  const cutoff = studentQuantile(MISTAKEN / points.size, degrees)
  const odd = studentQuantile(IN_DOUBT / points.size, degrees)
  const none = [...off].every(([i, value]) => Math.abs(value) <= (decisive.has(i) ? odd : cutoff))
  if (none && together.size === 0) return { ...NONE, found }
  const reach = reachOfRest(likelihood, data, rest, params, residuals, points.size, cutoff, laws)
  const bad = new Map<number, number>()
  const doubtful: number[] = []
  for (const [i, value] of off) {
    const times = Math.abs(value) / reach(i, value)
    if (times > 1 || together.has(i)) bad.set(i, times)
    else if (times > odd / cutoff && decisive.has(i)) doubtful.push(i)
  }
  const majority = cloud && covariance().fit({ x: measures.x }, cloud.inside)
  return { bad, groups, majority, found, doubtful, beside: bad.size === points.size ? found : undefined }
}

/** How far a good one of so many leverage points may be off, by the law of the rest; of normal errors `cutoff`. */
function reachOfRest<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  rest: D,
  params: P,
  residuals: Float64Array,
  points: number,
  cutoff: number,
  laws: Laws,
): (row: number, off: number) => number {
  const [law] = chooseLaw(likelihood, rest, params, offsetsOf(likelihood, rest, params), laws)
  if (isPlain(law)) return () => cutoff
  const { below, above } = reachOf(law, MISTAKEN / points)
  // Few rows leave the scale uncertain, under any law.
  const wider = cutoff / normalQuantile(MISTAKEN / points)
  const scales = law.growth && scalesAt(law.growth, predictions(likelihood, data, params, residuals))
  return (row, off) => Math.max(cutoff, wider * (off > 0 ? above : below)) * (scales?.[row] ?? 1)
}
