import { covariance } from '../../likelihoods/covariance.js'
import type { Likelihood, Params } from '../../likelihoods/likelihood.js'
import { factor, solve } from '../../linalg/cholesky.js'
import type { Matrix } from '../../matrix.js'
import { cStepStarts } from './c-steps.js'
import { estimateLevel } from './level.js'
import { medianScale } from './scale-path.js'

/** Fewer rows than this per feature, and distances between features tell nothing. */
const ROWS_PER_FEATURE = 5
/** A row off by more than so many standard errors of its prediction contradicts the model. */
const CUTOFF = 3

/**
 * Rows whose features lie far from those of the majority, by robust distances. They pull a fit towards themselves, so
 * that their residuals do not show whether they are right: no likelihood of the response given the features can tell.
 */
export function leveragePoints(x: Matrix, seed: number): Set<number> {
  const far = new Set<number>()
  if (x.rows < ROWS_PER_FEATURE * (x.cols + 1)) return far
  const cloud = covariance()
  const [tight] = cStepStarts(cloud, { x }, seed)
  if (tight === undefined) return far
  const squared = new Float64Array(x.rows)
  const scale = medianScale(cloud.spread!, { x }, tight, squared)
  for (let i = 0; i < squared.length; i++) squared[i] /= scale * scale
  const { clean } = estimateLevel(squared, x.cols, 1)
  for (let i = 0; i < clean.length; i++) if (clean[i] < 0.5) far.add(i)
  return far
}

/**
 * Those of the far rows that contradict a model fitted without them: off by more than three standard errors of its
 * prediction for them, which grow with the distance. Far rows that agree are the most informative of all, and stay.
 */
export function badLeveragePoints<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  near: D,
  params: P,
  far: ReadonlySet<number>,
): Set<number> {
  const squared = new Float64Array(likelihood.rows(data))
  likelihood.spread!.squaredDistances(data, params, squared)
  const { cols, values } = likelihood.features!(data)
  const information = likelihood.information!(near, params, new Float64Array(likelihood.rows(near)).fill(1))
  const size = Math.round(Math.sqrt(information.length))
  const f = factor(information, size)
  const scale = likelihood.spread!.logScale(data, params)
  const out = new Set<number>()
  const row = new Float64Array(size)
  const solved = new Float64Array(size)
  for (const i of far) {
    // The row of the design: the features, after a 1 for the intercept where there is one.
    row.fill(1)
    row.set(values.subarray(i * cols, (i + 1) * cols), size - cols)
    solved.set(row)
    solve(f, solved)
    let variance = 0
    for (let j = 0; j < size; j++) variance += row[j] * solved[j]
    // In units of the scale, as the distances are.
    const total = 1 + variance / Math.exp(2 * scale)
    if (squared[i] > CUTOFF ** 2 * total) out.add(i)
  }
  return out
}
