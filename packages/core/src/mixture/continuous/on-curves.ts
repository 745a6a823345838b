import type { Continuous } from '../../likelihoods/capabilities.js'
import type { Params, Unsupervised } from '../../likelihoods/likelihood.js'
import { columnOf, type Matrix, matrix, takeRows } from '../../matrix.js'
import { pickRows, rowPicker } from '../../random/pick-rows.js'
import { type Bend, bent, bestBend, logSlope } from '../laws/bend.js'
import { asEvidence } from '../laws/evidence.js'
import type { Laws } from '../laws/good-rows.js'
import { areFew, REFINE_ROWS } from '../shared/sample.js'
import { binnedEm } from './binned-em.js'
import { type BroadMixture, fitBroadMixture, mlFit, startFrom, unbiasedScale } from './em.js'
import { hasLaw, type Judged, type JudgedByLaw, judgeRows, rowsOf } from './judge-rows.js'
import { unlessStretched } from './majority-cloud.js'

/** So often curves and good rows may take turns, until no curve's g moves by more. */
const ROUNDS = 6
const STILL = 0.01
const EM = { maxIterations: 50, tolerance: 1e-3 }
/** By so much more than its cost must a column gain by its curve: one of many columns does by chance. */
const CLEARLY = 3
const PERHAPS = 1
/** Curves of many rows are found on about so many. */
const PART = 1200
/** Mean change of P(good) at which many rows stand still, times the square root of their number. */
const MANY_TOLERANCE = 0.02

/** Where a curve makes no more than this share of the rows good again, it reaches no cluster. */
const REGAINED = 0.01

export type Bends = readonly (Bend | undefined)[]

/** What the rows are like with their columns on curves, or as they are. */
export interface View<P extends Params> {
  readonly judged: JudgedByLaw<P>
  readonly bends: Bends
  readonly model: BroadMixture<P>
  /** log density of each row, good or bad, per unit of the columns as they are. */
  readonly rows: Float64Array
  /** Their sum, less what all parameters cost. */
  readonly evidence: number
}

/** The rows with skewed columns on curves of one kind: curves by good rows and good rows by curves, until they agree. */
export function viewOf<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D & Unsupervised,
  clean: Float64Array,
  laws: Laws,
  power: number,
  seed: number,
): View<P> | undefined {
  const n = data.x.rows
  const part = partOf(data, clean, areFew(likelihood, data) ? n : PART, seed)
  const least = laws.bends === 'must' ? 0 : 0.5 * Math.log(n) + CLEARLY
  let { weights } = part
  let bends: Bends = []
  let model: BroadMixture<P> | undefined
  for (let round = 1; round <= ROUNDS; round++) {
    const before = bends
    // At first good rows may be those without their tail, and hardly skewed.
    bends = bendsOf(part.data.x, weights, power, round === 1 ? Math.min(least, PERHAPS) : least, before)
    if (bends.every((bend) => bend === undefined)) return undefined
    model = broadModel(likelihood, { ...part.data, x: onCurves(part.data.x, bends) }, weights)
    if (model === undefined) return undefined
    weights = model.weights
    const moved = (bend: Bend | undefined, j: number): number =>
      Math.abs((bend?.g ?? 0) - (before[j]?.g ?? 0))
    if (bends.every((bend, j) => moved(bend, j) < STILL)) break
  }
  if (model === undefined) return undefined
  if (part.data !== data) {
    // The curves of a part serve for all rows once these have had their say.
    const there = { ...data, x: onCurves(data.x, bends) }
    const first = binnedEm(likelihood, there, model, MANY_TOLERANCE)
    const more = partOf(data, first.weights, REFINE_ROWS, seed)
    bends = bendsOf(more.data.x, more.weights, power, least, bends)
    if (bends.every((bend) => bend === undefined)) return undefined
    model = binnedEm(
      likelihood,
      { ...data, x: onCurves(data.x, bends) },
      first,
      MANY_TOLERANCE / Math.sqrt(n),
    )
  }
  return judgedOn(likelihood, data, bends, model, laws)
}

/** The rows judged with their columns on curves, from a model there. */
function judgedOn<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D & Unsupervised,
  bends: Bends,
  model: BroadMixture<P>,
  laws: Laws,
): View<P> | undefined {
  if (model.params.problem !== undefined) return undefined
  const { rows: n, cols, values } = data.x
  const there = { ...data, x: onCurves(data.x, bends) }
  const broad = areFew(likelihood, data) ? model : undefined
  const judged = judgeRows(likelihood, there, mlFit(likelihood, there), model, new Map(), laws, broad)
  if (!hasLaw(judged)) return undefined
  const rows = rowsOf(likelihood, there, judged)
  let evidence = judged.evidence
  for (const [j, bend] of bends.entries()) {
    if (bend === undefined) continue
    evidence -= 0.5 * Math.log(n)
    for (let i = 0; i < n; i++) {
      const slope = logSlope(bend, values[i * cols + j])
      rows[i] += slope
      evidence += asEvidence({ rows: n }, slope)
    }
  }
  return { judged, bends, model, rows, evidence }
}

/**
 * Good rows on curves reach farther. A cluster of bad rows that they reach by it alone is found as among columns as they are:
 * by the cloud of the majority.
 */
export function unlessReaching<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D & Unsupervised,
  view: View<P>,
  before: Judged<P>,
  laws: Laws,
): View<P> {
  const regained = (before.fit.corruption.level ?? 0) - (view.judged.fit.corruption.level ?? 0)
  if (!areFew(likelihood, data) || regained <= REGAINED) return view
  const there = { ...data, x: onCurves(data.x, view.bends) }
  const model = unlessStretched(likelihood, there, view.model)
  if (model === view.model) return view
  return judgedOn(likelihood, data, view.bends, model, laws) ?? view
}

/** About so many of the rows, or all where they are not many more, with their weights. */
function partOf<D>(
  data: D & Unsupervised,
  weights: Float64Array,
  count: number,
  seed: number,
): { readonly data: D & Unsupervised; readonly weights: Float64Array } {
  const n = data.x.rows
  if (n <= 2 * count) return { data, weights }
  const rows = pickRows(rowPicker('curves', seed), n, count).sort()
  return { data: { ...data, x: takeRows(data.x, rows) }, weights: Float64Array.from(rows, (i) => weights[i]) }
}

/** The model of good rows by given weights, settled among bad rows of the broad reference. */
function broadModel<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D & Unsupervised,
  weights: Float64Array,
): BroadMixture<P> | undefined {
  const first = likelihood.fit(data, weights)
  if (first.problem !== undefined) return undefined
  const good = weights.reduce((sum, w) => sum + w, 0)
  const start = startFrom(unbiasedScale(likelihood, data, first, good))
  const n = data.x.rows
  const model = areFew(likelihood, data)
    ? fitBroadMixture(likelihood, data, start, EM)
    : binnedEm(
        likelihood,
        data,
        { ...start, weights, value: 0, converged: false, trace: [] },
        MANY_TOLERANCE / Math.sqrt(n),
      )
  return model.params.problem === undefined ? { ...model, converged: true } : undefined
}

function bendsOf(x: Matrix, weights: Float64Array, power: number, least: number, near: Bends): Bends {
  return Array.from({ length: x.cols }, (_, j) => {
    const best = bestBend(columnOf(x, j), weights, power, near[j]?.g)
    return best !== undefined && best.gain > least ? best.bend : undefined
  })
}

function onCurves({ rows, cols, values }: Matrix, bends: Bends): Matrix {
  const onCurve = values.map((value, k) => {
    const bend = bends[k % cols]
    return bend === undefined ? value : bent(bend, value)
  })
  return matrix(rows, cols, onCurve)
}

/** Which columns are on curves. */
export const columnsOf = (bends: Bends): number[] =>
  bends.flatMap((bend, j) => (bend === undefined ? [] : [j]))
