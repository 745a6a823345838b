import { covariance, linear, logistic, type Matrix, matrix, poisson, softmax } from 'rlvi'
import type { Fitted } from './model-file.js'

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
  readonly distance?: Float64Array
  /** PCA: what a row loses by projection. */
  readonly loss?: Float64Array
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
      return { distance: distances(fitted.params, x) }
    case 'covariance':
      return { distance: mahalanobis(fitted.params, x) }
    case 'pca':
      return projected(fitted.params, x)
  }
}

function typed(params: { intercept: number; coefficients: readonly number[] }): {
  intercept: number
  coefficients: Float64Array
} {
  return { intercept: params.intercept, coefficients: Float64Array.from(params.coefficients) }
}

function square(rows: readonly (readonly number[])[], cols: number): Matrix {
  return matrix(rows.length, cols, Float64Array.from(rows.flat()))
}

type ParamsOf<M extends Fitted['model']> = Extract<Fitted, { model: M }>['params']

function mostProbable(params: ParamsOf<'softmax'>, x: Matrix): Predictions {
  const classes = params.intercepts.length
  const probabilities = softmax({ classes }).predict(x, {
    intercepts: Float64Array.from(params.intercepts),
    coefficients: square(params.coefficients, x.cols),
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

function distances({ mean, scale }: ParamsOf<'mean'>, x: Matrix): Float64Array {
  const out = new Float64Array(x.rows)
  for (let i = 0, at = 0; i < x.rows; i++) {
    let sum = 0
    for (let j = 0; j < x.cols; j++, at++) {
      const off = x.values[at]! - mean[j]!
      // A column without spread puts every other value infinitely far away.
      if (off !== 0) sum += (off / scale[j]!) ** 2
    }
    out[i] = Math.sqrt(sum)
  }
  return out
}

function mahalanobis(params: ParamsOf<'covariance'>, x: Matrix): Float64Array {
  const all = { mean: Float64Array.from(params.mean), covariance: square(params.covariance, x.cols) }
  const loss = new Float64Array(x.rows)
  const least = new Float64Array(1)
  const likelihood = covariance()
  likelihood.losses({ x }, all, loss)
  // The loss is half the squared distance and a constant, which is the loss of the mean itself.
  likelihood.losses({ x: matrix(1, x.cols, all.mean) }, all, least)
  return loss.map((l) => Math.sqrt(Math.max(0, 2 * (l - least[0]!))))
}

function projected(params: ParamsOf<'pca'>, x: Matrix): Predictions {
  const loss = new Float64Array(x.rows)
  const scores = matrix(x.rows, params.components.length)
  const z = new Float64Array(x.cols)
  for (let i = 0; i < x.rows; i++) {
    let rest = 0
    for (let j = 0; j < x.cols; j++) {
      z[j] = x.values[i * x.cols + j]! - params.mean[j]!
      rest += z[j]! ** 2
    }
    params.components.forEach((component, c) => {
      const along = component.reduce((sum, entry, j) => sum + entry * z[j]!, 0)
      scores.values[i * scores.cols + c] = along
      rest -= along ** 2
    })
    loss[i] = Math.max(rest, 0)
  }
  return { scores, loss }
}
