import { checkLength } from '../check.js'
import { objective } from '../kernels/estep.js'

/**
 * The evidence lower bound (eq. 8), the negative of the paper's objective (eq. 10), with epsilon = 1 - mean(pi):
 *   -sum [ pi l + pi log(pi / m) + (1 - pi) log((1 - pi) / (1 - m)) ].
 */
export function bound(losses: Float64Array, weights: Float64Array): number {
  checkLength('bound weights', weights, losses.length)
  let mean = 0
  for (let i = 0; i < weights.length; i++) mean += weights[i]
  mean /= weights.length
  return -objective(losses, weights, logOf(mean), logOf(1 - mean))
}

/** Finite also for 0: there it is multiplied by 0. */
function logOf(x: number): number {
  return Math.log(Math.max(x, Number.MIN_VALUE))
}

/**
 * The bound at its best weights for a given mean m: sum log(m e^-l + 1 - m), the log-likelihood of the mixture whose
 * corrupted rows have density 1.
 */
export function profileBound(losses: Float64Array, mean: number): number {
  const level = 1 - mean
  let total = 0
  for (let i = 0; i < losses.length; i++) {
    const l = losses[i]
    total += l >= 0 ? Math.log1p(mean * Math.expm1(-l)) : Math.log1p(level * Math.expm1(l)) - l
  }
  return total
}

/** The corruption level that the weights state, epsilon = 1 - mean(pi) (eq. 9). */
export function corruptionLevel(weights: Float64Array): number {
  let bad = 0
  for (let i = 0; i < weights.length; i++) bad += 1 - weights[i]
  return bad / weights.length
}
