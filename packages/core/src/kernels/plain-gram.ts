import type { Matrix } from '../matrix.js'
import { scratch } from './scratch.js'

/** The loops over the rows of a matrix, plainly: the oracle of the SIMD kernels, and what small matrices run. */

/** out_i = intercept + x_i . coefficients */
export function linearPredictor(
  x: Matrix,
  intercept: number,
  coefficients: Float64Array,
  out: Float64Array,
): void {
  const { rows, cols, values } = x
  for (let i = 0, at = 0; i < rows; i++) {
    let sum = intercept
    for (let j = 0; j < cols; j++, at++) sum += values[at] * coefficients[j]
    out[i] = sum
  }
}

/** sum_i v_i x_i into `sums`, and sum_i v_i returned. */
export function columnSums(x: Matrix, v: Float64Array, sums: Float64Array): number {
  const { rows, cols, values } = x
  sums.fill(0)
  let total = 0
  for (let i = 0, at = 0; i < rows; i++) {
    const w = v[i]
    total += w
    for (let j = 0; j < cols; j++, at++) sums[j] += w * values[at]
  }
  return total
}

const centredRow = scratch()

/** The lower triangle of sum_i v_i (x_i - c)(x_i - c)' into G, and sum_i s_i (x_i - c) into g. */
export function gram(
  x: Matrix,
  centre: Float64Array,
  v: Float64Array,
  s: Float64Array,
  G: Float64Array,
  g: Float64Array,
): void {
  const { rows, cols, values } = x
  const z = centredRow(cols)
  G.fill(0)
  g.fill(0)
  for (let i = 0, at = 0; i < rows; i++) {
    const si = s[i]
    const vi = v[i]
    for (let j = 0; j < cols; j++, at++) {
      const zj = values[at] - centre[j]
      z[j] = zj
      g[j] += si * zj
      const vz = vi * zj
      const row = j * cols
      for (let k = 0; k <= j; k++) G[row + k] += vz * z[k]
    }
  }
}
