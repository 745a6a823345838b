import * as plain from './plain-estep.js'
import { run, worthwhile } from './run.js'
import { MAX_BLOCK_ROWS, type RowArray, SPARE_ROWS } from './task.js'

/** The passes of the E-step: plain loops for short arrays, SIMD on all cores for long ones. */

const read = (values: Float64Array): RowArray => ({ values, cols: 1, use: 'read' })
const write = (values: Float64Array): RowArray => ({ values, cols: 1, use: 'write' })
const update = (values: Float64Array): RowArray => ({ values, cols: 1, use: 'update' })

export interface FoldedScore {
  readonly ends: plain.Ends
  readonly score: plain.Score
}

/** Folds the losses at 0 (see the plain loop), and takes the score at q on the way, which saves a pass. */
export function foldLosses(
  losses: Float64Array,
  decay: Float64Array,
  folded: Float64Array,
  q: number,
  flip: boolean,
): FoldedScore {
  const n = losses.length
  if (!worthwhile(n)) {
    const ends = plain.foldLosses(losses, decay, folded)
    return { ends, score: plain.score(folded, q, flip) }
  }
  const arrays = [read(losses), write(decay), write(folded)]
  const [value, squares, cubes, atZero, atOne, checksum] = run('fold', n, arrays, [q, flip ? -1 : 1], 6)
  return { ends: { atZero, atOne, checksum }, score: { value, squares, cubes } }
}

/** The score S at mean weight q, or with `flip` that of the mirrored problem. */
export function score(folded: Float64Array, q: number, flip: boolean): plain.Score {
  if (!worthwhile(folded.length)) return plain.score(folded, q, flip)
  const [value, squares, cubes] = run('score', folded.length, [read(folded)], [q, flip ? -1 : 1], 3)
  return { value, squares, cubes }
}

/** The weights at a given mean, from e^-|l| in `out` and the sign of l in `folded`. */
export function posterior(out: Float64Array, folded: Float64Array, mean: number, level: number): void {
  if (!worthwhile(out.length)) plain.posterior(out, folded, mean, level)
  else run('posterior', out.length, [update(out), read(folded)], [mean, level], 0)
}

/** out = e^(factor (l - shift)) */
export function exponentials(losses: Float64Array, factor: number, shift: number, out: Float64Array): void {
  if (!worthwhile(losses.length)) plain.exponentials(losses, factor, shift, out)
  else {
    const scratch = MAX_BLOCK_ROWS + SPARE_ROWS
    run('expAll', losses.length, [read(losses), write(out)], [factor, shift], 0, scratch)
  }
}

/** One pass of the paper's iteration (eq. 12), in place. */
export function fixedPoint(growth: Float64Array, ratio: number, weights: Float64Array): plain.FixedPoint {
  if (!worthwhile(weights.length)) return plain.fixedPoint(growth, ratio, weights)
  const [sum, moved] = run('fixedPoint', weights.length, [read(growth), update(weights)], [ratio], 2)
  return { sum, moved }
}

/** The paper's objective (eq. 10) at weights of mean m, from log m and log (1 - m). */
export function objective(
  losses: Float64Array,
  weights: Float64Array,
  logMean: number,
  logLevel: number,
): number {
  if (!worthwhile(weights.length)) return plain.objective(losses, weights, logMean, logLevel)
  return run('objective', weights.length, [read(losses), read(weights)], [logMean, logLevel], 1)[0]
}
