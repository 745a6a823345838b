import { type ErrorLaw, type Matrix, matrix, RlviError, studentQuantile } from 'rlvi'
import { mostParameters } from '../fit/standard-errors.js'
import type { Fitted, SavedModel, Uncertainty } from '../model/saved-model.js'
import type { Words } from '../words.js'
import type { Predictions } from './predictions.js'

/** 90 % intervals of predictions, an entry for each row. */
export interface PredictionIntervals {
  readonly low: Float64Array
  readonly high: Float64Array
  /** Softmax: those of P(class), rows x classes; `low` and `high` are of the suggested class. */
  readonly classes?: { readonly low: Matrix; readonly high: Matrix }
}

/**
 * Of a linear model, where a good row's value lies: as far off as good rows scatter, and as the parameters are unknown. Of
 * labels and counts, where P(class) or the rate lies: as far off as the parameters are unknown.
 */
export function predictionIntervals(
  model: SavedModel,
  x: Matrix,
  predicted: Predictions,
  words: Words,
): PredictionIntervals {
  const { fitted, uncertainty, errors } = model
  const where = words.option('intervals')
  if (fitted.model === 'mean' || fitted.model === 'covariance' || fitted.model === 'pca') {
    const todo = 'leave it out: distances and scores describe the row itself, nothing is predicted'
    throw new RlviError(where, 'are for models that predict a target', fitted.model, todo)
  }
  if (uncertainty === undefined) {
    const rule = 'a model with the covariance of its parameters is needed'
    const todo = `fit it again by ${words.option('method', 'calibrated')}, to labels that overlap, with at most ${mostParameters} parameters`
    throw new RlviError(where, rule, 'none', todo)
  }
  if (fitted.model === 'softmax') return classIntervals(x, predicted, uncertainty)
  const { intercept, coefficients } = fitted.params
  const scatter = fitted.model === 'linear' ? reachOfErrors(errors, uncertainty) * fitted.params.scale : 0
  const low = new Float64Array(x.rows)
  const high = new Float64Array(x.rows)
  const z = designRow(x, uncertainty.covariance.length)
  for (let i = 0; i < x.rows; i++) {
    const row = z(i)
    let eta = intercept
    for (let j = 0; j < x.cols; j++) eta += row[row.length - x.cols + j]! * coefficients[j]!
    const error = Math.sqrt(Math.max(quadratic(uncertainty.covariance, row), 0))
    const off = Math.hypot(uncertainty.within * error, scatter)
    low[i] = responseAt(fitted.model, eta - off)
    high[i] = responseAt(fitted.model, eta + off)
  }
  return { low, high }
}

/**
 * P(class) by its log odds against all other classes, which has no bounds: those move by 1 with the class's own linear
 * predictor, and by -P(other) / (1 - P(class)) with that of another.
 */
function classIntervals(
  x: Matrix,
  { probabilities, suggested }: Predictions,
  { covariance, within }: Uncertainty,
): PredictionIntervals {
  const K = probabilities!.cols
  const [lows, highs] = [matrix(x.rows, K), matrix(x.rows, K)]
  const size = covariance.length / K
  const z = designRow(x, size)
  const direction = new Float64Array(covariance.length)
  for (let i = 0; i < x.rows; i++) {
    const row = z(i)
    const p = probabilities!.values.subarray(i * K, (i + 1) * K)
    for (let k = 0; k < K; k++) {
      const others = p.reduce((sum, value, l) => (l === k ? sum : sum + value), 0)
      const odds = p[k]! / others
      if (!(odds > 0 && odds < Number.POSITIVE_INFINITY)) {
        lows.values[i * K + k] = highs.values[i * K + k] = p[k]!
        continue
      }
      for (let l = 0; l < K; l++) {
        const slope = l === k ? 1 : -p[l]! / others
        for (let a = 0; a < size; a++) direction[l * size + a] = slope * row[a]!
      }
      const off = within * Math.sqrt(Math.max(quadratic(covariance, direction), 0))
      lows.values[i * K + k] = sigmoid(Math.log(odds) - off)
      highs.values[i * K + k] = sigmoid(Math.log(odds) + off)
    }
  }
  const ofSuggested = (all: Matrix): Float64Array =>
    Float64Array.from(suggested!, (k, i) => all.values[i * K + k]!)
  return { low: ofSuggested(lows), high: ofSuggested(highs), classes: { low: lows, high: highs } }
}

/** The features of a row, after a 1 where there are more parameters than features: an intercept. */
function designRow({ cols, values }: Matrix, size: number): (i: number) => Float64Array {
  const row = new Float64Array(size).fill(1)
  return (i) => {
    row.set(values.subarray(i * cols, (i + 1) * cols), size - cols)
    return row
  }
}

/** z' C z, by the lower triangle of C. */
function quadratic(covariance: Uncertainty['covariance'], z: Float64Array): number {
  let sum = 0
  for (let a = 0; a < z.length; a++) {
    const row = covariance[a]!
    let before = 0
    for (let b = 0; b < a; b++) before += z[b]! * row[b]!
    sum += z[a]! * (2 * before + z[a]! * row[a]!)
  }
  return sum
}

/** How many standard deviations good rows' errors reach with a probability of 90 %. */
function reachOfErrors(errors: ErrorLaw | undefined, { within }: Uncertainty): number {
  const nu = errors?.degreesOfFreedom
  if (nu === undefined || nu <= 2) return within
  return studentQuantile(0.1, nu) * Math.sqrt((nu - 2) / nu)
}

function responseAt(model: Exclude<Fitted['model'], 'softmax'>, eta: number): number {
  if (model === 'linear') return eta
  return model === 'poisson' ? Math.exp(eta) : sigmoid(eta)
}

function sigmoid(eta: number): number {
  return 1 / (1 + Math.exp(-eta))
}
