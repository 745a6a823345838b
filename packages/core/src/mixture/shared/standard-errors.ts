import { type Informative, isInformative } from '../../likelihoods/capabilities.js'
import type { Likelihood, Params } from '../../likelihoods/likelihood.js'
import { factor } from '../../linalg/cholesky.js'
import { inverse } from '../../linalg/symmetric.js'
import type { Fit } from '../../result.js'

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
  const covariance = inverse(informationFactor(likelihood, data, params, weights))
  const errors = Float64Array.from({ length: covariance.cols }, (_, j) =>
    Math.sqrt(covariance.values[j * covariance.cols + j]),
  )
  return { standardErrors: likelihood.unflatten(errors), covariance }
}

function informationFactor<D, P extends Params>(
  likelihood: Informative<D, P>,
  data: D,
  params: P,
  weights: Float64Array,
) {
  const { values, cols } = likelihood.information(data, params, weights)
  const f = factor(values, cols)
  if (f.dependent.length === 0) return f
  // In few rows what is lost can exceed what is there; then the rows that are probably good count, and no others.
  const certain = weights.map((w) => (w < 0.5 ? 0 : 1))
  return factor(likelihood.information(data, params, certain).values, cols)
}
