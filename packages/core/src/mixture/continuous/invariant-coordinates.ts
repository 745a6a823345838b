import { gram } from '../../kernels/gram.js'
import { symmetricEigen } from '../../linalg/eigen.js'
import type { Matrix } from '../../matrix.js'
import { whiten } from './whiten.js'

/** Directions taken from each end of the order of two scatters: all of them up to ten columns. */
const EACH_END = 5
const REFINEMENTS = 5
/** A row nearer to the mean than this has no direction. */
const AT_THE_MEAN = 1e-20

/**
 * Invariant coordinates (Tyler, Critchley, Dümbgen and Oja 2009): the rows seen along directions in which two ways to
 * measure scatter differ. Where the rows are two clouds of one shape, the line between them is such a direction, at any
 * distance and share but one: far rows weigh more in the fourth moments while the second cloud is small, less when it is
 * large. So each of two pairs of scatters is used: fourth moments and spatial signs, both against the covariance. With
 * few rows a direction is only about right, so each is also led to an extreme of kurtosis nearby, where clusters show
 * (Peña and Prieto 2001).
 *
 * They belong to the rows alone: neither units, nor mixing columns, nor the rows' order, nor a seed changes them.
 */
export function invariantCoordinates(x: Matrix): Float64Array[] {
  const white = whiten(x, new Float64Array(x.rows).fill(1))
  if (white === undefined) return []
  const norms = squaredNorms(white)
  const directions = [norms, norms.map((norm) => (norm > AT_THE_MEAN ? 1 / norm : 0))].flatMap((weights) =>
    outermost(symmetricEigen(scatter(white, weights), x.cols).vectors, x.cols),
  )
  const refined = directions.map((direction) => towardsExtremeKurtosis(white, direction))
  return [...directions, ...refined].map((direction) => along(white, direction))
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

/** The first and the last vectors: those in the middle belong to directions in which the scatters agree. */
function outermost(vectors: Float64Array, size: number): Float64Array[] {
  const all = Array.from({ length: size }, (_, k) => vectors.slice(k * size, (k + 1) * size))
  return size <= 2 * EACH_END ? all : [...all.slice(0, EACH_END), ...all.slice(-EACH_END)]
}

/** Fixed-point steps of FastICA (Hyvärinen 1999): w becomes E z (w'z)^3 - 3 w, of length 1. */
function towardsExtremeKurtosis(white: Matrix, direction: Float64Array): Float64Array {
  const { rows, cols, values } = white
  let w = direction
  for (let step = 0; step < REFINEMENTS; step++) {
    const coordinate = along(white, w)
    const next = w.map((v) => -3 * v)
    for (let i = 0; i < rows; i++) {
      const cube = coordinate[i] ** 3 / rows
      for (let j = 0; j < cols; j++) next[j] += values[i * cols + j] * cube
    }
    const length = Math.hypot(...next)
    if (!(length > 0)) return w
    w = next.map((v) => v / length)
  }
  return w
}

/** The rows' coordinates along a direction. */
function along({ rows, cols, values }: Matrix, direction: Float64Array): Float64Array {
  const out = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    let sum = 0
    for (let j = 0; j < cols; j++) sum += direction[j] * values[i * cols + j]
    out[i] = sum
  }
  return out
}
