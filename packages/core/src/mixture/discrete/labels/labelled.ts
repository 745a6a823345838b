import type { Classes, Discrete, Prior } from '../../../likelihoods/capabilities.js'
import type { Params } from '../../../likelihoods/likelihood.js'

/** A likelihood of labels, with a prior. */
export interface Labelled<D, P extends Params> extends Discrete<D, P> {
  readonly labels: number
  readonly prior: Prior<D, P>
}

/** A likelihood of labels whose true class may be another. */
export interface Classed<D, P extends Params> extends Discrete<D, P> {
  readonly classes: Classes<D, P>
}

/** Of a softmax those of one class follow from the others'. */
export function parametersOf<D, P extends Params>(likelihood: Labelled<D, P>, data: D): number {
  const one = likelihood.take(data, [0])
  const size = likelihood.vector(likelihood.prior.strengthened(one, 1, 'replaced').fit(one)).length
  return likelihood.labels === 2 && likelihood.name === 'logistic'
    ? size
    : (size * (likelihood.labels - 1)) / likelihood.labels
}
