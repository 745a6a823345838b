import { RlviError } from '../errors.js'
import { linearPredictor } from '../kernels/gram.js'
import { rowVector } from '../matrix.js'
import { type CountLikelihood, constantModel, type PoissonOptions } from './counts.js'
import { fitGlmFrom } from './glm.js'
import { logFactorial, logGamma } from './log-gamma.js'
import { fewRows, predictorInformation, scaledRows, weightsOf, withProblem } from './shared.js'

/** Options of `negativeBinomial`. */
export interface NegativeBinomialOptions extends PoissonOptions {
  /** The variance of a count of mean m is m + dispersion m^2. */
  readonly dispersion: number
}

/**
 * Negative binomial regression with a log link and a known dispersion: counts that scatter more than Poisson's, because
 * their rates do (a gamma law of the rates, with the variance `dispersion` about 1). What the two laws share is Poisson's.
 */
export function negativeBinomial(
  poisson: CountLikelihood,
  options: NegativeBinomialOptions,
): CountLikelihood {
  const { dispersion } = options
  if (!(dispersion > 0 && dispersion < Number.POSITIVE_INFINITY))
    throw new RlviError('negativeBinomial dispersion', 'must be above 0 and finite', dispersion)
  const intercept = options.intercept ?? true

  return {
    ...poisson,
    name: 'negative-binomial',
    dispersion,

    fit(data, weights, start) {
      const { x, y } = data
      const w = weightsOf(weights, x.rows)
      const loss = (eta: Float64Array, scores: Float64Array, curvatures: Float64Array): number => {
        let sum = 0
        for (let i = 0; i < eta.length; i++) {
          const rate = Math.exp(eta[i])
          const spread = 1 + dispersion * rate
          scores[i] = (w[i] * (y[i] - rate)) / spread
          curvatures[i] = (w[i] * (rate / spread) * (1 + dispersion * y[i])) / spread
          sum += w[i] * ((y[i] + 1 / dispersion) * Math.log1p(dispersion * rate) - y[i] * eta[i])
        }
        return sum
      }
      const fitted = fitGlmFrom({ x, intercept, weights: w, loss }, start, constantModel(data, w, intercept))
      const few = fewRows(x.rows, x.cols + (intercept ? 1 : 0))
      return withProblem(fitted.theta, few ?? fitted.problem)
    },

    losses(data, params, out) {
      linearPredictor(data.x, params.intercept, params.coefficients, out)
      for (let i = 0; i < out.length; i++) {
        const y = data.y[i]
        const spread = Math.log1p(dispersion * Math.exp(out[i]))
        out[i] =
          (y + 1 / dispersion) * spread - y * out[i] + logFactorial(y) - logRisingFactorial(y, dispersion)
      }
    },

    information(data, params, weights) {
      const v = rowVector(data.x.rows)
      linearPredictor(data.x, params.intercept, params.coefficients, v)
      for (let i = 0; i < v.length; i++) {
        const rate = Math.exp(v[i])
        const spread = 1 + dispersion * rate
        const curvature = ((rate / spread) * (1 + dispersion * data.y[i])) / spread
        v[i] = weights[i] * (curvature - (1 - weights[i]) * ((rate - data.y[i]) / spread) ** 2)
      }
      return predictorInformation(data.x, intercept, v)
    },

    gradients(data, params) {
      const factors = new Float64Array(data.x.rows)
      linearPredictor(data.x, params.intercept, params.coefficients, factors)
      for (let i = 0; i < factors.length; i++) {
        const rate = Math.exp(factors[i])
        factors[i] = (rate - data.y[i]) / (1 + dispersion * rate)
      }
      return scaledRows(data.x, factors, intercept)
    },
  }
}

/** log of the product of 1 + dispersion j over j < y: what is left of Gamma(y + 1 / dispersion) / Gamma(1 / dispersion). */
function logRisingFactorial(y: number, dispersion: number): number {
  if (y < 64) {
    let sum = 0
    for (let j = 1; j < y; j++) sum += Math.log1p(dispersion * j)
    return sum
  }
  const shape = 1 / dispersion
  return logGamma(y + shape) - logGamma(shape) - y * Math.log(shape)
}
