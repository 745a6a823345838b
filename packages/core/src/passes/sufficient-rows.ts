import { type Matrix, matrix } from '../matrix.js'
import type { Moments } from './aggregates.js'

/** A few weighted rows. */
export interface SufficientRows {
  readonly rows: Matrix
  readonly weights: Float64Array
}

/**
 * Two rows for each column that have, together, the weight, the means and the scatter of all rows. A model of a mean and a
 * scatter sees no more of rows than that: its fit to these is its fit to all.
 */
export function sufficientRows({ weight, sums, squares }: Moments, centre: Float64Array): SufficientRows {
  const d = squares.cols
  const mean = sums.map((sum) => sum / weight)
  const scatter = new Float64Array(d * d)
  for (let j = 0; j < d; j++)
    for (let k = 0; k <= j; k++) scatter[j * d + k] = squares.values[j * d + k] / weight - mean[j] * mean[k]
  const root = rootOf(scatter, d)
  const rows = matrix(2 * d, d)
  const factor = Math.sqrt(d)
  for (let r = 0; r < d; r++)
    for (let j = 0; j < d; j++) {
      const middle = mean[j] + (centre[j] ?? 0)
      const off = factor * root[j * d + r]
      rows.values[2 * r * d + j] = middle + off
      rows.values[(2 * r + 1) * d + j] = middle - off
    }
  return { rows, weights: new Float64Array(2 * d).fill(weight / (2 * d)) }
}

/** Of a pivot in units of its diagonal: below it there is nothing but rounding. */
const ROUNDING = 1e-14

/** L, lower triangular, with L L' = S, also where columns depend on each other. */
function rootOf(S: Float64Array, d: number): Float64Array {
  const L = new Float64Array(d * d)
  for (let j = 0; j < d; j++) {
    for (let k = 0; k < j; k++) {
      let sum = S[j * d + k]
      for (let p = 0; p < k; p++) sum -= L[j * d + p] * L[k * d + p]
      L[j * d + k] = L[k * d + k] === 0 ? 0 : sum / L[k * d + k]
    }
    let pivot = S[j * d + j]
    for (let p = 0; p < j; p++) pivot -= L[j * d + p] ** 2
    L[j * d + j] = pivot > ROUNDING * S[j * d + j] ? Math.sqrt(pivot) : 0
  }
  return L
}
