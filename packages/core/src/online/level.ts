import { scratch } from '../kernels/scratch.js'
import type { StreamMethod } from './state.js'

/**
 * The E-step of a small batch. A few dozen rows say little on their level, so the history lends them some rows: the
 * mean weight m maximises  sum log(m e^-l + 1 - m) + b log m + a log(1 - m),  where a and b are bad and good rows lent.
 * It is concave, and with a, b > 0 its maximum lies inside, so that neither collapse nor saturation can happen.
 */

/** Rows that the history lends to a batch. */
const LENT = 20
/** Keeps a level off 0 and 1: this share, worth so many rows. */
const FLOOR = { level: 0.1, rows: 1 }
/** The history stands for at most so many rows. */
const MEMORY = 2000

/** The level's history, to be changed in place (see `StreamHistory`). */
export interface History {
  rows: number
  bad: number
  squares: number
  surprise: number
  surpriseSquares: number
}

const nothing: Readonly<History> = { rows: 0, bad: 0, squares: 0, surprise: 0, surpriseSquares: 0 }

/**
 * Before any row the calibrated method takes a quarter of the labels for random ones: a model that is told to expect
 * wrong labels becomes sharp enough to find them, and on good rows the level soon falls. It is worth 200 rows, and fades.
 */
export function firstHistory(method: StreamMethod): History {
  return method === 'calibrated' ? { ...nothing, rows: 200, bad: 50 } : { ...nothing }
}

/** The level of the recent past. */
export function usualLevel({ rows, bad }: Readonly<History>): number {
  return (bad + FLOOR.level * FLOOR.rows) / (rows + FLOOR.rows)
}

/** How far a batch is off the usual level as a rule. */
export function usualSpread({ rows, squares }: Readonly<History>): number {
  return Math.sqrt(squares / (rows + FLOOR.rows))
}

/** Takes a batch's level into the history, which fades as rows come in. */
export function remember(history: History, level: number, rows: number): void {
  const kept = MEMORY / (MEMORY + rows)
  history.squares = (history.squares + rows * (level - usualLevel(history)) ** 2) * kept
  history.bad = (history.bad + level * rows) * kept
  history.rows = (history.rows + rows) * kept
}

const ratioVector = scratch()

/**
 * Leaves P(good) in `out`, given losses less those of the reference, with `bad` and `good` rows lent; returns the level
 * epsilon = 1 - m. With none lent it is the exact E-step.
 */
export function lentEStep(losses: Float64Array, bad: number, good: number, out: Float64Array): number {
  const ratios = ratioVector(losses.length)
  for (let i = 0; i < ratios.length; i++) ratios[i] = Math.exp(-Math.max(-700, Math.min(700, losses[i])))
  return solveLevel(ratios, bad, good, out)
}

/** The same from the history, and from e^-l, which for labels is a probability already. */
export function pooledEStep(ratios: Float64Array, history: Readonly<History>, out: Float64Array): number {
  const usual = usualLevel(history)
  return solveLevel(ratios, LENT * usual, LENT * (1 - usual), out)
}

/** Newton's method inside a bracket: a handful of passes, where EM would take dozens. */
function solveLevel(ratios: Float64Array, bad: number, good: number, out: Float64Array): number {
  const n = ratios.length
  let low = 0
  let high = 1
  let e = (bad + 0.1 * n) / (bad + good + n)
  for (let pass = 0; pass < 100; pass++) {
    // The derivative in e times -1, and its slope. The rows' terms are (r - 1) / (r (1 - e) + e).
    let value = good / (1 - e) - bad / e
    let slope = good / ((1 - e) * (1 - e)) + bad / (e * e)
    for (let i = 0; i < n; i++) {
      const gap = ratios[i] - 1
      const d = gap / (1 + gap * (1 - e))
      value += d
      slope += d * d
    }
    if (value > 0) high = e
    else low = e
    let next = e - value / slope
    if (!(next > low && next < high)) next = (low + high) / 2
    const moved = Math.abs(next - e)
    e = next
    // Newton's error is squared by every step.
    if (moved <= 1e-7 * Math.min(e, 1 - e) || high - low < 1e-300) break
  }
  for (let i = 0; i < n; i++) {
    const share = ratios[i] * (1 - e)
    out[i] = share / (share + e)
  }
  return e
}
