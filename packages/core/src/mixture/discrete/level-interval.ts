import type { Discrete } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { inverseQuadratic } from '../../linalg/symmetric.js'
import type { ReferenceMixture } from './em.js'

/** Half width of a 90 % interval in standard errors. */
const Z = 1.645
/**
 * Log-likelihood by which bad rows must be better than none: one against twenty. More than a plain test asks for, because without
 * bad rows nothing determines what their share would do to the other parameters, and the gain by chance is larger.
 */
const CLEARLY = 3

/**
 * A 90 % interval for the share of draws from the reference: by its standard error on the logit scale, with the
 * model's parameters unknown too. It reaches 0 where a model without bad rows is not rejected at that level.
 */
export function levelInterval<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  best: ReferenceMixture<P>,
  ml: ReferenceMixture<P>,
): readonly [number, number] {
  const level = best.level
  const gradients = likelihood.gradients(data, best.params)
  const information = likelihood.information(data, best.params, best.weights)
  const n = gradients.rows
  const size = gradients.cols
  const losses = new Float64Array(n)
  const references = new Float64Array(n)
  likelihood.losses(data, best.params, losses)
  likelihood.reference(data, best.params, references)
  const cross = new Float64Array(size)
  // At level 0 a row of no density at all would be infinite evidence: the level of half a row stands for it.
  const share = Math.max(level, 0.5 / n)
  let ofLevel = 0
  for (let i = 0; i < n; i++) {
    // The density of a good row over that of a bad one, and the mixture over it.
    const ratio = Math.exp(references[i] - losses[i])
    const mixture = (1 - share) * ratio + share
    ofLevel += ((1 - ratio) / mixture) ** 2
    const factor = ratio / mixture ** 2
    for (let j = 0; j < size; j++) cross[j] += factor * gradients.values[i * size + j]
  }
  // What the parameters leave of the level's information; rounding must not leave nothing.
  const left = Math.max(ofLevel - inverseQuadratic(information, cross), 0.02 * ofLevel)
  return intervalOf(level, 1 / Math.sqrt(left), best.value - ml.value)
}

/** The interval of a level with a standard error; `gain`: by how much bad rows raise the log-likelihood. */
export function intervalOf(level: number, error: number, gain: number): readonly [number, number] {
  const low = gain <= CLEARLY ? 0 : undefined
  if (level < 1e-9) return [0, Math.min(1, Z * error)]
  const width = (Z * error) / (level * (1 - level) + 1e-12)
  const odds = level / (1 - level)
  const [down, up] = [odds * Math.exp(-width), odds * Math.exp(width)]
  // Far out the logit scale runs to 1 on little evidence: no farther than twice the interval on the plain scale.
  return [
    low ?? down / (1 + down),
    Math.min(up === Number.POSITIVE_INFINITY ? 1 : up / (1 + up), level + Z * error * 2),
  ]
}
