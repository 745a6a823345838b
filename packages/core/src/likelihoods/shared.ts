import { checkLength, checkMatrix, checkSquares, checkWeights } from '../check.js'
import { gram } from '../kernels/gram.js'
import { mirrorLower } from '../linalg/symmetric.js'
import { type Matrix, matrix, rowVector, takeRows } from '../matrix.js'
import { columnSpreads } from './column-spreads.js'
import type { LinearErrors, LinearParams, Problem, Supervised, Unsupervised } from './likelihood.js'

/** The rows whose numbers are listed. */
export function takeSupervised({ x, y }: Supervised, rows: ArrayLike<number>): Supervised {
  return { x: takeRows(x, rows), y: Float64Array.from(rows, (i) => y[i]) }
}

export function takeUnsupervised({ x }: Unsupervised, rows: ArrayLike<number>): Unsupervised {
  return { x: takeRows(x, rows) }
}

/** sum v (1, x)(1, x)' or sum v x x': the information of a linear predictor. */
export function predictorInformation(x: Matrix, intercept: boolean, v: Float64Array): Matrix {
  const d = x.cols
  const G = new Float64Array(d * d)
  const g = new Float64Array(d)
  gram(x, new Float64Array(d), v, v, G, g)
  if (!intercept) return mirrorLower(matrix(d, d, G))
  const wide = d + 1
  const out = new Float64Array(wide * wide)
  for (let i = 0; i < v.length; i++) out[0] += v[i]
  for (let j = 0; j < d; j++) {
    out[(j + 1) * wide] = g[j]
    for (let k = 0; k <= j; k++) out[(j + 1) * wide + k + 1] = G[j * d + k]
  }
  return mirrorLower(matrix(wide, wide, out))
}

/** The columns less their means, which a few rows far out do not carry away, and these means. */
export function centreColumns(x: Matrix): { readonly x: Matrix; readonly means: Float64Array } {
  const { means } = columnSpreads(x)
  const centred = x.values.map((value, k) => value - means[k % x.cols])
  return { x: matrix(x.rows, x.cols, centred), means }
}

/** A model with a linear predictor on columns of mean 0. */
export function centredPredictor<P extends LinearParams>(
  data: Supervised,
  params: P,
): { data: Supervised; params: P } {
  const { x, means } = centreColumns(data.x)
  const intercept = params.coefficients.reduce((sum, c, j) => sum + c * means[j], params.intercept)
  return { data: { x, y: data.y }, params: { ...params, intercept } }
}

export function ones(n: number): Float64Array {
  return rowVector(n).fill(1)
}

/** The given weights, checked, or all ones. */
export function weightsOf(weights: Float64Array | undefined, rows: number): Float64Array {
  if (weights === undefined) return ones(rows)
  checkWeights('fit weights', weights, rows)
  return weights
}

export function collinear(columns: readonly number[]): Problem | undefined {
  if (columns.length === 0) return undefined
  const which = columns.length === 1 ? `column ${columns[0]} is` : `columns ${columns.join(', ')} are`
  return {
    reason: 'collinear',
    message: `${which} constant or a combination of the columns before; its coefficient is set to 0`,
    columns,
  }
}

/** theta + size * step */
export function advance(
  theta: LinearParams,
  intercept: number,
  coefficients: Float64Array,
  size: number,
): LinearParams {
  const next = theta.coefficients.slice()
  for (let j = 0; j < next.length; j++) next[j] += size * coefficients[j]
  return { intercept: theta.intercept + size * intercept, coefficients: next }
}

export function withProblem<P extends object>(params: P, problem: Problem | undefined): P {
  return problem === undefined ? params : { ...params, problem }
}

/** The intercept, where there is one, and the coefficients. */
export function linearVector(params: LinearParams, intercept: boolean): Float64Array {
  return intercept ? Float64Array.of(params.intercept, ...params.coefficients) : params.coefficients
}

/** The inverse of `linearVector`. */
export function linearErrors(vector: Float64Array, intercept: boolean): LinearErrors {
  return intercept
    ? { intercept: vector[0], coefficients: vector.slice(1) }
    : { intercept: 0, coefficients: vector.slice() }
}

/** The rows (1, x_i) or x_i, each times its factor: the gradients of a model with a linear predictor. */
export function scaledRows(x: Matrix, factors: Float64Array, intercept: boolean): Matrix {
  const first = intercept ? 1 : 0
  const out = matrix(x.rows, x.cols + first)
  for (let i = 0, to = 0; i < x.rows; i++) {
    if (intercept) out.values[to++] = factors[i]
    for (let j = 0; j < x.cols; j++) out.values[to++] = factors[i] * x.values[i * x.cols + j]
  }
  return out
}

/** Features and response: finite, of one length, at least one row. */
export function checkSupervised(data: Supervised): void {
  checkMatrix('x', data.x)
  checkLength('y', data.y, data.x.rows)
  checkSquares('y', data.y)
}

/** Too few rows to tell the parameters apart. */
export function fewRows(rows: number, parameters: number): Problem | undefined {
  if (rows >= parameters) return undefined
  return { reason: 'few-rows', message: `${rows} rows cannot determine ${parameters} parameters` }
}

/** The best coefficients are infinite. */
export const growing: Problem = {
  reason: 'separable',
  message:
    'the features tell the responses of the rows that count apart perfectly, so that no finite coefficients are best',
}

/** Nothing is left to measure distances by. */
export const exact: Problem = {
  reason: 'exact-fit',
  message: 'the model passes exactly through the rows that it trusts, so the scale is 0',
}

export const stalled: Problem = {
  reason: 'stalled',
  message: "Newton's method found no way down from where it stopped",
}
