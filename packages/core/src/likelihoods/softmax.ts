import { RlviError } from '../errors.js'
import { gram } from '../kernels/gram.js'
import { type Matrix, matrix } from '../matrix.js'
import type { Likelihood, Params, Problem, Supervised } from './likelihood.js'
import { centreColumns, checkSupervised, takeSupervised, weightsOf, withProblem } from './shared.js'
import { SoftmaxProblem } from './softmax-newton.js'

export interface SoftmaxParams extends Params {
  /** One for each class; they sum to 0. */
  readonly intercepts: Float64Array
  /** classes x features; every column sums to 0, so no class is special. */
  readonly coefficients: Matrix
}

export interface SoftmaxOptions {
  /** Number of classes: y holds 0 .. classes - 1. */
  readonly classes: number
  /** Default true. */
  readonly intercept?: boolean
  /** The fit minimises sum w l + ridge/2 |coefficients|^2 (intercepts go free). Default 0. */
  readonly ridge?: number
}

export interface SoftmaxLikelihood extends Likelihood<Supervised, SoftmaxParams> {
  /** The probability of each class, rows x classes. */
  predict(x: Matrix, params: SoftmaxParams): Matrix
}

/** Softmax regression: y is a class, P(y = k) is proportional to exp(b_k + x t_k), the loss is the cross-entropy. */
export function softmax(options: SoftmaxOptions): SoftmaxLikelihood {
  const K = options.classes
  const intercept = options.intercept ?? true
  const ridge = options.ridge ?? 0
  if (!Number.isInteger(K) || K < 2) throw new RlviError('softmax classes', 'at least 2 are needed', K)
  if (!(ridge >= 0)) throw new RlviError('softmax ridge', 'must not be negative', ridge)

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
      const problem = new SoftmaxProblem(data, w, K, intercept, ridge)
      const fitted = problem.solveFrom(start)
      return withProblem(problem.unpack(fitted.beta), single ?? fitted.problem)
    },

    losses(data, params, out) {
      const p = probabilities(data.x, params, true)
      for (let i = 0; i < out.length; i++) out[i] = -p.values[i * K + data.y[i]]
    },

    vector: (params) =>
      Float64Array.of(...(intercept ? params.intercepts : []), ...params.coefficients.values),

    take: takeSupervised,
    ...(intercept ? { centred } : {}),
    labels: K,
    reference: (_data, _params, out) => void out.fill(Math.log(K)),
    penalty: (params) => 0.5 * ridge * params.coefficients.values.reduce((sum, c) => sum + c * c, 0),

    /** In the order of `vector`: the intercepts, then the coefficients class by class. */
    gradients(data, params) {
      const p = probabilities(data.x, params, false)
      const { x } = data
      const first = intercept ? K : 0
      const out = matrix(x.rows, first + K * x.cols)
      for (let i = 0; i < x.rows; i++) {
        const row = i * out.cols
        for (let k = 0; k < K; k++) {
          const excess = p.values[i * K + k] - (data.y[i] === k ? 1 : 0)
          if (intercept) out.values[row + k] = excess
          for (let j = 0; j < x.cols; j++) {
            out.values[row + first + k * x.cols + j] = excess * x.values[i * x.cols + j]
          }
        }
      }
      return out
    },

    /** The outer product of the rows' scores, which equals the expected information: no second derivatives needed. */
    information(data, params, weights) {
      const gradients = this.gradients!(data, params)
      const size = gradients.cols
      const squared = weights.map((w) => w * w)
      const out = new Float64Array(size * size)
      gram(gradients, new Float64Array(size), squared, squared, out, new Float64Array(size))
      const first = intercept ? K : 0
      for (let j = first; j < size; j++) out[j * size + j] += ridge
      if (intercept) fixCommonShift(out, size, 0, 1, K)
      for (let j = 0; j < data.x.cols; j++) fixCommonShift(out, size, first + j, data.x.cols, K)
      return out
    },

    predict: (x, params) => probabilities(x, params, false),
  }
}

/** The classes' coefficients sum to 0: their common shift is known, so it is given a million times their information. */
function fixCommonShift(
  information: Float64Array,
  size: number,
  from: number,
  stride: number,
  K: number,
): void {
  let trace = 0
  for (let k = 0; k < K; k++) trace += information[(from + k * stride) * (size + 1)]
  for (let k = 0; k < K; k++) {
    for (let m = 0; m <= k; m++)
      information[(from + k * stride) * size + from + m * stride] += (1e6 * trace) / (K * K)
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
