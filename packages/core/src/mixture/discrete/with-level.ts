import type { Discrete } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import type { ReferenceMixture } from './em.js'
import { correctForInfluence } from './leave-one-out.js'
import { levelInterval } from './level-interval.js'

export interface Levelled<P> extends ReferenceMixture<P> {
  readonly interval: readonly [number, number]
}

/** The better of a model and the maximum-likelihood one, its level corrected for the rows' own influence, with an interval. */
export function withLevel<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  model: ReferenceMixture<P>,
  ml: ReferenceMixture<P>,
): Levelled<P> {
  const better = model.value > ml.value ? model : ml
  const corrected = correctForInfluence(likelihood, data, better)
  // Less than half a row is none.
  const level = corrected.level < 0.5 / corrected.weights.length ? 0 : corrected.level
  const best = { ...better, level, weights: corrected.weights }
  const centred = likelihood.centred?.(data, better.params) ?? { data, params: better.params }
  const interval = levelInterval(likelihood, centred.data, { ...best, params: centred.params }, ml)
  return { ...best, interval }
}
