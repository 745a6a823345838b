import { checkFinite } from '../check.js'
import { RlviError } from '../errors.js'
import { foldLosses, posterior, score } from '../kernels/estep.js'

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

/**
 * The E-step solved exactly: the weights pi (into `out`) that minimise the bound (eq. 10) for given losses.
 *
 * All weights follow from their mean m, and m maximises the concave  sum log(m e^-l + 1 - m),  so the step is one
 * root: S(m) = mean of (e^-l - 1) / (m e^-l + 1 - m) = 0. The problem is the same after the exchange of
 * (m, l) and (1 - m, -l), so we solve for q, the smaller one of m and 1 - m, and lose no digits at either end.
 *
 * On collapse the weights' limit up to a factor is given, e^-(l - min l); on saturation all ones.
 */
export function exactEStep(
  losses: Float64Array,
  out: Float64Array = new Float64Array(losses.length),
): ExactEStep {
  const n = losses.length
  if (n === 0) throw new RlviError('exactEStep', 'at least one loss is needed', 0)
  const folded = new Float64Array(n)
  // After folding: out holds e^-|l|, folded holds 1 - e^-|l| with the opposite sign of l.
  const ends = foldLosses(losses, out, folded)
  if (!Number.isFinite(ends.checksum)) checkFinite('exactEStep losses', losses)

  const boundary = boundaryCase(ends.atZero, ends.atOne)
  if (boundary !== undefined) {
    writeBoundary(boundary, losses, ends.least, out)
    const mean = boundary === 'collapse' ? 0 : 1
    return { status: boundary, mean, level: 1 - mean, passes: 1 }
  }

  // S falls with m: positive at the middle means that m > 1/2, and then q = 1 - m is the small one.
  const middle = score(folded, 0.5, false)
  const flip = middle.value > 0
  const root = smallRoot(folded, flip)
  const mean = flip ? 1 - root.q : root.q
  const level = flip ? root.q : 1 - root.q
  posterior(out, folded, mean, level)
  return { status: 'interior', mean, level, passes: root.passes + 2 }
}

function boundaryCase(atZero: number, atOne: number): Exclude<EStepStatus, 'interior'> | undefined {
  if (atZero === 0 && atOne === 0) return 'undetermined'
  if (atZero <= 0) return 'collapse'
  if (atOne >= 0) return 'saturate'
  return undefined
}

function writeBoundary(status: EStepStatus, losses: Float64Array, least: number, out: Float64Array): void {
  if (status === 'collapse') for (let i = 0; i < out.length; i++) out[i] = Math.exp(least - losses[i])
  else out.fill(1)
}

const MAX_PASSES = 100
const SAMPLE = 4096

/** Safeguarded Newton for S in (0, 1/2]; a start from a thinned sample saves passes over long arrays. */
function smallRoot(folded: Float64Array, flip: boolean): { q: number; passes: number } {
  let start = 0.25
  if (folded.length >= 8 * SAMPLE) start = thinnedStart(folded, flip)
  return newton(folded, flip, start)
}

function thinnedStart(folded: Float64Array, flip: boolean): number {
  const stride = Math.floor(folded.length / SAMPLE)
  const sample = new Float64Array(SAMPLE)
  for (let k = 0; k < SAMPLE; k++) sample[k] = folded[k * stride]
  const q = newton(sample, flip, 0.25).q
  return q > 1e-6 && q < 0.5 ? q : 0.25
}

function newton(folded: Float64Array, flip: boolean, start: number): { q: number; passes: number } {
  let low = 0
  let high = 0.5
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
      // Newton's error is squared by every step: below 1e-9 the next one is past the last digit.
      if (step <= 1e-9 * q) break
    } else {
      // Halve the bracket: in log space once its lower end is known to be positive.
      q = low > 0 ? Math.sqrt(low * high) : high / 16
    }
  }
  return { q, passes }
}
