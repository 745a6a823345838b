import { exactEStep } from '../../inference/exact.js'
import type { Discrete } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { factor } from '../../linalg/cholesky.js'
import { inverse } from '../../linalg/symmetric.js'
import type { ReferenceMixture } from './em.js'

/** With more rows than this for each parameter, a single row moves the fit too little to matter. */
const ROWS_PER_PARAMETER = 1000

/** The rows' influence on their own losses, all together, is at most this many times the number of parameters. */
const MAX_INFLUENCE = 2

type Corrected = Pick<ReferenceMixture<never>, 'level' | 'weights'>

/**
 * The level and P(good) of rows, corrected for their own influence. A fit bends a little towards every row, and most
 * towards the wrong ones, so that it finds too few of them. The loss of a row under the true model lies half way between
 * its loss in the fit and its loss in a fit without it.
 */
export function correctForInfluence<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  model: ReferenceMixture<P>,
): Corrected {
  const influence = model.level === 0 ? undefined : influenceOf(likelihood, data, model.params, model.weights)
  if (influence === undefined) return model
  const raw = lossRatios(likelihood, data, model.params)
  const corrected = raw.map((ratio, i) => ratio + 0.5 * influence[i])
  // The influence's effect on the level, for a model that may have its level from elsewhere (an average).
  const weights = new Float64Array(raw.length)
  const change = exactEStep(corrected, weights).level - exactEStep(raw, weights).level
  const level = Math.min(Math.max(model.level + change, 0), 1 - 1e-9)
  return { level, weights: goodAt(level, corrected) }
}

/** P(good) of each row at a level, judged by a fit without the row. */
export function leaveOneOut<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  params: P,
  level: number,
): Float64Array {
  const raw = lossRatios(likelihood, data, params)
  const weights = goodAt(level, raw)
  const influence = influenceOf(likelihood, data, params, weights)
  return influence === undefined
    ? weights
    : goodAt(
        level,
        raw.map((ratio, i) => ratio + influence[i]),
      )
}

/**
 * The influence of each row on its own fit: how much larger its loss is in a fit without it, to first order w g' A^-1 g
 * with its gradient g and the information A. Undefined where it is too small to matter, or cannot be had.
 */
function influenceOf<D, P extends Params>(
  likelihood: Discrete<D, P>,
  rows: D,
  fitted: P,
  weights: Float64Array,
): Float64Array | undefined {
  const n = likelihood.rows(rows)
  const size = likelihood.vector(fitted).length
  if (fitted.problem !== undefined || n > ROWS_PER_PARAMETER * size) return undefined
  const { data, params } = likelihood.centred?.(rows, fitted) ?? { data: rows, params: fitted }
  const gradients = likelihood.gradients(data, params).values
  const information = likelihood.information(data, params, weights)
  const covariance = inverse(factor(information.values, size)).values
  let total = 0
  const influence = weights.map((weight, i) => {
    let quadratic = 0
    for (let j = 0; j < size; j++) {
      const g = gradients[i * size + j]
      for (let k = 0; k < size; k++) quadratic += g * covariance[j * size + k] * gradients[i * size + k]
    }
    const own = weight * Math.max(quadratic, 0)
    total += own
    return own
  })
  // If P(good) were known, all influence together would be the number of parameters; far more means hardly any information.
  const most = MAX_INFLUENCE * size
  return total > most ? influence.map((own) => (own * most) / total) : influence
}

/** -log(p / q) of each row. */
function lossRatios<D, P extends Params>(likelihood: Discrete<D, P>, data: D, params: P): Float64Array {
  const losses = new Float64Array(likelihood.rows(data))
  const references = new Float64Array(losses.length)
  likelihood.losses(data, params, losses)
  likelihood.reference(data, params, references)
  return losses.map((loss, i) => loss - references[i])
}

function goodAt(level: number, ratios: Float64Array): Float64Array {
  // At level 0 every row is good, however large its loss: 0 times infinity is 0 here.
  if (level === 0) return ratios.map(() => 1)
  return ratios.map((ratio) => 1 / (1 + (level / (1 - level)) * Math.exp(ratio)))
}
