import { RlviError } from '../errors.js'
import { maximum, minimum } from './paper.js'

export interface ConstrainedEStep {
  /** Whether the constraint had to be enforced. */
  readonly active: boolean
  /** The multiplier of Appendix D; 0 where the constraint holds by itself. */
  readonly lambda: number
}

/**
 * Appendix D: at least `goodRows` rows must count as good, sum(pi) >= n0. Where the free E-step's weights (in `pi`)
 * hold it, they stay. Otherwise  pi = 1 / (1 + (n - n0)/n0 e^(l - lambda)),  with lambda the root of sum(pi) = n0.
 */
export function constrain(losses: Float64Array, goodRows: number, pi: Float64Array): ConstrainedEStep {
  const n = losses.length
  if (!(goodRows > 0 && goodRows < n)) {
    throw new RlviError('constrain', `the number of good rows must be between 0 and ${n}`, goodRows)
  }
  let sum = 0
  for (let i = 0; i < n; i++) sum += pi[i]
  if (sum >= goodRows) return { active: false, lambda: 0 }

  // At lambda = min l every weight is at most n0/n, at max l at least n0/n: the root lies between.
  let low = minimum(losses)
  let high = maximum(losses)
  let lambda = (low + high) / 2
  const logRatio = Math.log((n - goodRows) / goodRows)
  for (let k = 0; k < 200; k++) {
    let total = 0
    let slope = 0
    for (let i = 0; i < n; i++) {
      const p = 1 / (1 + Math.exp(losses[i] - lambda + logRatio))
      pi[i] = p
      total += p
      slope += p * (1 - p)
    }
    const gap = total - goodRows
    if (gap === 0) break
    if (gap > 0) high = lambda
    else low = lambda
    const newton = lambda - gap / slope
    const next = newton > low && newton < high ? newton : (low + high) / 2
    const step = Math.abs(next - lambda)
    lambda = next
    if (step <= 1e-15 * Math.max(1, Math.abs(lambda)) || low === high) break
  }
  for (let i = 0; i < n; i++) pi[i] = 1 / (1 + Math.exp(losses[i] - lambda + logRatio))
  return { active: true, lambda }
}
