import { exactEStep } from '../inference/exact.js'
import type { Likelihood, Params } from '../likelihoods/likelihood.js'
import type { ReferenceModel } from './reference-fit.js'
import { inverse } from './standard-errors.js'

/** With more rows than this for each parameter, a single row moves the fit too little to matter. */
const ROWS_PER_PARAMETER = 1000

/**
 * The level and P(good) of rows freed of their own pull. A fit bends a little towards every row, and most towards the wrong
 * ones, so that it finds too few of them. To first order the loss of a row left out of the fit is larger by
 * w g' A^-1 g, with its gradient g and the information A; its loss under the true model lies half way between.
 */
export function withoutOwnPull<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  model: ReferenceModel<P>,
): { readonly level: number; readonly weights: Float64Array } {
  const n = likelihood.rows(data)
  const size = likelihood.vector(model.params).length
  if (likelihood.gradients === undefined || likelihood.information === undefined) return model
  if (model.params.problem !== undefined || model.level === 0 || n > ROWS_PER_PARAMETER * size) return model
  const gradients = likelihood.gradients(data, model.params).values
  const covariance = inverse(likelihood.information(data, model.params, model.weights), size)
  const ratios = new Float64Array(n)
  const pull = new Float64Array(n)
  const references = new Float64Array(n)
  likelihood.losses(data, model.params, ratios)
  likelihood.reference!(data, model.params, references)
  for (let i = 0; i < n; i++) {
    let quadratic = 0
    for (let j = 0; j < size; j++) {
      const g = gradients[i * size + j]
      for (let k = 0; k < size; k++) quadratic += g * covariance[j * size + k] * gradients[i * size + k]
    }
    pull[i] = 0.5 * model.weights[i] * Math.max(quadratic, 0)
    ratios[i] += pull[i] - references[i]
  }
  const raw = ratios.map((ratio, i) => ratio - pull[i])
  // The pull's effect on the level, for a model that may have its level from elsewhere (an average).
  const weights = new Float64Array(n)
  const change = exactEStep(ratios, weights).level - exactEStep(raw, weights).level
  const level = Math.min(Math.max(model.level + change, 0), 1 - 1e-9)
  for (let i = 0; i < n; i++) weights[i] = 1 / (1 + (level / (1 - level)) * Math.exp(ratios[i]))
  return { level, weights }
}
