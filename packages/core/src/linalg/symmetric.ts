import { type Matrix, matrix } from '../matrix.js'
import { type Factor, factor, solve } from './cholesky.js'

/** Completes a symmetric matrix of which the lower triangle is there, in place. */
export function mirrorLower(m: Matrix): Matrix {
  const { cols, values } = m
  for (let j = 0; j < cols; j++) for (let k = 0; k < j; k++) values[k * cols + j] = values[j * cols + k]
  return m
}

/** The inverse of a factored matrix; a column that depends on others counts as fixed. */
export function inverse(f: Factor): Matrix {
  const { size } = f
  const out = matrix(size, size)
  for (let j = 0; j < size; j++) {
    const column = out.values.subarray(j * size, (j + 1) * size)
    column[j] = 1
    solve(f, column)
  }
  return out
}

/** b' A^-1 b */
export function inverseQuadratic(A: Matrix, b: Float64Array): number {
  const solved = Float64Array.from(b)
  solve(factor(A.values, A.cols), solved)
  let sum = 0
  for (let j = 0; j < b.length; j++) sum += b[j] * solved[j]
  return sum
}
