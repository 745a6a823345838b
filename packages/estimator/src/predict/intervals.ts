import { type ErrorLaw, type Matrix, RlviError, studentQuantile } from 'rlvi'
import type { SavedModel, Uncertainty } from '../model/saved-model.js'
import type { Words } from '../words.js'

/** 90 % intervals of predictions, an entry for each row. */
export interface PredictionIntervals {
  readonly low: Float64Array
  readonly high: Float64Array
}

/**
 * Of a linear model, where a good row's value lies: as far off as good rows scatter, and as the parameters are unknown. Of
 * labels and counts, where P(second class) or the rate lies: as far off as the parameters are unknown.
 */
export function predictionIntervals(model: SavedModel, x: Matrix, words: Words): PredictionIntervals {
  const { fitted, uncertainty, errors } = model
  const where = words.option('intervals')
  if (fitted.model !== 'linear' && fitted.model !== 'logistic' && fitted.model !== 'poisson')
    throw new RlviError(where, 'are for linear, logistic and poisson models', fitted.model, 'leave it out')
  if (uncertainty === undefined) {
    const todo = 'fit it again with the method calibrated, on labels that overlap and at most 99 features'
    throw new RlviError(where, 'a model with the covariance of its parameters is needed', 'none', todo)
  }
  const { intercept, coefficients } = fitted.params
  const scatter = fitted.model === 'linear' ? reachOfErrors(errors, uncertainty) * fitted.params.scale : 0
  const low = new Float64Array(x.rows)
  const high = new Float64Array(x.rows)
  for (let i = 0; i < x.rows; i++) {
    const row = x.values.subarray(i * x.cols, (i + 1) * x.cols)
    let eta = intercept
    for (let j = 0; j < row.length; j++) eta += row[j]! * coefficients[j]!
    const off = Math.hypot(uncertainty.within * errorOf(row, uncertainty), scatter)
    low[i] = responseAt(fitted.model, eta - off)
    high[i] = responseAt(fitted.model, eta + off)
  }
  return { low, high }
}

/** The standard error of a row's linear predictor. */
function errorOf(row: Float64Array, { covariance }: Uncertainty): number {
  const first = covariance.length - row.length
  const z = (a: number): number => (a < first ? 1 : row[a - first]!)
  let sum = 0
  for (let a = 0; a < covariance.length; a++)
    for (let b = 0; b < covariance.length; b++) sum += z(a) * z(b) * covariance[a]![b]!
  return Math.sqrt(Math.max(sum, 0))
}

/** How many standard deviations good rows' errors reach with a probability of 90 %. */
function reachOfErrors(errors: ErrorLaw | undefined, { within }: Uncertainty): number {
  const nu = errors?.degreesOfFreedom
  if (nu === undefined || nu <= 2) return within
  return studentQuantile(0.1, nu) * Math.sqrt((nu - 2) / nu)
}

function responseAt(model: 'linear' | 'logistic' | 'poisson', eta: number): number {
  if (model === 'linear') return eta
  return model === 'poisson' ? Math.exp(eta) : 1 / (1 + Math.exp(-eta))
}
