import { RlviError } from '../errors.js'
import { kthSmallest } from '../linalg/kth-smallest.js'
import { maximum, minimum } from './paper.js'

/** How the constrained E-step of Appendix D ended. */
export interface ConstrainedEStep {
  /** Whether the constraint had to be enforced. */
  readonly active: boolean
  /** The multiplier of Appendix D; 0 where the constraint holds by itself. */
  readonly lambda: number
}

/**
 * Appendix D: at least `goodRows` rows must count as good, sum(pi) >= n0. Where the free E-step's weights (in `weights`)
 * hold it, they stay. Otherwise  pi = 1 / (1 + (n - n0)/n0 e^(l - lambda)),  with lambda the root of sum(pi) = n0.
 */
export function constrain(losses: Float64Array, goodRows: number, weights: Float64Array): ConstrainedEStep {
  const n = losses.length
  if (!(goodRows > 0 && goodRows < n)) {
    throw new RlviError('constrain', `the number of good rows must be between 0 and ${n}`, goodRows)
  }
  let sum = 0
  for (let i = 0; i < n; i++) sum += weights[i]
  if (sum >= goodRows) return { active: false, lambda: 0 }

  // At lambda = min l every weight is at most n0/n, at max l at least n0/n: the root lies between.
  let low = minimum(losses)
  let high = maximum(losses)
  const offset = Math.log((n - goodRows) / goodRows)
  // Near the cut between as many smallest losses and the others, from where Newton's steps are few.
  let lambda = Math.min(high, Math.max(low, kthSmallest(losses, Math.floor(goodRows)) + offset))
  for (let k = 0; k < 200 && low < high; k++) {
    const at = gapAt(losses, lambda - offset, goodRows)
    if (at.gap === 0) break
    if (at.gap > 0) high = lambda
    else low = lambda
    const newton = lambda + at.step
    const within = newton > low && newton < high
    const next = within ? newton : (low + high) / 2
    const moved = Math.abs(next - lambda)
    lambda = next
    // What is left after one of Newton's steps is about its square.
    if (moved <= Math.max(within ? 1e-9 : 1e-15, 1e-15 * Math.abs(lambda))) break
  }
  for (let i = 0; i < n; i++) weights[i] = 1 / (1 + Math.exp(losses[i] - lambda + offset))
  return { active: true, lambda }
}

/**
 * sum(pi) - n0 and Newton's step towards 0, for pi = 1 / (1 + e^(l - cut)). Where the losses fall apart into n0 small
 * and n - n0 huge ones, all weights round to 1 and 0 over a wide range of cuts; the root is then where the two
 * sums of what they lack, rest = sum(1 - pi) above 1/2 and tail = sum(pi) below, agree, however small they are.
 */
function gapAt(losses: Float64Array, cut: number, goodRows: number): { gap: number; step: number } {
  let count = 0
  let rest = 0
  let tail = 0
  let restSlope = 0
  let tailSlope = 0
  for (let i = 0; i < losses.length; i++) {
    const x = losses[i] - cut
    const e = Math.exp(-Math.abs(x))
    const part = e / (1 + e)
    if (x < 0) {
      count++
      rest += part
      restSlope += part * (1 - part)
    } else {
      tail += part
      tailSlope += part * (1 - part)
    }
  }
  if (count === goodRows && rest > 0 && tail > 0) {
    return { gap: tail - rest, step: Math.log(rest / tail) / (restSlope / rest + tailSlope / tail) }
  }
  const gap = count - goodRows + tail - rest
  return { gap, step: -gap / (restSlope + tailSlope) }
}
