import { type Matrix, matrix } from '../matrix.js'
import { TestRandom } from './random.js'

/** N(0, I), its first `bad` rows moved by `distance` along the diagonal. */
export function cloudWithCluster(
  seed: number,
  rows: number,
  cols: number,
  bad: number,
  distance: number,
): Matrix {
  const random = new TestRandom(seed)
  const x = matrix(rows, cols)
  for (let k = 0; k < x.values.length; k++) {
    x.values[k] = random.normal() + (k < bad * cols ? distance / Math.sqrt(cols) : 0)
  }
  return x
}

/** Columns mixed with each other, moved, and in other units: every row as A z + b, A lower triangular. */
export function mixed({ rows, cols, values }: Matrix): Matrix {
  const out = matrix(rows, cols)
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      let sum = j
      for (let k = 0; k <= j; k++) sum += values[i * cols + k] * (k === j ? 4 ** ((j % 3) - 1) : 0.5)
      out.values[i * cols + j] = sum
    }
  }
  return out
}
