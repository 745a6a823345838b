import type { EStepStatus } from '../inference/exact.js'
import type { PaperRule } from '../inference/paper.js'
import type { RowWeights } from './aggregates.js'
import type { LossPoints } from './loss-points.js'

/**
 * An E-step on the points that stand for all losses. The weights of the rows follow from one number:
 * pi = 1 / (1 + e^(l + logOdds)), with the odds of a bad row.
 */
export interface PointsEStep {
  readonly status: EStepStatus | undefined
  /** Undefined where the step ended at a boundary. */
  readonly logOdds: number | undefined
  /** Mean of the weights. */
  readonly mean: number
}

/** The paper's iteration (eq. 12), as `paperEStep` runs it. */
export function paperStep(points: LossPoints, rule: PaperRule): PointsEStep {
  const { losses, counts, rows, beyond } = points
  const weights = new Float64Array(losses.length).fill(rule.start)
  const growth = losses.map(Math.exp)
  let mean = rule.start
  let ratio = (1 - mean) / mean
  let outside = rule.start
  for (let k = 0; k < rule.cap; k++) {
    ratio = (1 - mean) / mean
    let sum = 0
    let moved = beyond * outside * outside
    outside = 0
    for (let i = 0; i < weights.length; i++) {
      const next = 1 / (1 + ratio * growth[i])
      const change = next - weights[i]
      weights[i] = next
      sum += counts[i] * next
      moved += counts[i] * change * change
    }
    mean = sum / rows
    if (Math.sqrt(Math.max(moved, 0)) < rule.tolerance) break
  }
  return { status: undefined, logOdds: Math.log(ratio), mean }
}

/** The exact E-step: see `exactEStep`. */
export function exactStep(points: LossPoints): PointsEStep & { readonly level: number } {
  const { losses, counts, beyond } = points
  const folded = losses.map((l) => (l >= 0 ? Math.expm1(-l) : -Math.expm1(l)))
  let [atZero, atOne] = [-beyond, beyond > 0 ? Number.NEGATIVE_INFINITY : 0]
  for (let i = 0; i < losses.length; i++) {
    atZero += counts[i] * Math.expm1(-losses[i])
    atOne -= counts[i] * Math.expm1(losses[i])
  }
  if (atZero === 0 && atOne === 0) return { status: 'undetermined', logOdds: undefined, mean: 1, level: 0 }
  if (atZero <= 0) return { status: 'collapse', logOdds: undefined, mean: 0, level: 1 }
  if (atOne >= 0) return { status: 'saturate', logOdds: undefined, mean: 1, level: 0 }
  // The smaller one of the mean and the level, so that no digits are lost at either end.
  const flip = scoreAt(folded, points, 0.5, false).value > 0
  const q = rootOf((at) => scoreAt(folded, points, at, flip))
  const [mean, level] = flip ? [1 - q, q] : [q, 1 - q]
  return { status: 'interior', logOdds: Math.log(level / mean), mean, level }
}

interface Score {
  readonly value: number
  readonly squares: number
  readonly cubes: number
}

/** See `score` in kernels/plain-estep.ts. A row beyond all points has a folded loss of -1. */
function scoreAt(folded: Float64Array, { counts, beyond }: LossPoints, q: number, flip: boolean): Score {
  const sign = flip ? -1 : 1
  let value = 0
  let squares = 0
  let cubes = 0
  const add = (f: number, count: number): void => {
    const term = f / (1 - Math.max(f, 0) + q * f)
    value += count * term
    squares += count * term * term
    cubes += count * term * term * term
  }
  for (let i = 0; i < folded.length; i++) add(sign * folded[i], counts[i])
  if (beyond > 0) add(-sign, beyond)
  return { value, squares, cubes }
}

const MOST_STEPS = 100

/** The root of a falling score between 0 and 1, by Halley's method within a bracket that shrinks. */
function rootOf(score: (q: number) => Score): number {
  let q = 0.25
  let [low, high] = [0, 1]
  for (let k = 0; k < MOST_STEPS; k++) {
    const s = score(q)
    if (s.value === 0) break
    if (s.value > 0) low = q
    else high = q
    const next = q + (s.value * s.squares) / (s.squares * s.squares - s.value * s.cubes)
    const within = next > low && next < high
    const step = Math.abs(next - q)
    q = within ? next : low > 0 ? Math.sqrt(low * high) : high / 16
    if (within && step <= 1e-14 * q) break
  }
  return q
}

/** Appendix D: at least so many rows count as good; see `constrain`. */
export function constrained(
  points: LossPoints,
  free: PointsEStep,
  goodRows: number,
): PointsEStep & { readonly active: boolean } {
  const { losses, counts, rows } = points
  if (free.mean * rows >= goodRows) return { ...free, active: false }
  // Odds at which no weight, and at which every weight, is below 1/2 by rounding.
  let [low, high] = [-points.most - 60, -points.least + 60]
  const at = (odds: number): { sum: number; slope: number } => {
    let sum = 0
    let slope = 0
    for (let i = 0; i < losses.length; i++) {
      const pi = 1 / (1 + Math.exp(losses[i] + odds))
      sum += counts[i] * pi
      slope += counts[i] * pi * (1 - pi)
    }
    return { sum, slope }
  }
  let odds = Math.min(high, Math.max(low, Math.log((rows - goodRows) / goodRows) - points.least))
  for (let k = 0; k < 200; k++) {
    const { sum, slope } = at(odds)
    const gap = sum - goodRows
    if (gap === 0) break
    if (gap > 0) low = odds
    else high = odds
    const newton = odds + gap / slope
    const within = newton > low && newton < high
    const next = within ? newton : (low + high) / 2
    const moved = Math.abs(next - odds)
    odds = next
    if (moved <= 1e-15 * Math.max(1, Math.abs(odds))) break
  }
  return { status: undefined, logOdds: odds, mean: goodRows / rows, active: true }
}

/** The bound (eq. 8) at the weights of a step; see `bound`. */
export function boundOf({ losses, counts, beyond }: LossPoints, { logOdds, mean }: PointsEStep): number {
  const [logMean, logLevel] = [logOf(mean), logOf(1 - mean)]
  let total = -beyond * logLevel
  for (let i = 0; i < losses.length; i++) {
    const l = losses[i]
    if (logOdds === undefined) {
      total += counts[i] * mean * l
      continue
    }
    const x = l + logOdds
    // Beside an exact fit a loss is infinite: its row is bad for certain.
    if (x === Number.POSITIVE_INFINITY) {
      total -= counts[i] * logLevel
      continue
    }
    const soft = Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))
    const pi = Math.exp(-soft)
    const rest = Math.exp(x - soft)
    total += counts[i] * (pi * (l - soft - logMean) + rest * (x - soft - logLevel))
  }
  return -total
}

/** Finite also for 0: there it is multiplied by 0. */
function logOf(x: number): number {
  return Math.log(Math.max(x, Number.MIN_VALUE))
}

/** The step's weights over the largest one; those too small for that are their own limit, e^-(l - least). */
export function scaledWeights<P>(
  params: P,
  { least }: LossPoints,
  { status, logOdds }: PointsEStep,
): RowWeights<P> {
  if (logOdds === undefined && status !== 'collapse') return { by: 'all' }
  // The largest weight is 1 / (1 + e^(least + logOdds)).
  const bend = logOdds === undefined ? 0 : Math.exp(-(least + logOdds))
  if (bend > 1e290) return { by: 'all' }
  const limit = bend < 1e-290
  return { by: 'losses', params, least, bend: limit ? 0 : bend, height: limit ? 1 : 1 + bend }
}

/** Mean of such weights over all rows. */
export function meanWeight<P>({ losses, counts, rows }: LossPoints, weights: RowWeights<P>): number {
  if (weights.by !== 'losses') return 1
  const { least, bend, height } = weights
  let sum = 0
  for (let i = 0; i < losses.length; i++) sum += (counts[i] * height) / (bend + Math.exp(losses[i] - least))
  return sum / rows
}
