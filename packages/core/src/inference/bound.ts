import { checkLength } from '../check.js'

/** x log(x / y), 0 where x is 0. */
function xlogx(x: number, y: number): number {
  return x === 0 ? 0 : x * Math.log(x / y)
}

/**
 * The evidence lower bound (eq. 8), the negative of the paper's objective (eq. 10), with epsilon = 1 - mean(pi):
 *   -sum [ pi l + pi log(pi / m) + (1 - pi) log((1 - pi) / (1 - m)) ].
 */
export function bound(losses: Float64Array, pi: Float64Array): number {
  checkLength('bound weights', pi, losses.length)
  let mean = 0
  for (let i = 0; i < pi.length; i++) mean += pi[i]
  mean /= pi.length
  let total = 0
  for (let i = 0; i < pi.length; i++) {
    total += (pi[i] === 0 ? 0 : pi[i] * losses[i]) + xlogx(pi[i], mean) + xlogx(1 - pi[i], 1 - mean)
  }
  return -total
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
export function corruptionLevel(pi: Float64Array): number {
  let bad = 0
  for (let i = 0; i < pi.length; i++) bad += 1 - pi[i]
  return bad / pi.length
}
