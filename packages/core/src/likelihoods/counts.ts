import type { Discrete } from './capabilities.js'
import type { LinearErrors, LinearParams, Predictor, Supervised } from './likelihood.js'

/** Options of `poisson`. */
export interface PoissonOptions {
  /** Default true. */
  readonly intercept?: boolean
}

/** A law of counts whose mean is e^eta. */
export interface CountLikelihood
  extends Predictor<LinearParams>,
    Discrete<Supervised, LinearParams, LinearErrors> {
  /** The variance of a count of mean m is m + dispersion m^2. */
  readonly dispersion: number
  /** The same predictor under a law of another dispersion: Poisson's for 0, else negative binomial. */
  withDispersion(dispersion: number): CountLikelihood
}

/** The model without features: Newton converges from there. */
export function constantModel({ x, y }: Supervised, w: Float64Array, intercept: boolean): LinearParams {
  let sum = 0
  let total = 0
  for (let i = 0; i < y.length; i++) {
    sum += w[i] * y[i]
    total += w[i]
  }
  return {
    intercept: intercept && sum > 0 ? Math.log(sum / total) : 0,
    coefficients: new Float64Array(x.cols),
  }
}
