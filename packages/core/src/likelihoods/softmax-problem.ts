import { type Matrix, matrix } from '../matrix.js'
import type { Params, Supervised } from './likelihood.js'

/** Intercepts and coefficients of each class. */
export interface SoftmaxParams extends Params {
  /** One for each class; they sum to 0. */
  readonly intercepts: Float64Array
  /** classes x features; every column sums to 0, so no class is special. */
  readonly coefficients: Matrix
}

/**
 * A weighted fit of softmax regression, as it is solved: class 0 is held at zero (only differences between classes are determined) and columns are
 * shifted by their means. The ridge penalty is that of the centred coefficients, so the choice of that class does not matter.
 */
export class SoftmaxProblem {
  readonly data: Supervised
  readonly w: Float64Array
  readonly K: number
  readonly intercept: boolean
  readonly ridge: Float64Array | undefined
  readonly wide: number
  readonly shift: Float64Array
  /** Rows of 1, where there is an intercept, and the shifted features. */
  readonly shifted: Float64Array

  constructor(
    data: Supervised,
    w: Float64Array,
    K: number,
    intercept: boolean,
    ridge: Float64Array | undefined,
  ) {
    this.data = data
    this.w = w
    this.K = K
    this.intercept = intercept
    this.ridge = ridge
    this.wide = data.x.cols + (intercept ? 1 : 0)
    this.shift = intercept ? columnMeans(data.x) : new Float64Array(data.x.cols)
    this.shifted = shiftedRows(data.x, this.shift, intercept)
  }

  origin(): Float64Array {
    return new Float64Array((this.K - 1) * this.wide)
  }

  /** Differences to class 0, on columns shifted by their means: (K - 1) x wide. */
  pack(params: SoftmaxParams): Float64Array {
    const { K, wide } = this
    const d = this.data.x.cols
    const first = this.intercept ? 1 : 0
    const c = params.coefficients.values
    const beta = this.origin()
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

  /** Loss of the row whose features begin there; P(class k + 1) into p. */
  rowLoss(beta: Float64Array, row: number, p: Float64Array, label: number): number {
    const { wide, shifted } = this
    let most = 0
    for (let k = 0; k < p.length; k++) {
      let eta = 0
      for (let j = 0; j < wide; j++) eta += beta[k * wide + j] * shifted[row + j]
      p[k] = eta
      if (eta > most) most = eta
    }
    let sum = Math.exp(-most)
    for (let k = 0; k < p.length; k++) sum += Math.exp(p[k] - most)
    const loss = most + Math.log(sum) - (label === 0 ? 0 : p[label - 1])
    for (let k = 0; k < p.length; k++) p[k] = Math.exp(p[k] - most) / sum
    return loss
  }
}

function shiftedRows({ rows, cols, values }: Matrix, shift: Float64Array, intercept: boolean): Float64Array {
  const out = new Float64Array(rows * (cols + (intercept ? 1 : 0)))
  for (let i = 0, to = 0; i < rows; i++) {
    if (intercept) out[to++] = 1
    for (let j = 0; j < cols; j++) out[to++] = values[i * cols + j] - shift[j]
  }
  return out
}

function columnMeans(x: Matrix): Float64Array {
  const out = new Float64Array(x.cols)
  for (let i = 0; i < x.values.length; ) for (let j = 0; j < x.cols; j++, i++) out[j] += x.values[i] / x.rows
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
