import { checkShape } from '../check.js'
import { linearPredictor } from '../kernels/gram.js'
import { scratch } from '../kernels/scratch.js'
import { newtonStep } from '../linalg/newton-step.js'
import { rowVector } from '../matrix.js'
import type { Regression } from './capabilities.js'
import type { LinearErrors, LinearParams, Predictor, Problem, Supervised } from './likelihood.js'
import {
  advance,
  checkSupervised,
  collinear,
  exact,
  fewRows,
  linearErrors,
  linearVector,
  predictorInformation,
  scaledRows,
  takeSupervised,
  weightsOf,
  withProblem,
} from './shared.js'

/** Intercept, coefficients and the scale of the residuals. */
export interface LinearRegressionParams extends LinearParams {
  /** Weighted root mean square of the residuals. */
  readonly scale: number
}

/** Options of `linear`. */
export interface LinearOptions {
  /** Default true. */
  readonly intercept?: boolean
  /**
   * Whether the loss includes log(scale) + log(2 pi)/2. The paper's experiments leave it out (default), which makes
   * the loss free of units; with it, `losses` is the full negative log-density.
   */
  readonly normaliser?: boolean
}

/** What `linear` returns. */
export interface LinearLikelihood
  extends Predictor<LinearRegressionParams>,
    Regression<Supervised, LinearRegressionParams, LinearErrors> {}

/** Below this share of the response's size, residuals are rounding and the fit is exact. */
const EXACT = 1e-10

/** A scale of 0 is treated as this, so that distances stay finite. */
const SMALLEST = 1e-100

const residualVector = scratch()
const scoreVector = scratch()

/**
 * Linear regression, y ~ N(x theta, scale^2), with the scale profiled: l = r^2 / (2 scale^2).
 *
 * @example
 * const data = { x: fromRows([[0], [1], [2], [3], [4], [5]]), y: Float64Array.of(1, 3, 5.1, 7, 8.9, 11) }
 * const { params } = ml(linear(), data) // y is about 1 + 2 x
 * linear().predict(fromRows([[6]]), params) // about 13
 */
export function linear(options: LinearOptions = {}): LinearLikelihood {
  const intercept = options.intercept ?? true
  const normaliser = options.normaliser ?? false

  /** Weighted least squares on the residuals of a start; those of the result take their place. */
  function step(
    data: Supervised,
    w: Float64Array,
    start: LinearParams,
    residuals: Float64Array,
  ): LinearRegressionParams {
    const { x, y } = data
    const scores = scoreVector(x.rows)
    for (let i = 0; i < y.length; i++) scores[i] = w[i] * residuals[i]
    const { intercept: shift, coefficients, dependent } = newtonStep(x, intercept, w, scores)
    const theta = advance(start, shift, coefficients, 1)
    residualsOf(data, theta, residuals)
    const scale = Math.sqrt(weightedMeanSquare(residuals, w))
    const size = Math.sqrt(weightedMeanSquare(y, w))
    const few = fewRows(x.rows, x.cols + (intercept ? 1 : 0))
    return withProblem({ ...theta, scale }, few ?? collinear(dependent) ?? exactFit(scale, size))
  }

  return {
    name: 'linear',
    rows: (data) => data.x.rows,
    check: checkSupervised,

    fit(data, weights, start) {
      const { x, y } = data
      const w = weightsOf(weights, x.rows)
      const residuals = residualVector(x.rows)
      if (start !== undefined) {
        residualsOf(data, start, residuals)
        return step(data, w, start, residuals)
      }
      residuals.set(y)
      // The step is taken on residuals, so a second one from a cold start repairs what rounding lost in the first.
      const first = step(data, w, { intercept: 0, coefficients: new Float64Array(x.cols) }, residuals)
      return step(data, w, first, residuals)
    },

    refit(data, weights, start, residuals) {
      for (let i = 0; i < residuals.length; i++) residuals[i] *= start.scale
      const params = step(data, weights, start, residuals)
      const by = 1 / Math.max(params.scale, SMALLEST)
      for (let i = 0; i < residuals.length; i++) residuals[i] *= by
      return params
    },

    losses(data, params, out) {
      residualsOf(data, params, out)
      const precision = 1 / Math.max(params.scale, SMALLEST) ** 2
      const constant = normaliser ? Math.log(params.scale) + 0.5 * Math.log(2 * Math.PI) : 0
      for (let i = 0; i < out.length; i++) out[i] = 0.5 * out[i] * out[i] * precision + constant
    },

    vector: (params) => linearVector(params, intercept),

    take: takeSupervised,

    dimension: () => 1,

    squaredDistances(data, params, out) {
      residualsOf(data, params, out)
      const precision = 1 / Math.max(params.scale, SMALLEST) ** 2
      for (let i = 0; i < out.length; i++) out[i] = out[i] * out[i] * precision
    },

    logScale: (_, params) => Math.log(Math.max(params.scale, SMALLEST)),
    degreesOfFreedom: (data) => data.x.cols + (intercept ? 1 : 0),
    rescale: (params, factor) => ({ ...params, scale: params.scale * factor }),
    features: (data) => data.x,
    responses: (data) => data.y,
    predicted: (data, params, out) => linearPredictor(data.x, params.intercept, params.coefficients, out),

    residuals(data, params, out) {
      residualsOf(data, params, out)
      const by = 1 / Math.max(params.scale, SMALLEST)
      for (let i = 0; i < out.length; i++) out[i] *= by
    },

    design: (data, v) => predictorInformation(data.x, intercept, v),

    information(data, params, weights) {
      const v = rowVector(data.x.rows)
      residualsOf(data, params, v)
      const precision = 1 / params.scale ** 2
      for (let i = 0; i < v.length; i++) {
        v[i] = precision * weights[i] * (1 - (1 - weights[i]) * v[i] * v[i] * precision)
      }
      return predictorInformation(data.x, intercept, v)
    },

    unflatten: (vector) => linearErrors(vector, intercept),

    gradients(data, params) {
      const residuals = rowVector(data.x.rows)
      residualsOf(data, params, residuals)
      for (let i = 0; i < residuals.length; i++) residuals[i] /= -(params.scale ** 2)
      return scaledRows(data.x, residuals, intercept)
    },

    predict(x, params) {
      checkShape('x', x)
      const out = rowVector(x.rows)
      linearPredictor(x, params.intercept, params.coefficients, out)
      return out
    },
  }
}

export function exactFit(scale: number, size: number): Problem | undefined {
  return scale > EXACT * size ? undefined : exact
}

function weightedMeanSquare(values: Float64Array, weights: Float64Array): number {
  let sum = 0
  let total = 0
  for (let i = 0; i < values.length; i++) {
    sum += weights[i] * values[i] * values[i]
    total += weights[i]
  }
  return sum / total
}

function residualsOf(data: Supervised, theta: LinearParams, out: Float64Array): void {
  linearPredictor(data.x, theta.intercept, theta.coefficients, out)
  for (let i = 0; i < out.length; i++) out[i] = data.y[i] - out[i]
}
