import { RlviError } from '../errors.js'
import type { Likelihood, Params } from '../likelihoods/likelihood.js'
import { fitContinuous } from '../mixture/continuous/continuous.js'
import { fitDiscrete } from '../mixture/discrete/discrete.js'
import type { Fit } from '../result.js'

export interface FitOptions {
  /** Which subsets the search for starts draws. Default 0. */
  readonly seed?: number
  /** Where the fit stops: the relative change of the parameters, or for labels and counts the gain in log-likelihood. */
  readonly tolerance?: number
  /** Of the last fit for labels and counts. Default 500. */
  readonly maxIterations?: number
}

/**
 * RLVI with a reference density for corrupted rows, so that the level means something: the share of rows that the model
 * of good rows does not explain and a broad alternative does. On clean data the level is 0 and the fit is that of
 * maximum likelihood; no answer depends on the units of a column. docs/method.md derives it.
 */
export function fit<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  options: FitOptions = {},
): Fit<P> {
  likelihood.check(data)
  if (likelihood.spread !== undefined) return fitContinuous(likelihood, data, options)
  if (likelihood.reference !== undefined) return fitDiscrete(likelihood, data, options)
  const todo = 'give the likelihood a `reference`, or use `paper`'
  throw new RlviError('fit', 'a reference density for corrupted rows is needed', likelihood.name, todo)
}
