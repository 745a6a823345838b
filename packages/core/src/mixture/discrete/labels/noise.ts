import { type Matrix, matrix } from '../../../matrix.js'

/** How labels go wrong: (1 - t) I + t H, with P(given y | true c) of each label H where t = 1. */
export interface Noise {
  /** classes x classes; every row sums to 1. */
  readonly habits: Matrix
  /** Share of wrong labels at t = 1. */
  readonly most: number
}

/** Any label, each as likely as another. */
export function uniformNoise(labels: number): Noise {
  return {
    habits: matrix(labels, labels, new Float64Array(labels * labels).fill(1 / labels)),
    most: (labels - 1) / labels,
  }
}

/** P(given y | true c) at t. */
export function noiseAt({ habits }: Noise, t: number): Matrix {
  const K = habits.cols
  return matrix(
    K,
    K,
    habits.values.map((h, k) => t * h + (k % (K + 1) === 0 ? 1 - t : 0)),
  )
}

/**
 * The noise that goes through a matrix: the share of wrong labels grows, each pair of classes by the same factor, up to
 * where in one class no label is righter than a random one.
 */
export function noiseThrough(T: Matrix, shares: Float64Array): Noise {
  const K = T.cols
  let wrong = 0
  let rate = 0
  for (let c = 0; c < K; c++) {
    wrong += shares[c] * (1 - T.values[c * K + c])
    rate = Math.max(rate, 1 - T.values[c * K + c])
  }
  const factor = (K - 1) / K / rate
  return {
    habits: matrix(
      K,
      K,
      T.values.map((value, k) => (k % (K + 1) === 0 ? 1 - factor * (1 - value) : factor * value)),
    ),
    most: factor * wrong,
  }
}

/** P(true class) of rows of which P(class) by their features and the given label are known, and log P(given label). */
export function posteriorOf(
  p: Matrix,
  given: Float64Array,
  T: Matrix,
): { readonly posterior: Matrix; readonly logs: Float64Array } {
  const K = p.cols
  const posterior = matrix(p.rows, K)
  const logs = new Float64Array(p.rows)
  for (let i = 0; i < p.rows; i++) {
    let sum = 0
    for (let c = 0; c < K; c++) {
      const joint = p.values[i * K + c] * T.values[c * K + given[i]]
      posterior.values[i * K + c] = joint
      sum += joint
    }
    // A label that cannot be: no class explains it, and the features alone speak.
    for (let c = 0; c < K; c++)
      posterior.values[i * K + c] = sum > 0 ? posterior.values[i * K + c] / sum : p.values[i * K + c]
    logs[i] = Math.log(Math.max(sum, Number.MIN_VALUE))
  }
  return { posterior, logs }
}
