import type { Matrix } from 'rlvi'
import type { Fitted } from '../model-file.js'

/** The fit sees (x - centre) / scale, so that neither the ridge penalty nor the stopping rule depends on units. */
export interface Units {
  readonly centre: Float64Array
  readonly scale: Float64Array
}

export interface Spread {
  readonly mean: number
  /** Standard deviation, 0 where it is nothing but rounding. */
  readonly sd: number
  readonly rootMeanSquare: number
}

/** Mean and spread of column j, safe from overflow. */
export function spread(x: Matrix, j: number): Spread {
  const { rows, cols, values } = x
  let largest = 0
  for (let at = j; at < values.length; at += cols) largest = Math.max(largest, Math.abs(values[at]!))
  if (largest === 0) return { mean: 0, sd: 0, rootMeanSquare: 0 }
  let mean = 0
  for (let at = j; at < values.length; at += cols) mean += values[at]! / largest / rows
  let about = 0
  for (let at = j; at < values.length; at += cols) about += (values[at]! / largest - mean) ** 2
  const sd = Math.sqrt(about / rows)
  return {
    mean: mean * largest,
    sd: sd > 1e-12 ? sd * largest : 0,
    rootMeanSquare: Math.hypot(sd, mean) * largest,
  }
}

/**
 * Standardises, in place, the columns that hold numbers; indicators keep their 0 and 1. Without an intercept a shift
 * would change the model, so columns are scaled only.
 */
export function standardise(x: Matrix, isNumber: readonly boolean[], intercept: boolean): Units {
  const centre = new Float64Array(x.cols)
  const scale = new Float64Array(x.cols).fill(1)
  for (let j = 0; j < x.cols; j++) {
    if (!isNumber[j]) continue
    const { mean, sd, rootMeanSquare } = spread(x, j)
    centre[j] = intercept ? mean : 0
    scale[j] = (intercept ? sd : rootMeanSquare) || 1
    for (let at = j; at < x.values.length; at += x.cols)
      x.values[at] = (x.values[at]! - centre[j]!) / scale[j]!
  }
  return { centre, scale }
}

/** The model for x and y as the user has them, from the model for (x - centre) / scale and (y - centre) / scale. */
export function inUserUnits(fitted: Fitted, x: Units, y: { centre: number; scale: number }): Fitted {
  const back = (coefficients: readonly number[]): number[] =>
    coefficients.map((value, j) => (value / x.scale[j]!) * y.scale)
  const shift = (coefficients: readonly number[]): number =>
    coefficients.reduce((sum, value, j) => sum + (value * x.centre[j]!) / x.scale[j]!, 0)
  switch (fitted.model) {
    case 'linear':
    case 'logistic':
    case 'poisson': {
      const { intercept, coefficients } = fitted.params
      const params = {
        intercept: (intercept - shift(coefficients)) * y.scale + y.centre,
        coefficients: back(coefficients),
      }
      if (fitted.model !== 'linear') return { model: fitted.model, params }
      return { model: 'linear', params: { ...params, scale: fitted.params.scale * y.scale } }
    }
    case 'softmax': {
      const { intercepts, coefficients } = fitted.params
      const params = {
        intercepts: intercepts.map((value, k) => value - shift(coefficients[k]!)),
        coefficients: coefficients.map(back),
      }
      return { model: 'softmax', params }
    }
    default:
      return fitted
  }
}
