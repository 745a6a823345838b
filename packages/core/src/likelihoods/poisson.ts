import { checkShape } from '../check.js'
import { RlviError } from '../errors.js'
import { linearPredictor } from '../kernels/gram.js'
import { rowVector } from '../matrix.js'
import { type CountLikelihood, constantModel, type PoissonOptions } from './counts.js'
import { fitGlmFrom } from './glm.js'
import { logFactorial } from './log-gamma.js'
import { negativeBinomial } from './negative-binomial.js'
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

export type { PoissonOptions }

/** What `poisson` returns. */
export interface PoissonLikelihood extends CountLikelihood {}

/**
 * Poisson regression with a log link: y counts events, its mean is e^eta.
 *
 * @example
 * const data = { x: fromRows([[0], [1], [2], [3], [4], [5]]), y: Float64Array.of(1, 0, 2, 3, 5, 9) }
 * const { params } = ml(poisson(), data)
 * poisson().predict(fromRows([[6]]), params) // the expected count
 */
export function poisson(options: PoissonOptions = {}): PoissonLikelihood {
  const intercept = options.intercept ?? true

  return {
    name: 'poisson',
    dispersion: 0,
    withDispersion: (dispersion) =>
      dispersion === 0 ? poisson(options) : negativeBinomial(poisson(options), { ...options, dispersion }),
    rows: (data) => data.x.rows,

    check(data) {
      checkSupervised(data)
      const odd = data.y.findIndex((count) => count < 0 || !Number.isInteger(count))
      if (odd >= 0) {
        throw new RlviError(`poisson y[${odd}]`, 'counts must be whole and not negative', data.y[odd])
      }
    },

    fit(data, weights, start) {
      const { x, y } = data
      const w = weightsOf(weights, x.rows)
      const loss = (eta: Float64Array, scores: Float64Array, curvatures: Float64Array): number => {
        let sum = 0
        for (let i = 0; i < eta.length; i++) {
          const rate = Math.exp(eta[i])
          scores[i] = w[i] * (y[i] - rate)
          curvatures[i] = w[i] * rate
          sum += w[i] * (rate - y[i] * eta[i])
        }
        return sum
      }
      const problem = { x, intercept, weights: w, loss }
      const fitted = fitGlmFrom(problem, start, constantModel(data, w, intercept))
      const few = fewRows(x.rows, x.cols + (intercept ? 1 : 0))
      return withProblem(fitted.theta, few ?? fitted.problem)
    },

    losses(data, params, out) {
      linearPredictor(data.x, params.intercept, params.coefficients, out)
      for (let i = 0; i < out.length; i++) {
        out[i] = Math.exp(out[i]) - data.y[i] * out[i] + logFactorial(data.y[i])
      }
    },

    vector: (params) => linearVector(params, intercept),
    take: takeSupervised,
    ...(intercept ? { centred: centredPredictor } : {}),

    /** Any count in the range seen is as likely as any other. */
    reference(data, _params, out) {
      const most = data.y.reduce((a, b) => Math.max(a, b), 0)
      const least = data.y.reduce((a, b) => Math.min(a, b), most)
      out.fill(Math.log(most - least + 1))
    },

    information(data, params, weights) {
      const v = rowVector(data.x.rows)
      linearPredictor(data.x, params.intercept, params.coefficients, v)
      for (let i = 0; i < v.length; i++) {
        const rate = Math.exp(v[i])
        v[i] = weights[i] * (rate - (1 - weights[i]) * (rate - data.y[i]) ** 2)
      }
      return predictorInformation(data.x, intercept, v)
    },

    unflatten: (vector) => linearErrors(vector, intercept),

    gradients(data, params) {
      const factors = new Float64Array(data.x.rows)
      linearPredictor(data.x, params.intercept, params.coefficients, factors)
      for (let i = 0; i < factors.length; i++) factors[i] = Math.exp(factors[i]) - data.y[i]
      return scaledRows(data.x, factors, intercept)
    },

    predict(x, params) {
      checkShape('x', x)
      const out = new Float64Array(x.rows)
      linearPredictor(x, params.intercept, params.coefficients, out)
      for (let i = 0; i < out.length; i++) out[i] = Math.exp(out[i])
      return out
    },
  }
}
