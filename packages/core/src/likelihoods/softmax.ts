import { RlviError } from '../errors.js'
import { factor, solve } from '../linalg/cholesky.js'
import { type Matrix, matrix } from '../matrix.js'
import type { Likelihood, Params, Problem, Supervised } from './likelihood.js'
import { checkSupervised, collinear, ones, withProblem } from './shared.js'

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

const MAX_STEPS = 100
const SEPARATED = 1e-7

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
      const w = weights ?? ones(data.x.rows)
      const single = oneClass(data.y, w, K)
      const problem = new SoftmaxProblem(data, w, K, intercept, ridge)
      const fitted = problem.solve(start === undefined ? undefined : problem.pack(start))
      return withProblem(problem.unpack(fitted.beta), single ?? fitted.problem)
    },

    losses(data, params, out) {
      const p = probabilities(data.x, params, true)
      for (let i = 0; i < out.length; i++) out[i] = -p.values[i * K + data.y[i]]
    },

    vector: (params) =>
      Float64Array.of(...(intercept ? params.intercepts : []), ...params.coefficients.values),

    gradients(data, params) {
      const p = probabilities(data.x, params, false)
      const { x } = data
      const wide = x.cols + (intercept ? 1 : 0)
      const out = matrix(x.rows, K * wide)
      for (let i = 0, to = 0; i < x.rows; i++) {
        for (let k = 0; k < K; k++) {
          const excess = p.values[i * K + k] - (data.y[i] === k ? 1 : 0)
          if (intercept) out.values[to++] = excess
          for (let j = 0; j < x.cols; j++) out.values[to++] = excess * x.values[i * x.cols + j]
        }
      }
      return out
    },

    predict: (x, params) => probabilities(x, params, false),
  }
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

/**
 * The weighted fit by Newton's method. Class 0 is held at zero while solving (only differences between classes are
 * determined); the ridge penalty is that of the centred coefficients, so the choice of that class does not matter.
 */
class SoftmaxProblem {
  readonly data: Supervised
  readonly w: Float64Array
  readonly K: number
  readonly intercept: boolean
  readonly ridge: number
  readonly wide: number
  readonly shift: Float64Array

  constructor(data: Supervised, w: Float64Array, K: number, intercept: boolean, ridge: number) {
    this.data = data
    this.w = w
    this.K = K
    this.intercept = intercept
    this.ridge = ridge
    this.wide = data.x.cols + (intercept ? 1 : 0)
    this.shift = intercept ? columnMeans(data.x) : new Float64Array(data.x.cols)
  }

  /** Differences to class 0, on columns shifted by their means: (K - 1) x wide. */
  pack(params: SoftmaxParams): Float64Array {
    const { K, wide } = this
    const d = this.data.x.cols
    const first = this.intercept ? 1 : 0
    const c = params.coefficients.values
    const beta = new Float64Array((K - 1) * wide)
    for (let k = 1; k < K; k++) {
      const to = (k - 1) * wide
      let level = params.intercepts[k] - params.intercepts[0]
      for (let j = 0; j < d; j++) {
        const difference = c[k * d + j] - c[j]
        beta[to + first + j] = difference
        level += difference * this.shift[j]
      }
      if (this.intercept) beta[to] = level
    }
    return beta
  }

  unpack(beta: Float64Array): SoftmaxParams {
    const { K, wide } = this
    const d = this.data.x.cols
    const first = this.intercept ? 1 : 0
    const intercepts = new Float64Array(K)
    const coefficients = matrix(K, d)
    const c = coefficients.values
    for (let k = 1; k < K; k++) {
      const from = (k - 1) * wide
      if (this.intercept) intercepts[k] = beta[from]
      for (let j = 0; j < d; j++) {
        c[k * d + j] = beta[from + first + j]
        intercepts[k] -= beta[from + first + j] * this.shift[j]
      }
    }
    centre(intercepts, K, 1)
    centre(c, K, d)
    return { intercepts, coefficients }
  }

  solve(start: Float64Array | undefined): { beta: Float64Array; problem: Problem | undefined } {
    const size = (this.K - 1) * this.wide
    let beta = start ?? new Float64Array(size)
    const g = new Float64Array(size)
    const H = new Float64Array(size * size)
    let value = this.evaluate(beta, g, H)
    let total = 0
    for (let i = 0; i < this.w.length; i++) total += this.w[i]
    for (let step = 0; step < MAX_STEPS; step++) {
      const f = factor(H, size)
      const move = Float64Array.from(g)
      solve(f, move)
      let decrement = 0
      for (let j = 0; j < size; j++) decrement += g[j] * move[j]
      const dependent = this.columnsOf(f.dependent)
      if (decrement <= 1e-14 * value || decrement < 1e-200) return { beta, problem: collinear(dependent) }
      if (this.ridge === 0 && value < SEPARATED * total) return { beta, problem: separable }
      let length = 1
      let next = moved(beta, move, length)
      let nextValue = this.evaluate(next, g, H)
      while (
        !(nextValue <= value - 1e-4 * length * decrement) &&
        length > 1e-10 &&
        decrement > 1e-13 * value
      ) {
        length /= 2
        next = moved(beta, move, length)
        nextValue = this.evaluate(next, g, H)
      }
      beta = next
      value = nextValue
    }
    const message = `Newton's method did not reach its tolerance in ${MAX_STEPS} steps`
    return { beta, problem: { reason: 'stalled', message } }
  }

  /** The objective, its negative gradient into g and the lower triangle of its Hessian into H. */
  private evaluate(beta: Float64Array, g: Float64Array, H: Float64Array): number {
    const { K, wide, w } = this
    const { x, y } = this.data
    const first = this.intercept ? 1 : 0
    const L = K - 1
    const size = L * wide
    const z = new Float64Array(wide).fill(1)
    const p = new Float64Array(L)
    g.fill(0)
    H.fill(0)
    let value = 0
    for (let i = 0; i < x.rows; i++) {
      if (w[i] === 0) continue
      for (let j = 0; j < x.cols; j++) z[first + j] = x.values[i * x.cols + j] - this.shift[j]
      value += w[i] * this.rowLoss(beta, z, p, y[i])
      for (let k = 0; k < L; k++) {
        const score = w[i] * ((y[i] === k + 1 ? 1 : 0) - p[k])
        for (let j = 0; j < wide; j++) g[k * wide + j] += score * z[j]
        for (let m = 0; m <= k; m++) {
          const curvature = w[i] * (k === m ? p[k] * (1 - p[k]) : -p[k] * p[m])
          for (let j = 0; j < wide; j++) {
            const cz = curvature * z[j]
            const row = (k * wide + j) * size + m * wide
            const last = k === m ? j : wide - 1
            for (let q = 0; q <= last; q++) H[row + q] += cz * z[q]
          }
        }
      }
    }
    return value + this.penalise(beta, g, H)
  }

  /** Loss of a row; P(class k + 1) into p. */
  private rowLoss(beta: Float64Array, z: Float64Array, p: Float64Array, label: number): number {
    const { wide } = this
    let most = 0
    for (let k = 0; k < p.length; k++) {
      let eta = 0
      for (let j = 0; j < wide; j++) eta += beta[k * wide + j] * z[j]
      p[k] = eta
      if (eta > most) most = eta
    }
    let sum = Math.exp(-most)
    for (let k = 0; k < p.length; k++) sum += Math.exp(p[k] - most)
    const loss = most + Math.log(sum) - (label === 0 ? 0 : p[label - 1])
    for (let k = 0; k < p.length; k++) p[k] = Math.exp(p[k] - most) / sum
    return loss
  }

  private penalise(beta: Float64Array, g: Float64Array, H: Float64Array): number {
    if (this.ridge === 0) return 0
    const { K, wide, ridge } = this
    const size = (K - 1) * wide
    let value = 0
    for (let j = this.intercept ? 1 : 0; j < wide; j++) {
      let mean = 0
      for (let k = 0; k < K - 1; k++) mean += beta[k * wide + j] / K
      for (let k = 0; k < K - 1; k++) {
        const at = k * wide + j
        value += 0.5 * ridge * beta[at] * (beta[at] - mean)
        g[at] -= ridge * (beta[at] - mean)
        for (let m = 0; m <= k; m++) H[at * size + m * wide + j] += ridge * ((k === m ? 1 : 0) - 1 / K)
      }
    }
    return value
  }

  /** Positions in beta as feature columns, each once. */
  private columnsOf(positions: readonly number[]): number[] {
    const first = this.intercept ? 1 : 0
    const columns = positions.map((at) => (at % this.wide) - first).filter((j) => j >= 0)
    return [...new Set(columns)]
  }
}

const separable: Problem = {
  reason: 'separable',
  message:
    'the classes of the rows that count can be told apart perfectly, so the coefficients grow without end; use a ridge penalty',
}

function moved(beta: Float64Array, by: Float64Array, length: number): Float64Array {
  const out = Float64Array.from(beta)
  for (let j = 0; j < out.length; j++) out[j] += length * by[j]
  return out
}

function columnMeans(x: Matrix): Float64Array {
  const out = new Float64Array(x.cols)
  for (let i = 0; i < x.values.length; i++) out[i % x.cols] += x.values[i] / x.rows
  return out
}

/** Subtracts from each of `cols` columns the mean over the K classes. */
function centre(values: Float64Array, K: number, cols: number): void {
  for (let j = 0; j < cols; j++) {
    let mean = 0
    for (let k = 0; k < K; k++) mean += values[k * cols + j] / K
    for (let k = 0; k < K; k++) values[k * cols + j] -= mean
  }
}
