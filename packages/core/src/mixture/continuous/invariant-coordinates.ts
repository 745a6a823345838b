import { gram } from '../../kernels/gram.js'
import { symmetricEigen } from '../../linalg/eigen.js'
import type { Matrix } from '../../matrix.js'
import { whiten } from './whiten.js'

/**
 * Invariant coordinates (Tyler, Critchley, Dümbgen and Oja 2009): the rows seen along directions in which two ways to
 * measure scatter differ. Where the rows are two clouds of one shape, the line between them is such a direction, at any
 * distance and share but one: far rows weigh more in the fourth moments while the second cloud is small, less when it is
 * large. So each of two pairs of scatters is used: fourth moments and spatial signs, both against the covariance.
 *
 * They belong to the rows alone: neither units, nor mixing columns, nor the rows' order, nor a seed changes them.
 */
export function invariantCoordinates(x: Matrix): Float64Array[] {
  const white = whiten(x, new Float64Array(x.rows).fill(1))
  if (white === undefined) return []
  const norms = squaredNorms(white)
  return [norms, norms.map((norm) => 1 / Math.max(norm, Number.MIN_VALUE))].flatMap((weights) =>
    along(white, symmetricEigen(scatter(white, weights), x.cols).vectors),
  )
}

function squaredNorms({ rows, cols, values }: Matrix): Float64Array {
  const out = new Float64Array(rows)
  for (let k = 0; k < values.length; k++) out[Math.floor(k / cols)] += values[k] * values[k]
  return out
}

/** The lower triangle of sum w z z'. */
function scatter(white: Matrix, weights: Float64Array): Float64Array {
  const out = new Float64Array(white.cols * white.cols)
  gram(white, new Float64Array(white.cols), weights, weights, out, new Float64Array(white.cols))
  return out
}

/** The rows' coordinates along each of the directions. */
function along({ rows, cols, values }: Matrix, directions: Float64Array): Float64Array[] {
  return Array.from({ length: cols }, (_, k) => {
    const out = new Float64Array(rows)
    for (let i = 0; i < rows; i++) {
      let sum = 0
      for (let j = 0; j < cols; j++) sum += directions[k * cols + j] * values[i * cols + j]
      out[i] = sum
    }
    return out
  })
}
