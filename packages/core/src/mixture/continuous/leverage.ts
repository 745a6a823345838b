import { type Continuous, isRegression, type Regression } from '../../likelihoods/capabilities.js'
import { covariance } from '../../likelihoods/covariance.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { factor, solve } from '../../linalg/cholesky.js'
import type { Matrix } from '../../matrix.js'
import { goodProbabilities } from '../laws/law-fit.js'
import { toOffsets } from '../laws/offsets.js'
import { candidates } from '../laws/select.js'
import { cStepStarts } from './c-steps.js'
import { medianScale } from './scale-path.js'
import { searchContinuous } from './search.js'
import { MAX_DIMENSION } from '../laws/shells.js'

/** Fewer rows than this per feature, and distances between features say nothing. */
const ROWS_PER_FEATURE = 3
/** A leverage point off by more than so many standard errors of its prediction is a bad one. */
const CUTOFF = 3

/** Bad leverage points, by the numbers of their rows. */
export function badLeverage<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  seed: number,
): ReadonlySet<number> {
  const none = new Set<number>()
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
  rows: ReadonlySet<number>,
): D {
  if (rows.size === 0) return data
  const kept = Array.from({ length: likelihood.rows(data) }, (_, i) => i).filter((i) => !rows.has(i))
  return likelihood.take(data, kept)
}

/**
 * Rows whose features lie far from those of the majority, by robust distances. They pull a fit towards themselves, so
 * that their residuals do not show whether they are right: no likelihood of the response given the features can say.
 */
function leveragePoints(x: Matrix, seed: number): Set<number> {
  const points = new Set<number>()
  if (x.rows < ROWS_PER_FEATURE * (x.cols + 1) || x.cols > MAX_DIMENSION) return points
  const cloud = covariance()
  const [tight] = cStepStarts(cloud, { x }, seed)
  if (tight === undefined) return points
  const squared = new Float64Array(x.rows)
  const scale = medianScale(cloud, { x }, tight, squared)
  for (let i = 0; i < squared.length; i++) squared[i] /= scale * scale
  const about = { dimension: x.cols, signed: false, degreesOfFreedom: 1 }
  const [law] = candidates(toOffsets(squared.map(Math.sqrt), about), ['normal'])
  const clean = goodProbabilities(law, squared.map(Math.sqrt))
  for (let i = 0; i < clean.length; i++) if (clean[i] < 0.5) points.add(i)
  return points
}

/**
 * The leverage points that contradict a model fitted to the rest: off by more than three standard errors of its
 * prediction for them, which grow with the distance. Those that agree are the most informative rows of all, and stay.
 */
function badLeveragePoints<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  rest: D,
  params: P,
  points: ReadonlySet<number>,
): Set<number> {
  const squared = new Float64Array(likelihood.rows(data))
  likelihood.squaredDistances(data, params, squared)
  const { cols, values } = likelihood.features(data)
  const information = likelihood.information(rest, params, new Float64Array(likelihood.rows(rest)).fill(1))
  const size = information.cols
  const f = factor(information.values, size)
  const logScale = likelihood.logScale(data, params)
  const bad = new Set<number>()
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
    if (squared[i] > CUTOFF ** 2 * total) bad.add(i)
  }
  return bad
}
