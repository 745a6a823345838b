import { checkMatrix, checkShape } from '../check.js'
import { gram, norms } from '../kernels/gram.js'
import { type Factor, factor, inverseRoot, logDeterminant } from '../linalg/cholesky.js'
import { inverse } from '../linalg/symmetric.js'
import { type Matrix, matrix } from '../matrix.js'
import type { Cloud, Differentiable } from './capabilities.js'
import type { Params, Problem, Unsupervised } from './likelihood.js'
import { weightedMean } from './mean.js'
import { takeUnsupervised, weightsOf, withProblem } from './shared.js'

/** Mean and covariance of a Gaussian. */
export interface CovarianceParams extends Params {
  readonly mean: Float64Array
  readonly covariance: Matrix
}

/** Options of `covariance`. */
export interface CovarianceOptions {
  /** Divide by the sum of the weights less 1, as the benchmark's maximum likelihood and SEVER do. Default false. */
  readonly unbiased?: boolean
  /** SEVER's gradient as the authors' released code has it, with an element-wise division by the covariance. */
  readonly asReleased?: boolean
}

/** What `covariance` returns. */
export interface CovarianceLikelihood
  extends Cloud<Unsupervised, CovarianceParams>,
    Differentiable<Unsupervised, CovarianceParams> {
  /** The Mahalanobis distance of each row, which no affine map of the columns changes. */
  distances(x: Matrix, params: CovarianceParams): Float64Array
}

/**
 * Mean and covariance of a Gaussian, with its full negative log-density as loss. That likelihood is unbounded (a
 * covariance may shrink onto a few rows), so Algorithm 1 needs the constraint of Appendix D here: `goodRows` of `paper`.
 *
 * @example
 * const x = fromRows([[1, 2], [2, 1], [0, 1], [1, 0], [50, -50]])
 * paper(covariance(), { x }, { goodRows: 4 }).params.covariance // that of the first four rows, nearly
 */
export function covariance(options: CovarianceOptions = {}): CovarianceLikelihood {
  return {
    name: 'covariance',
    rows: (data) => data.x.rows,
    check: (data) => checkMatrix('x', data.x),

    fit({ x }, weights) {
      const w = weightsOf(weights, x.rows)
      const mean = weightedMean(x, w)
      const d = x.cols
      const S = new Float64Array(d * d)
      gram(x, mean, w, w, S, new Float64Array(d))
      let total = options.unbiased ? -1 : 0
      for (let i = 0; i < w.length; i++) total += w[i]
      for (let j = 0; j < d; j++) {
        for (let k = 0; k <= j; k++) {
          S[j * d + k] /= total
          S[k * d + j] = S[j * d + k]
        }
      }
      const { dependent } = factor(S, d)
      return withProblem(
        { mean, covariance: matrix(d, d, S) },
        dependent.length > 0 ? singular(dependent) : undefined,
      )
    },

    losses({ x }, params, out) {
      const f = usable(params.covariance)
      mahalanobis(x, params, f, out)
      const constant = 0.5 * (logDeterminant(f) + x.cols * Math.log(2 * Math.PI))
      for (let i = 0; i < out.length; i++) out[i] = 0.5 * out[i] + constant
    },

    distances(x, params) {
      checkShape('x', x)
      const out = new Float64Array(x.rows)
      mahalanobis(x, params, usable(params.covariance), out)
      for (let i = 0; i < out.length; i++) out[i] = Math.sqrt(out[i])
      return out
    },

    vector: (params) => params.covariance.values,
    take: takeUnsupervised,

    points: ({ x }) => x,
    dimension: ({ x }) => x.cols,
    squaredDistances: ({ x }, params, out) => mahalanobis(x, params, usable(params.covariance), out),
    logScale: (_, params) => 0.5 * logDeterminant(usable(params.covariance)),
    degreesOfFreedom: () => 1,

    rescale(params, factor) {
      const { rows, cols, values } = params.covariance
      const scaled = values.map((v) => v * factor * factor)
      return { ...params, covariance: matrix(rows, cols, scaled) }
    },

    gradients({ x }, params) {
      const d = x.cols
      const { values: precision } = inverse(usable(params.covariance))
      const S = params.covariance.values
      const out = matrix(x.rows, d + d * d)
      const z = new Float64Array(d)
      const inner = new Float64Array(d * d)
      for (let i = 0; i < x.rows; i++) {
        const row = i * (d + d * d)
        for (let j = 0; j < d; j++) z[j] = x.values[i * d + j] - params.mean[j]
        // inner = I - z z' S^-1
        for (let a = 0; a < d; a++) {
          for (let b = 0; b < d; b++) {
            let product = 0
            if (options.asReleased) product = (z[a] * z[b]) / S[a * d + b]
            else for (let k = 0; k < d; k++) product += z[a] * z[k] * precision[b * d + k]
            inner[a * d + b] = (a === b ? 1 : 0) - product
          }
        }
        for (let a = 0; a < d; a++) {
          let first = 0
          for (let k = 0; k < d; k++) first -= precision[k * d + a] * z[k]
          out.values[row + a] = first
          for (let b = 0; b < d; b++) {
            let second = 0
            for (let k = 0; k < d; k++) second += 0.5 * precision[k * d + a] * inner[k * d + b]
            out.values[row + d + a * d + b] = second
          }
        }
      }
      return out
    },
  }
}

/** Squared Mahalanobis distances. */
function mahalanobis(x: Matrix, params: CovarianceParams, f: Factor, out: Float64Array): void {
  norms(x, params.mean, inverseRoot(f), out)
}

function singular(columns: readonly number[]): Problem {
  const message =
    'the covariance of the rows that count has no inverse (a column is constant or depends on others)'
  return { reason: 'singular', message, columns }
}

/** A factor that can be divided by: a singular covariance is widened by a millionth of its own variances. */
export function usable(covariance: Matrix): Factor {
  const d = covariance.cols
  const f = factor(covariance.values, d)
  if (f.dependent.length === 0) return f
  const wide = Float64Array.from(covariance.values)
  for (let j = 0; j < d; j++) wide[j * d + j] = wide[j * d + j] * (1 + 1e-6) + 1e-300
  return factor(wide, d)
}
