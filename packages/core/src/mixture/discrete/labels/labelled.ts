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
