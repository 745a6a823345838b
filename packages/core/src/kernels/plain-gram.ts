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

const evenRow = scratch()
const oddRow = scratch()

/**
 * The lower triangle of sum_i v_i (x_i - c)(x_i - c)' into G, and sum_i s_i (x_i - c) into g. Two rows at a time,
 * because loading and storing G costs more than the products.
 */
export function gram(
  x: Matrix,
  centre: Float64Array,
  v: Float64Array,
  s: Float64Array,
  G: Float64Array,
  g: Float64Array,
): void {
  const { rows, cols, values } = x
  const z0 = evenRow(cols)
  const z1 = oddRow(cols)
  G.fill(0)
  g.fill(0)
  for (let i = 0; i < rows; i += 2) {
    // Beyond the last row: that row once more, with no weight.
    const other = i + 1 < rows ? i + 1 : i
    const v0 = v[i]
    const s0 = s[i]
    const v1 = other > i ? v[other] : 0
    const s1 = other > i ? s[other] : 0
    for (let j = 0, row = 0; j < cols; j++, row += cols) {
      const z0j = values[i * cols + j] - centre[j]
      const z1j = values[other * cols + j] - centre[j]
      z0[j] = z0j
      z1[j] = z1j
      g[j] += s0 * z0j + s1 * z1j
      const vz0 = v0 * z0j
      const vz1 = v1 * z1j
      for (let k = 0; k <= j; k++) G[row + k] += vz0 * z0[k] + vz1 * z1[k]
    }
  }
}
