import { type Continuous, isRegression, type Regression } from '../../likelihoods/capabilities.js'
import { covariance } from '../../likelihoods/covariance.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { factor, solve } from '../../linalg/cholesky.js'
import { studentQuantile } from '../../linalg/quantiles.js'
import type { Matrix } from '../../matrix.js'
import { MAX_DIMENSION } from '../laws/shells.js'
import { cStepStarts } from './c-steps.js'
import { majorityCloud } from './majority-cloud.js'
import { searchContinuous } from './search.js'

/** Fewer rows than this for each coefficient, and it cannot be seen which features lie far from the others. */
export const ROWS_PER_COEFFICIENT = 3
/** From so many features on random subsets are looked at too, for tables of at most so many rows times squared features. */
const MANY = 8
const CHEAP = 1e5
/** The chance that a good leverage point of all there are is called bad. */
const MISTAKEN = 0.01

/** Bad leverage points, by the numbers of their rows, with how many times farther off they are than a good one could be. */
export function badLeverage<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  seed: number,
): ReadonlyMap<number, number> {
  const none = new Map<number, number>()
  if (!isRegression(likelihood)) return none
  const leverage = leveragePoints(likelihood.features(data), seed)
  if (leverage.size === 0) return none
  const rest = without(likelihood, data, leverage)
  const { params } = searchContinuous(likelihood, rest, seed)
  if (params.problem !== undefined) return none
  return badLeveragePoints(likelihood, data, rest, params, leverage)
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
 * Rows whose features lie far from those of the majority. They pull a fit towards themselves, so that their residuals do not
 * show whether they are right: no likelihood of the response given the features can say.
 */
function leveragePoints(x: Matrix, seed: number): Set<number> {
  const points = new Set<number>()
  if (x.rows < ROWS_PER_COEFFICIENT * (x.cols + 1) || x.cols > MAX_DIMENSION) return points
  // In many dimensions few directions show a cluster; subsets of few rows, where they cost little, may miss it.
  const more = x.cols >= MANY && x.rows * x.cols ** 2 <= CHEAP ? cStepStarts(covariance(), { x }, seed) : []
  const inside = majorityCloud(x, more)?.inside
  if (inside === undefined) return points
  for (let i = 0; i < inside.length; i++) if (inside[i] === 0) points.add(i)
  return points
}

/**
 * The leverage points that contradict a model fitted to the rest: off by more standard errors of its prediction for them,
 * which grow with the distance, than one in a hundred sets of good ones would be. Those that agree are the most informative rows of all, and stay.
 */
function badLeveragePoints<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  rest: D,
  params: P,
  points: ReadonlySet<number>,
): Map<number, number> {
  const squared = new Float64Array(likelihood.rows(data))
  likelihood.squaredDistances(data, params, squared)
  const { cols, values } = likelihood.features(data)
  const information = likelihood.information(rest, params, new Float64Array(likelihood.rows(rest)).fill(1))
  const size = information.cols
  const f = factor(information.values, size)
  const logScale = likelihood.logScale(data, params)
  const cutoff = studentQuantile(MISTAKEN / points.size, likelihood.rows(rest) - size)
  const bad = new Map<number, number>()
  const row = new Float64Array(size)
  const solved = new Float64Array(size)
  for (const i of points) {
    // The row of the design: the features, after a 1 for the intercept where there is one.
    row.fill(1)
    row.set(values.subarray(i * cols, (i + 1) * cols), size - cols)
    solved.set(row)
    solve(f, solved)
    let variance = 0
    for (let j = 0; j < size; j++) variance += row[j] * solved[j]
    // In units of the scale, as the distances are.
    const total = 1 + variance / Math.exp(2 * logScale)
    if (squared[i] > cutoff ** 2 * total) bad.set(i, Math.sqrt(squared[i] / total) / cutoff)
  }
  return bad
}
