import { covariance, linear, logistic, type Matrix, matrix, mean, pca, poisson, softmax } from 'rlvi'
import type { Fitted } from '../model/saved-model.js'

/** What a model says of rows. */
export interface Predictions {
  /** The expected value or rate, P(second class), or under softmax P(most probable class). */
  readonly predicted?: Float64Array
  /** The most probable class of each row, by position. */
  readonly suggested?: Int32Array
  /** Softmax: P(class), rows x classes. */
  readonly probabilities?: Matrix
  /** PCA: rows x components. */
  readonly scores?: Matrix
  /** Mean and covariance: how far each row lies from the centre, in units of the model's own spread. */
  readonly distances?: Float64Array
  /** PCA: what a row loses by projection. */
  readonly losses?: Float64Array
}

export function predictions(fitted: Fitted, x: Matrix): Predictions {
  switch (fitted.model) {
    case 'linear':
      return { predicted: linear().predict(x, { ...typed(fitted.params), scale: fitted.params.scale }) }
    case 'poisson':
      return { predicted: poisson().predict(x, typed(fitted.params)) }
    case 'logistic': {
      const predicted = logistic().predict(x, typed(fitted.params))
      return { predicted, suggested: Int32Array.from(predicted, (p) => (p > 0.5 ? 1 : 0)) }
    }
    case 'softmax':
      return mostProbable(fitted.params, x)
    case 'mean':
      return { distances: mean().distances(x, fitted.params) }
    case 'covariance': {
      const params = {
        mean: Float64Array.from(fitted.params.mean),
        covariance: table(fitted.params.covariance, x.cols),
      }
      return { distances: covariance().distances(x, params) }
    }
    case 'pca': {
      const components = table(fitted.params.components, x.cols)
      const params = { mean: Float64Array.from(fitted.params.mean), components }
      return pca({ components: components.rows }).project(x, params)
    }
  }
}

function typed(params: { intercept: number; coefficients: readonly number[] }): {
  intercept: number
  coefficients: Float64Array
} {
  return { intercept: params.intercept, coefficients: Float64Array.from(params.coefficients) }
}

function table(rows: readonly (readonly number[])[], cols: number): Matrix {
  return matrix(rows.length, cols, Float64Array.from(rows.flat()))
}

function mostProbable(params: Extract<Fitted, { model: 'softmax' }>['params'], x: Matrix): Predictions {
  const classes = params.intercepts.length
  const probabilities = softmax({ classes }).predict(x, {
    intercepts: Float64Array.from(params.intercepts),
    coefficients: table(params.coefficients, x.cols),
  })
  const predicted = new Float64Array(x.rows)
  const suggested = new Int32Array(x.rows)
  for (let i = 0; i < x.rows; i++) {
    for (let k = 0; k < classes; k++) {
      const p = probabilities.values[i * classes + k]!
      if (p <= predicted[i]!) continue
      predicted[i] = p
      suggested[i] = k
    }
  }
  return { predicted, suggested, probabilities }
}
