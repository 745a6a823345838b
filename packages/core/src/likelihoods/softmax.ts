import { checkShape } from '../check.js'
import { RlviError } from '../errors.js'
import { mirrorLower } from '../linalg/symmetric.js'
import { type Matrix, matrix, takeRows } from '../matrix.js'
import type { Discrete, Prior } from './capabilities.js'
import type { Problem, Supervised } from './likelihood.js'
import { checkRidge, logPrior, type Ridge, ridgeOf, strengthenRidge } from './ridge.js'
import {
  centreColumns,
  checkSupervised,
  ones,
  predictorInformation,
  takeSupervised,
  weightsOf,
  withProblem,
} from './shared.js'
import { type SoftmaxParams, SoftmaxProblem } from './softmax-problem.js'
import { solveSoftmax } from './softmax-solve.js'

export type { SoftmaxParams }

/** Options of `softmax`. */
export interface SoftmaxOptions {
  /** Number of classes: y holds 0 .. classes - 1. */
  readonly classes: number
  /** Default true. */
  readonly intercept?: boolean
  /** The fit minimises sum w l + ridge/2 |coefficients|^2 (intercepts go free). Default 0. */
  readonly ridge?: Ridge
}

/** Standard errors in the shape of `SoftmaxParams`. */
export interface SoftmaxErrors {
  /** 0 where the model has no intercepts. */
  readonly intercepts: Float64Array
  readonly coefficients: Matrix
}

/** What `softmax` returns. */
export interface SoftmaxLikelihood extends Discrete<Supervised, SoftmaxParams, SoftmaxErrors> {
  readonly prior: Prior<Supervised, SoftmaxParams, SoftmaxErrors>
  /** The probability of each class, rows x classes. */
  predict(x: Matrix, params: SoftmaxParams): Matrix
}

/**
 * Softmax regression: y is a class, P(y = k) is proportional to exp(b_k + x t_k), the loss is the cross-entropy.
 *
 * @example
 * const data = { x: fromRows([[0], [1], [2], [3], [4], [5]]), y: Float64Array.of(0, 1, 0, 2, 1, 2) }
 * const model = softmax({ classes: 3, ridge: 0.01 })
 * model.predict(data.x, ml(model, data).params) // P(class), rows x classes
 */
export function softmax(options: SoftmaxOptions): SoftmaxLikelihood {
  const given: SoftmaxOptions | undefined = options
  if (given?.classes === undefined)
    throw new RlviError(
      'softmax',
      'the number of classes is needed',
      given,
      'give it by softmax({ classes: 3 })',
    )
  return softmaxOf(options, 'full')
}

/** Rough fits from a start are within a thousandth of a standard error: for searches. */
function softmaxOf(options: SoftmaxOptions, accuracy: 'full' | 'rough'): SoftmaxLikelihood {
  const K = options.classes
  const intercept = options.intercept ?? true
  const ridge = options.ridge ?? 0
  if (!Number.isInteger(K) || K < 2) throw new RlviError('softmax classes', 'at least 2 are needed', K)
  checkRidge('softmax ridge', ridge)

  return {
    name: 'softmax',
    rows: (data) => data.x.rows,

    check(data) {
      checkSupervised(data)
      const odd = data.y.findIndex((label) => !Number.isInteger(label) || label < 0 || label >= K)
      if (odd >= 0) throw new RlviError(`softmax y[${odd}]`, `classes must be 0 to ${K - 1}`, data.y[odd])
    },

    fit(data, weights, start) {
      const w = weightsOf(weights, data.x.rows)
      const single = oneClass(data.y, w, K)
      const problem = new SoftmaxProblem(data, w, K, intercept, ridgeOf(ridge, data.x.cols))
      const fitted = solveSoftmax(problem, start, start === undefined ? 'full' : accuracy)
      return withProblem(problem.unpack(fitted.beta), single ?? fitted.problem)
    },

    losses(data, params, out) {
      const p = probabilities(data.x, params, true)
      for (let i = 0; i < out.length; i++) out[i] = -p.values[i * K + data.y[i]]
    },

    vector({ intercepts, coefficients: { values } }) {
      const first = intercept ? K : 0
      const out = new Float64Array(first + values.length)
      if (intercept) out.set(intercepts)
      out.set(values, first)
      return out
    },

    take: takeSupervised,
    ...(intercept ? { centred } : {}),
    labels: K,
    reference: (_data, _params, out) => void out.fill(Math.log(K)),
    prior: {
      intercepts: intercept ? K : 0,
      penalty: ({ coefficients: { cols, values } }) => logPrior(ridgeOf(ridge, cols), values, K - 1),
      strengthened: (data, strength, own) =>
        softmaxOf(
          { ...options, ridge: strengthenRidge(own === 'kept' ? ridge : 0, data.x, strength) },
          own === 'kept' ? 'full' : 'rough',
        ),
    },

    gradients: (data, params) => gradients(data, params, intercept),

    information(data, params, weights) {
      // Rows that do not take part leave the ridge.
      if (weights.every((w) => w === 0))
        return classInformation(data.x, undefined, [], ridgeOf(ridge, data.x.cols), intercept, K)
      const p = probabilities(data.x, params, false)
      // The second derivatives are diag(p) - p p' among the classes, each times x x'.
      const squares = [
        { factors: p, v: weights.map((w) => -w) },
        { factors: excessOf(data, p), v: weights.map((w) => w * (w - 1)) },
      ]
      const own = matrix(
        p.rows,
        K,
        p.values.map((value, k) => weights[Math.floor(k / K)] * value),
      )
      return classInformation(data.x, own, squares, ridgeOf(ridge, data.x.cols), intercept, K)
    },

    classes: {
      given: (data) => data.y,
      labelled: ({ x }, rows, classes) => ({ x: takeRows(x, rows), y: classes }),
      probabilities: (data, params) => probabilities(data.x, params, false),
      information(data, params, posterior) {
        // diag(p) - p p' of the model, less the same of the posterior.
        const p = probabilities(data.x, params, false)
        const one = ones(p.rows)
        const squares = [
          { factors: p, v: one.map(() => -1) },
          { factors: posterior, v: one },
        ]
        const own = matrix(
          p.rows,
          K,
          p.values.map((value, k) => value - posterior.values[k]),
        )
        return classInformation(data.x, own, squares, ridgeOf(ridge, data.x.cols), intercept, K)
      },
    },

    unflatten(vector) {
      const first = intercept ? K : 0
      const intercepts = intercept ? vector.slice(0, K) : new Float64Array(K)
      return { intercepts, coefficients: matrix(K, (vector.length - first) / K, vector.slice(first)) }
    },

    predict(x, params) {
      checkShape('x', x)
      return probabilities(x, params, false)
    },
  }
}

/**
 * sum v f f' x x' of the classes' factors f, in the order of `vector`, and for each class sum own x x', with the ridge: the curvature
 * of losses that are functions of the classes' linear predictors. Pair by pair of classes, so that no row is as long as all parameters.
 */
function classInformation(
  x: Matrix,
  own: Matrix | undefined,
  squares: ReadonlyArray<{ readonly factors: Matrix; readonly v: Float64Array }>,
  ridge: Float64Array | undefined,
  intercept: boolean,
  K: number,
): Matrix {
  const { rows, cols, values } = x
  const first = intercept ? K : 0
  const size = first + K * cols
  const out = new Float64Array(size * size)
  const place = (k: number, j: number): number =>
    intercept ? (j === 0 ? k : first + k * cols + j - 1) : k * cols + j
  const v = new Float64Array(rows)
  for (let k = 0; own !== undefined && k < K; k++) {
    for (let m = 0; m <= k; m++) {
      for (let i = 0; i < rows; i++) {
        v[i] = k === m ? own.values[i * K + k] : 0
        for (const { factors, v: each } of squares)
          v[i] += each[i] * factors.values[i * K + k] * factors.values[i * K + m]
      }
      const block = predictorInformation(x, intercept, v)
      const wide = block.cols
      for (let j = 0; j < wide; j++)
        for (let q = 0; q < wide; q++) {
          const [a, b] = [place(k, j), place(m, q)]
          out[Math.max(a, b) * size + Math.min(a, b)] = block.values[j * wide + q]
        }
    }
  }
  if (ridge !== undefined) for (let j = first; j < size; j++) out[j * size + j] += ridge[(j - first) % cols]
  if (intercept) fixCommonShift(out, size, 0, 1, K, rows)
  const lengths = new Float64Array(cols)
  for (let k = 0; k < values.length; k++) lengths[k % cols] += values[k] ** 2
  for (let j = 0; j < cols; j++) fixCommonShift(out, size, first + j, cols, K, lengths[j])
  return mirrorLower(matrix(size, size, out))
}

function gradients(data: Supervised, params: SoftmaxParams, intercept: boolean): Matrix {
  return classRows(data.x, excessOf(data, probabilities(data.x, params, false)), intercept)
}

/** P(class) less 1 for the given one. */
function excessOf({ x, y }: Supervised, p: Matrix): Matrix {
  const excess = matrix(p.rows, p.cols, Float64Array.from(p.values))
  for (let i = 0; i < x.rows; i++) excess.values[i * p.cols + y[i]] -= 1
  return excess
}

/** A row each in the order of `vector`: the factors of the classes, then class by class the factor times the features. */
function classRows(x: Matrix, factors: Matrix, intercept: boolean): Matrix {
  const K = factors.cols
  const out = matrix(x.rows, (intercept ? K : 0) + K * x.cols)
  for (let i = 0, to = 0; i < x.rows; i++) {
    if (intercept) for (let k = 0; k < K; k++) out.values[to++] = factors.values[i * K + k]
    for (let k = 0; k < K; k++) {
      const factor = factors.values[i * K + k]
      for (let j = 0; j < x.cols; j++) out.values[to++] = factor * x.values[i * x.cols + j]
    }
  }
  return out
}

/**
 * The classes' coefficients sum to 0: their common shift is known, so it is given far more information than the rows
 * could hold, and the same in every model, so that determinants compare.
 */
function fixCommonShift(
  information: Float64Array,
  size: number,
  from: number,
  stride: number,
  K: number,
  squares: number,
): void {
  for (let k = 0; k < K; k++) {
    for (let m = 0; m <= k; m++)
      information[(from + k * stride) * size + from + m * stride] += (1e6 * squares) / (K * K)
  }
}

function centred(data: Supervised, params: SoftmaxParams): { data: Supervised; params: SoftmaxParams } {
  const { x, means } = centreColumns(data.x)
  const { cols, values } = params.coefficients
  const intercepts = params.intercepts.map((b, k) =>
    means.reduce((sum, m, j) => sum + m * values[k * cols + j], b),
  )
  return { data: { x, y: data.y }, params: { ...params, intercepts } }
}

/** P(class) of each row, or their logs. */
function probabilities(x: Matrix, params: SoftmaxParams, logs: boolean): Matrix {
  const K = params.intercepts.length
  const out = matrix(x.rows, K)
  const c = params.coefficients.values
  for (let i = 0; i < x.rows; i++) {
    let most = Number.NEGATIVE_INFINITY
    for (let k = 0; k < K; k++) {
      let eta = params.intercepts[k]
      for (let j = 0; j < x.cols; j++) eta += c[k * x.cols + j] * x.values[i * x.cols + j]
      out.values[i * K + k] = eta
      if (eta > most) most = eta
    }
    let sum = 0
    for (let k = 0; k < K; k++) sum += Math.exp(out.values[i * K + k] - most)
    const normaliser = most + Math.log(sum)
    for (let k = 0; k < K; k++) {
      const log = out.values[i * K + k] - normaliser
      out.values[i * K + k] = logs ? log : Math.exp(log)
    }
  }
  return out
}

function oneClass(y: Float64Array, w: Float64Array, K: number): Problem | undefined {
  const present = new Set<number>()
  for (let i = 0; i < y.length; i++) if (w[i] > 0) present.add(y[i])
  if (present.size > 1) return undefined
  return { reason: 'one-class', message: `all rows that count have the class ${[...present][0]} of ${K}` }
}
