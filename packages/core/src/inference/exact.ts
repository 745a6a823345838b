import { checkFinite } from '../check.js'
import { RlviError } from '../errors.js'
import { exponentials, foldLosses, posterior, score } from '../kernels/estep.js'
import type { Score } from '../kernels/plain-estep.js'
import { scratch } from '../kernels/scratch.js'
import { rowVector } from '../matrix.js'
import { minimum } from './paper.js'

/**
 * How the exact E-step ended.
 * - `interior`: the data support a corruption level strictly between 0 and 1
 * - `collapse`: mean e^-l <= 1, so the best mean weight is 0, "everything is corrupted"
 * - `saturate`: mean e^l <= 1, so it is 1, "everything is good"
 * - `undetermined`: every loss is 0, so every mean weight is equally good
 */
export type EStepStatus = 'interior' | 'collapse' | 'saturate' | 'undetermined'

/** How the exact E-step ended, and the level that it found. */
export interface ExactEStep {
  readonly status: EStepStatus
  /** The mean weight m = <pi>, 1 - epsilon. */
  readonly mean: number
  /** epsilon = 1 - m, with full precision also where m is nearly 1. */
  readonly level: number
  /** Passes over the losses that the root took. */
  readonly passes: number
}

const foldedVector = scratch()
const sampleVector = scratch()
const sampleDecay = scratch()
const sampleFolded = scratch()

/**
 * The E-step solved exactly: the weights pi (into `out`) that minimise the bound (eq. 10) for given losses.
 *
 * All weights follow from their mean m, and m maximises the concave  sum log(m e^-l + 1 - m),  so the step is one
 * root: S(m) = mean of (e^-l - 1) / (m e^-l + 1 - m) = 0. The problem is the same after the exchange of
 * (m, l) and (1 - m, -l), so we solve for q, the smaller one of m and 1 - m, and lose no digits at either end.
 *
 * On collapse the weights' limit up to a factor is given, e^-(l - min l); on saturation all ones.
 */
export function exactEStep(losses: Float64Array, out: Float64Array = rowVector(losses.length)): ExactEStep {
  const n = losses.length
  if (n === 0) throw new RlviError('exactEStep', 'at least one loss is needed', 0)
  const folded = foldedVector(n)
  const start = startFor(losses)
  // After folding: out holds e^-|l|, folded holds 1 - e^-|l| with the opposite sign of l.
  const { ends, score: first } = foldLosses(losses, out, folded, start.q, start.flip)
  if (!Number.isFinite(ends.checksum)) checkFinite('exactEStep losses', losses)

  const boundary = boundaryCase(ends.atZero, ends.atOne)
  if (boundary !== undefined) {
    writeBoundary(boundary, losses, out)
    const mean = boundary === 'collapse' ? 0 : 1
    return { status: boundary, mean, level: 1 - mean, passes: 1 }
  }

  let root = smallRoot(folded, start, first)
  // The start told which one of m and 1 - m is the small one, unless it came from a very odd sample.
  if (root.q > 0.75) {
    const other = { q: 1 - root.q, flip: !root.flip }
    root = smallRoot(folded, other, score(folded, other.q, other.flip))
  }
  const mean = root.flip ? 1 - root.q : root.q
  const level = root.flip ? root.q : 1 - root.q
  posterior(out, folded, mean, level)
  return { status: 'interior', mean, level, passes: root.passes + 1 }
}

function boundaryCase(atZero: number, atOne: number): Exclude<EStepStatus, 'interior'> | undefined {
  if (atZero === 0 && atOne === 0) return 'undetermined'
  if (atZero <= 0) return 'collapse'
  if (atOne >= 0) return 'saturate'
  return undefined
}

function writeBoundary(status: EStepStatus, losses: Float64Array, out: Float64Array): void {
  if (status === 'collapse') exponentials(losses, -1, minimum(losses), out)
  else out.fill(1)
}

/** A mean weight: q is m, or 1 - m where flipped. */
interface Side {
  readonly q: number
  readonly flip: boolean
}

const MAX_PASSES = 100
const SAMPLE = 8192

/** The middle; for long arrays the root of a thinned sample, which saves passes. */
function startFor(losses: Float64Array): Side {
  if (losses.length < 8 * SAMPLE) return { q: 0.5, flip: false }
  const stride = Math.floor(losses.length / SAMPLE)
  const sample = sampleVector(SAMPLE)
  for (let k = 0; k < SAMPLE; k++) sample[k] = losses[k * stride]
  const folded = sampleFolded(SAMPLE)
  const { ends, score: first } = foldLosses(sample, sampleDecay(SAMPLE), folded, 0.5, false)
  if (boundaryCase(ends.atZero, ends.atOne) !== undefined) return { q: 0.5, flip: false }
  const root = smallRoot(folded, { q: 0.5, flip: false }, first)
  // A sample without a single bad row, or good one, says nothing on how few there are.
  return root.q > 1e-6 ? root : { q: 0.25, flip: root.flip }
}

/**
 * The root of S by Halley's method (Newton's with the second derivative, which costs nothing here), inside a bracket
 * that shrinks, from a start whose score is known.
 */
function smallRoot(folded: Float64Array, start: Side, first: Score): Side & { readonly passes: number } {
  let { q, flip } = start
  let s = first
  // S falls with m: positive at the middle means that m > 1/2, and then q = 1 - m is the small one.
  if (q === 0.5 && s.value > 0) {
    flip = !flip
    s = { value: -s.value, squares: s.squares, cubes: -s.cubes }
  }
  let low = 0
  let high = 1
  let passes = 1
  while (passes < MAX_PASSES && s.value !== 0) {
    if (s.value > 0) low = q
    else high = q
    const next = q + (s.value * s.squares) / (s.squares * s.squares - s.value * s.cubes)
    if (next > low && next < high) {
      const step = Math.abs(next - q)
      q = next
      // Halley's error is cubed by every step: below 1e-5 the next one is past the last digits.
      if (step <= 1e-5 * q) break
    } else {
      // Halve the bracket: in log space once its lower end is known to be positive.
      q = low > 0 ? Math.sqrt(low * high) : high / 16
    }
    s = score(folded, q, flip)
    passes++
  }
  return { q, flip, passes }
}
