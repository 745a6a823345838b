import { gram } from '../../kernels/gram.js'
import { weightedMean } from '../../likelihoods/mean.js'
import { factor } from '../../linalg/cholesky.js'
import { type Matrix, matrix } from '../../matrix.js'

/** All rows in coordinates in which the weighted ones have mean 0 and covariance I; none where their columns are dependent. */
export function whiten(x: Matrix, weights: Float64Array): Matrix | undefined {
  const { rows, cols } = x
  const mean = weightedMean(x, weights)
  const S = new Float64Array(cols * cols)
  gram(x, mean, weights, weights, S, new Float64Array(cols))
  const { lower, scale, dependent } = factor(S, cols)
  if (dependent.length > 0) return undefined
  const root = Math.sqrt(weights.reduce((sum, w) => sum + w, 0))
  const out = matrix(rows, cols)
  for (let i = 0; i < rows; i++) {
    const at = i * cols
    // Forward substitution: L z = x - mean.
    for (let j = 0; j < cols; j++) {
      let sum = (x.values[at + j] - mean[j]) * scale[j] * root
      for (let k = 0; k < j; k++) sum -= lower[j * cols + k] * out.values[at + k]
      out.values[at + j] = sum / lower[j * cols + j]
    }
  }
  return out
}
