import { scratch } from '../../kernels/scratch.js'

/**
 * The E-step of a small batch. A few dozen rows say little on their level, so the recent past adds pseudo-counts: the
 * mean weight m maximises  sum log(m e^-l + 1 - m) + b log m + a log(1 - m),  where a and b count bad and good rows. It
 * is concave, and with a, b > 0 its maximum lies inside, so that neither collapse nor saturation can happen.
 */

/** Rows that the recent past counts for. */
const PSEUDO_ROWS = 20

const ratioVector = scratch()

/**
 * Leaves P(good) in `out`, given losses less those of the reference, with pseudo-counts of `bad` and `good` rows;
 * returns the level 1 - m. With no pseudo-counts it is the exact E-step.
 */
export function pseudoCountEStep(losses: Float64Array, bad: number, good: number, out: Float64Array): number {
  const ratios = ratioVector(losses.length)
  for (let i = 0; i < ratios.length; i++) ratios[i] = Math.exp(-Math.max(-700, Math.min(700, losses[i])))
  return solveLevel(ratios, bad, good, out)
}

/** The same with the counts of a recent level, and from e^-l, which for labels is a probability already. */
export function pooledEStep(ratios: Float64Array, recent: number, out: Float64Array): number {
  return solveLevel(ratios, PSEUDO_ROWS * recent, PSEUDO_ROWS * (1 - recent), out)
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
