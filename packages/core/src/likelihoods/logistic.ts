import { checkShape } from '../check.js'
import { RlviError } from '../errors.js'
import { linearPredictor } from '../kernels/gram.js'
import { type Matrix, matrix, rowVector, takeRows } from '../matrix.js'
import type { Classes, Discrete, Prior } from './capabilities.js'
import { fitGlmFrom } from './glm.js'
import type { LinearErrors, LinearParams, Predictor, Problem, Supervised } from './likelihood.js'
import { checkRidge, logPrior, type Ridge, ridgeOf, strengthenRidge } from './ridge.js'
import {
  centredPredictor,
  checkSupervised,
  fewRows,
  linearErrors,
  linearVector,
  predictorInformation,
  scaledRows,
  takeSupervised,
  weightsOf,
  withProblem,
} from './shared.js'

/** Options of `logistic`. */
export interface LogisticOptions {
  /** Default true. */
  readonly intercept?: boolean
  /** The fit minimises sum w l + ridge/2 |coefficients|^2 (the intercept goes free). Default 0. */
  readonly ridge?: Ridge
  /**
   * The slips of the authors' released code: every row's loss is -log P(y = 0), whatever its label, and SEVER's
   * gradient has y eta in place of y. The paper's figure was made with them.
   */
  readonly asReleased?: boolean
}

/** What `logistic` returns. */
export interface LogisticLikelihood
  extends Predictor<LinearParams>,
    Discrete<Supervised, LinearParams, LinearErrors> {
  readonly prior: Prior<Supervised, LinearParams, LinearErrors>
}

/** A mean loss below this means that nothing but infinite coefficients would be better. */
const SEPARATED = 1e-7

/**
 * Logistic regression: y is 0 or 1, P(y = 1) = 1 / (1 + e^-eta), the loss is the cross-entropy.
 *
 * @example
 * const data = { x: fromRows([[0], [1], [2], [3], [4], [5]]), y: Float64Array.of(0, 0, 1, 0, 1, 1) }
 * const { params } = ml(logistic({ ridge: 0.01 }), data)
 * logistic().predict(fromRows([[5]]), params) // P(y = 1)
 */
export function logistic(options: LogisticOptions = {}): LogisticLikelihood {
  return logisticOf(options, 'full')
}

/** Rough fits from a start are within a thousandth of a standard error: for searches. */
function logisticOf(options: LogisticOptions, accuracy: 'full' | 'rough'): LogisticLikelihood {
  const intercept = options.intercept ?? true
  const ridge = options.ridge ?? 0
  const asReleased = options.asReleased ?? false
  checkRidge('logistic ridge', ridge)

  return {
    name: 'logistic',
    rows: (data) => data.x.rows,

    check(data) {
      checkSupervised(data)
      const odd = data.y.findIndex((label) => label !== 0 && label !== 1)
      if (odd >= 0) throw new RlviError(`logistic y[${odd}]`, 'labels must be 0 or 1', data.y[odd])
    },

    fit(data, weights, start) {
      const { x, y } = data
      const w = weightsOf(weights, x.rows)
      const each = ridgeOf(ridge, x.cols)
      const single = oneClass(y, w)
      const cold: LinearParams = { intercept: 0, coefficients: new Float64Array(x.cols) }
      if (single !== undefined && each === undefined) return withProblem(start ?? cold, single)
      const loss = (eta: Float64Array, scores: Float64Array, curvatures: Float64Array): number => {
        let sum = 0
        for (let i = 0; i < eta.length; i++) {
          const p = sigmoid(eta[i])
          scores[i] = w[i] * (y[i] - p)
          curvatures[i] = w[i] * p * (1 - p)
          sum += w[i] * crossEntropy(eta[i], y[i])
        }
        return sum
      }
      const total = w.reduce((sum, weight) => sum + weight, 0)
      const problem = {
        x,
        intercept,
        weights: w,
        loss,
        ...(each === undefined ? { enough: SEPARATED * total } : { ridge: each }),
        ...(start === undefined ? {} : { accuracy }),
      }
      const fitted = fitGlmFrom(problem, start, cold)
      const few = each !== undefined ? undefined : fewRows(x.rows, x.cols + (intercept ? 1 : 0))
      return withProblem(fitted.theta, single ?? few ?? fitted.problem)
    },

    losses(data, params, out) {
      linearPredictor(data.x, params.intercept, params.coefficients, out)
      for (let i = 0; i < out.length; i++) out[i] = crossEntropy(out[i], asReleased ? 0 : data.y[i])
    },

    vector: (params) => linearVector(params, intercept),
    take: takeSupervised,
    ...(intercept ? { centred: centredPredictor } : {}),
    labels: 2,
    reference: (_data, _params, out) => void out.fill(Math.LN2),
    prior: {
      intercepts: intercept ? 1 : 0,
      penalty: ({ coefficients }) => logPrior(ridgeOf(ridge, coefficients.length), coefficients),
      strengthened: (data, strength, own) =>
        logisticOf(
          { ...options, ridge: strengthenRidge(own === 'kept' ? ridge : 0, data.x, strength) },
          own === 'kept' ? 'full' : 'rough',
        ),
    },

    information(data, params, weights) {
      const v = rowVector(data.x.rows)
      linearPredictor(data.x, params.intercept, params.coefficients, v)
      for (let i = 0; i < v.length; i++) {
        const p = sigmoid(v[i])
        v[i] = weights[i] * (p * (1 - p) - (1 - weights[i]) * (p - data.y[i]) ** 2)
      }
      return withRidge(predictorInformation(data.x, intercept, v), ridgeOf(ridge, data.x.cols), intercept)
    },

    // The released losses are no probabilities of labels.
    ...(asReleased ? {} : { classes: classesOf(intercept, ridge) }),

    unflatten: (vector) => linearErrors(vector, intercept),

    gradients(data, params) {
      const factors = new Float64Array(data.x.rows)
      linearPredictor(data.x, params.intercept, params.coefficients, factors)
      for (let i = 0; i < factors.length; i++) {
        const eta = factors[i]
        factors[i] = sigmoid(eta) - data.y[i] * (asReleased ? eta : 1)
      }
      return scaledRows(data.x, factors, intercept)
    },

    predict(x, params) {
      checkShape('x', x)
      const out = new Float64Array(x.rows)
      linearPredictor(x, params.intercept, params.coefficients, out)
      for (let i = 0; i < out.length; i++) out[i] = sigmoid(out[i])
      return out
    },
  }
}

/** What the habits of wrong labels are learned by. */
function classesOf(intercept: boolean, ridge: Ridge): Classes<Supervised, LinearParams> {
  return {
    given: (data) => data.y,
    labelled: ({ x }, rows, classes) => ({ x: takeRows(x, rows), y: classes }),
    probabilities({ x }, params) {
      const eta = rowVector(x.rows)
      linearPredictor(x, params.intercept, params.coefficients, eta)
      const out = matrix(x.rows, 2)
      // Each from its own side, so that neither is rounded away.
      for (let i = 0; i < x.rows; i++) out.values.set([sigmoid(-eta[i]), sigmoid(eta[i])], 2 * i)
      return out
    },
    information({ x }, params, posterior) {
      const v = rowVector(x.rows)
      linearPredictor(x, params.intercept, params.coefficients, v)
      for (let i = 0; i < v.length; i++) {
        const q = posterior.values[2 * i + 1]
        v[i] = sigmoid(v[i]) * sigmoid(-v[i]) - q * (1 - q)
      }
      return withRidge(predictorInformation(x, intercept, v), ridgeOf(ridge, x.cols), intercept)
    },
  }
}

/** The penalty's share of the information; the intercept goes free. */
function withRidge(information: Matrix, ridge: Float64Array | undefined, intercept: boolean): Matrix {
  if (ridge === undefined) return information
  const first = intercept ? 1 : 0
  const size = ridge.length + first
  for (let j = 0; j < ridge.length; j++) information.values[(first + j) * (size + 1)] += ridge[j]
  return information
}

function oneClass(y: Float64Array, w: Float64Array): Problem | undefined {
  let positive = 0
  let negative = 0
  for (let i = 0; i < y.length; i++) {
    if (y[i] === 1) positive += w[i]
    else negative += w[i]
  }
  if (positive > 0 && negative > 0) return undefined
  return { reason: 'one-class', message: `all rows that count have the label ${positive > 0 ? 1 : 0}` }
}

function sigmoid(eta: number): number {
  if (eta >= 0) return 1 / (1 + Math.exp(-eta))
  const e = Math.exp(eta)
  return e / (1 + e)
}

/** -log P(y), stable for any eta. */
function crossEntropy(eta: number, y: number): number {
  return Math.log1p(Math.exp(-Math.abs(eta))) + Math.max(eta, 0) - y * eta
}
