import type { Matrix } from '../matrix.js'
import { type Factor, factor, inverseRoot, logDeterminant } from './cholesky.js'
import { symmetricEigen } from './eigen.js'

/**
 * log det of an information that holds a prior's, in no direction taken for less than the prior's alone: what a posterior
 * cannot be is wider than its prior. So it is continuous where the information is not that of a maximum, and without it a
 * direction along which rows say next to nothing, or less, would count as any amount of evidence.
 */
export function logDeterminantBeside(information: Matrix, prior: Matrix): number {
  const size = information.cols
  // Nearly all of the prior: what is known by it alone must not seem to be less by rounding.
  const rows = information.values.map((value, k) => value - (1 - 1e-6) * prior.values[k])
  if (factor(rows, size, 0).dependent.length === 0) return logDeterminant(factor(information.values, size, 0))
  const f = factor(prior.values, size, 0)
  let sum = logDeterminant(f)
  for (const value of symmetricEigen(inMetric(information, f), size).values)
    sum += Math.log(Math.max(value, 1))
  return sum
}

/** W A W' with W' W the inverse of what was factored, its lower triangle. */
function inMetric({ values }: Matrix, f: Factor): Float64Array {
  const { size } = f
  const W = inverseRoot(f)
  const left = new Float64Array(size)
  const out = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    left.fill(0)
    for (let k = 0; k <= i; k++) {
      const w = W[i * size + k]
      if (w !== 0) for (let j = 0; j < size; j++) left[j] += w * values[k * size + j]
    }
    for (let j = 0; j <= i; j++) {
      let sum = 0
      for (let k = 0; k <= j; k++) sum += left[k] * W[j * size + k]
      out[i * size + j] = sum
    }
  }
  return out
}
