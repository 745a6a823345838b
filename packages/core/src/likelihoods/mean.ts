import { checkMatrix, checkShape } from '../check.js'
import { gram } from '../kernels/gram.js'
import { factor, solve } from '../linalg/cholesky.js'
import { mirrorLower } from '../linalg/symmetric.js'
import { type Matrix, matrix } from '../matrix.js'
import type { Continuous, Informative } from './capabilities.js'
import type { Params, Problem, Unsupervised } from './likelihood.js'
import { takeUnsupervised, weightsOf, withProblem } from './shared.js'

/** A mean, and how far rows scatter about it. */
export interface MeanParams extends Params {
  readonly mean: Float64Array
  /** Weighted root mean square deviation of a coordinate. */
  readonly scale: number
}

/** Options of `mean`. */
export interface MeanOptions {
  /**
   * With it, `losses` is the full negative log-density of N(mean, scale^2 I). The paper's code (default) leaves the
   * normaliser out and divides by the mean squared distance, |z - mean|^2 / (2 d scale^2).
   */
  readonly normaliser?: boolean
}

/** Standard errors of a mean. */
export interface MeanErrors {
  readonly mean: Float64Array
}

/** What `mean` returns. */
export interface MeanLikelihood
  extends Continuous<Unsupervised, MeanParams>,
    Informative<Unsupervised, MeanParams, MeanErrors> {
  /** The distance of each row from the mean, in units of the scale: one scale for all columns, or one for each. */
  distances(
    x: Matrix,
    params: { readonly mean: ArrayLike<number>; readonly scale: number | ArrayLike<number> },
  ): Float64Array
}

/**
 * The mean of rows that scatter alike in every direction.
 *
 * @example
 * const x = fromRows([[1, 2], [2, 1], [0, 1], [1, 0], [50, -50]])
 * fit(mean(), { x }).params.mean // about [1, 1]
 */
export function mean(options: MeanOptions = {}): MeanLikelihood {
  const normaliser = options.normaliser ?? false

  return {
    name: 'mean',
    rows: (data) => data.x.rows,
    check: (data) => checkMatrix('x', data.x),

    fit({ x }, weights) {
      const w = weightsOf(weights, x.rows)
      const centre = weightedMean(x, w)
      const distances = new Float64Array(x.rows)
      squaredDistances(x, centre, distances)
      let sum = 0
      let total = 0
      let size = 0
      for (let i = 0; i < w.length; i++) {
        sum += w[i] * distances[i]
        total += w[i]
      }
      for (const m of centre) size += m * m
      const square = sum / (total * x.cols)
      const scale = square > 1e-24 * size ? Math.sqrt(square) : 0
      return withProblem({ mean: centre, scale }, scale > 0 ? undefined : allEqual)
    },

    losses({ x }, params, out) {
      squaredDistances(x, params.mean, out)
      const variance = Math.max(params.scale ** 2, 1e-300)
      const by = normaliser ? variance : variance * x.cols
      const constant = normaliser ? 0.5 * x.cols * Math.log(2 * Math.PI * variance) : 0
      for (let i = 0; i < out.length; i++) out[i] = out[i] / (2 * by) + constant
    },

    distances(x, { mean: centre, scale }) {
      checkShape('x', x)
      const out = new Float64Array(x.rows)
      for (let i = 0, at = 0; i < x.rows; i++) {
        let sum = 0
        for (let j = 0; j < x.cols; j++, at++) {
          const off = x.values[at] - centre[j]
          // A column without spread puts every other value infinitely far away.
          if (off !== 0) sum += (off / (typeof scale === 'number' ? scale : scale[j])) ** 2
        }
        out[i] = Math.sqrt(sum)
      }
      return out
    },

    vector: (params) => params.mean,
    take: takeUnsupervised,

    dimension: ({ x }) => x.cols,

    squaredDistances({ x }, params, out) {
      squaredDistances(x, params.mean, out)
      const variance = Math.max(params.scale, 1e-100) ** 2
      for (let i = 0; i < out.length; i++) out[i] /= variance
    },

    logScale: ({ x }, params) => x.cols * Math.log(Math.max(params.scale, 1e-100)),
    degreesOfFreedom: () => 1,
    rescale: (params, factor) => ({ ...params, scale: params.scale * factor }),

    information: ({ x }, params, weights) => godambe(x, params, weights),

    unflatten: (vector) => ({ mean: vector }),

    gradients({ x }, params) {
      const out = matrix(x.rows, x.cols)
      const by = params.scale ** 2 * (normaliser ? 1 : x.cols)
      for (let i = 0, at = 0; i < x.rows; i++) {
        for (let j = 0; j < x.cols; j++, at++) out.values[at] = (params.mean[j] - x.values[at]) / by
      }
      return out
    },
  }
}

/**
 * Godambe's information A B^-1 A, with A the curvature of the mixture and B the squared scores: that all columns scatter
 * alike serves to find bad rows, but the error of a column's mean depends on its own scatter and on no other column's.
 */
function godambe(x: Matrix, params: MeanParams, weights: Float64Array): Matrix {
  const { cols } = x
  const precision = 1 / params.scale ** 2
  const good = weights.reduce((sum, w) => sum + w, 0)
  const squares = (factors: Float64Array): Matrix => {
    const out = matrix(cols, cols)
    gram(x, params.mean, factors, factors, out.values, new Float64Array(cols))
    return mirrorLower(out)
  }
  return godambeOf(
    squares(weights.map((w) => w * (1 - w))),
    squares(weights.map((w) => w * w)),
    good,
    precision,
  )
}

/** The same by sums over rows, of w (1 - w) z z' and w^2 z z' about the mean. */
export function godambeOf(unsure: Matrix, squared: Matrix, good: number, precision: number): Matrix {
  const { cols } = unsure
  const curvature = matrix(
    cols,
    cols,
    unsure.values.map((value) => -value * precision * precision),
  )
  for (let j = 0; j < cols; j++) curvature.values[j * cols + j] += good * precision
  // The rows' own mean takes one of their degrees of freedom.
  const unbiased = good > 1 ? good / (good - 1) : 1
  const scores = matrix(
    cols,
    cols,
    squared.values.map((value) => value * precision * precision * unbiased),
  )
  const f = factor(scores.values, cols)
  // Where a column says nothing that others do not, as with fewer rows than columns, each is taken for itself.
  if (f.dependent.length > 0) return perColumn(curvature, scores)
  if (factor(curvature.values, cols).dependent.length > 0) return curvature
  const out = matrix(cols, cols)
  for (let j = 0; j < cols; j++) {
    const solved = curvature.values.slice(j * cols, (j + 1) * cols)
    solve(f, solved)
    for (let k = 0; k <= j; k++) {
      let sum = 0
      for (let m = 0; m < cols; m++) sum += curvature.values[k * cols + m] * solved[m]
      out.values[j * cols + k] = sum
    }
  }
  return mirrorLower(out)
}

/** The least share of a column's curvature that its squared scores are taken for: of a constant column, they are 0. */
const LEAST_SCORE = 1e-24

function perColumn(curvature: Matrix, scores: Matrix): Matrix {
  const { cols } = curvature
  const out = matrix(cols, cols)
  for (let at = 0; at < out.values.length; at += cols + 1) {
    const own = Math.max(curvature.values[at], 0)
    out.values[at] = own ** 2 / Math.max(scores.values[at], LEAST_SCORE * own)
  }
  return out
}

const allEqual: Problem = {
  reason: 'exact-fit',
  message: 'all rows that count are the same, so the scale is 0',
}

export function weightedMean(x: Matrix, w: Float64Array): Float64Array {
  const out = new Float64Array(x.cols)
  let total = 0
  for (let i = 0, at = 0; i < x.rows; i++) {
    total += w[i]
    for (let j = 0; j < x.cols; j++, at++) out[j] += w[i] * x.values[at]
  }
  for (let j = 0; j < x.cols; j++) out[j] /= total
  return out
}

function squaredDistances(x: Matrix, centre: Float64Array, out: Float64Array): void {
  for (let i = 0, at = 0; i < x.rows; i++) {
    let sum = 0
    for (let j = 0; j < x.cols; j++, at++) sum += (x.values[at] - centre[j]) ** 2
    out[i] = sum
  }
}
