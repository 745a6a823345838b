import { checkFinite } from '../check.js'
import { RlviError } from '../errors.js'
import { exponentials, foldLosses, posterior, score } from '../kernels/estep.js'
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
  // After folding: out holds e^-|l|, folded holds 1 - e^-|l| with the opposite sign of l.
  const ends = foldLosses(losses, out, folded)
  if (!Number.isFinite(ends.checksum)) checkFinite('exactEStep losses', losses)

  const boundary = boundaryCase(ends.atZero, ends.atOne)
  if (boundary !== undefined) {
    writeBoundary(boundary, losses, out)
    const mean = boundary === 'collapse' ? 0 : 1
    return { status: boundary, mean, level: 1 - mean, passes: 1 }
  }

  const { q, flip, passes } = root(folded)
  const mean = flip ? 1 - q : q
  const level = flip ? q : 1 - q
  posterior(out, folded, mean, level)
  return { status: 'interior', mean, level, passes: passes + 2 }
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

interface Root {
  /** m, or 1 - m where flipped. */
  readonly q: number
  readonly flip: boolean
  readonly passes: number
}

const MAX_PASSES = 100
const SAMPLE = 8192

/** The root of S. A start from a thinned sample saves passes over long arrays. */
function root(folded: Float64Array): Root {
  if (folded.length >= 8 * SAMPLE) {
    const guess = root(thinned(folded))
    // A sample without a single bad row, or good one, says nothing on how few there are.
    const start = guess.q > 1e-6 && guess.q < 0.5 ? guess.q : 0.25
    const found = newton(folded, guess.flip, start, 1)
    // The sample tells which one of m and 1 - m is small, unless it was a very odd one.
    if (found.q < 0.75) return found
  }
  // S falls with m: positive at the middle means that m > 1/2, and then q = 1 - m is the small one.
  const flip = score(folded, 0.5, false).value > 0
  return newton(folded, flip, 0.25, 0.5)
}

function thinned(folded: Float64Array): Float64Array {
  const stride = Math.floor(folded.length / SAMPLE)
  const sample = new Float64Array(SAMPLE)
  for (let k = 0; k < SAMPLE; k++) sample[k] = folded[k * stride]
  return sample
}

/** Newton's method for S in (0, high], inside a bracket that shrinks. */
function newton(folded: Float64Array, flip: boolean, start: number, high: number): Root {
  let low = 0
  let q = start
  let passes = 0
  while (passes < MAX_PASSES) {
    const s = score(folded, q, flip)
    passes++
    if (s.value === 0) break
    if (s.value > 0) low = q
    else high = q
    const next = q - s.value / s.slope
    if (next > low && next < high) {
      const step = Math.abs(next - q)
      q = next
      // Newton's error is squared by every step: below 1e-7 the next one is past the last digits.
      if (step <= 1e-7 * q) break
    } else {
      // Halve the bracket: in log space once its lower end is known to be positive.
      q = low > 0 ? Math.sqrt(low * high) : high / 16
    }
  }
  return { q, flip, passes }
}
