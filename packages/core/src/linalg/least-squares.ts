import { columnSums, gram } from '../kernels/gram.js'
import type { Matrix } from '../matrix.js'
import { factor, solve } from './cholesky.js'

/** Plain least squares on fixed features: factored once, then one pass over the rows for each response. */
export function leastSquares(
  x: Matrix,
  intercept: boolean,
): (y: Float64Array) => { readonly intercept: number; readonly coefficients: Float64Array } {
  const d = x.cols
  const ones = new Float64Array(x.rows).fill(1)
  const centre = new Float64Array(d)
  if (intercept) {
    columnSums(x, ones, centre)
    for (let j = 0; j < d; j++) centre[j] /= x.rows
  }
  const G = new Float64Array(d * d)
  gram(x, centre, ones, ones, G, new Float64Array(d))
  const f = factor(G, d)

  return (y) => {
    const coefficients = new Float64Array(d)
    const total = columnSums(x, y, coefficients)
    if (intercept) for (let j = 0; j < d; j++) coefficients[j] -= centre[j] * total
    solve(f, coefficients)
    let level = intercept ? total / x.rows : 0
    for (let j = 0; j < d; j++) level -= centre[j] * coefficients[j]
    return { intercept: level, coefficients }
  }
}
