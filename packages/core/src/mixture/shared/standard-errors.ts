import { isInformative } from '../../likelihoods/capabilities.js'
import type { Likelihood, LinearParams, Params } from '../../likelihoods/likelihood.js'
import type { Fit } from '../../result.js'
import { inverseInformation } from './inverse-information.js'

/**
 * Standard errors in the shape of the parameters, and the covariance of `vector(params)`, from the observed information of
 * the mixture: the curvature of good rows' losses by their weights, less what is lost by not knowing which rows are good.
 * With weights of 1 it is the textbook's information, as for a fit of maximum likelihood.
 *
 * @example
 * const data = { x: fromRows([[0], [1], [2], [3], [4]]), y: Float64Array.of(1, 3.1, 4.9, 7, 9.1) }
 * const { params } = ml(linear(), data)
 * const { standardErrors } = standardErrorsOf(linear(), data, params, new Float64Array(data.x.rows).fill(1))
 */
export function standardErrorsOf<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  params: P,
  weights: Float64Array,
): Pick<Fit<P>, 'standardErrors' | 'covariance'> {
  if (!isInformative(likelihood) || params.problem !== undefined) return {}
  const certain = weights.map((w) => (w < 0.5 ? 0 : 1))
  const covariance = inverseInformation(data, weights, certain, (own, by, centre) =>
    likelihood.information(own, centre === undefined ? params : countedFrom(params, centre), by),
  )
  if (covariance === undefined) return {}
  const errors = Float64Array.from({ length: covariance.cols }, (_, j) =>
    Math.sqrt(covariance.values[j * covariance.cols + j]),
  )
  return { standardErrors: likelihood.unflatten(errors), covariance }
}

/** The same predictor of columns from which a centre was taken. */
function countedFrom<P extends Params>(params: P, centre: Float64Array): P {
  const { intercept, coefficients } = params as Partial<LinearParams>
  if (typeof intercept !== 'number' || coefficients?.length !== centre.length) return params
  return { ...params, intercept: centre.reduce((sum, c, j) => sum + c * coefficients[j], intercept) }
}
