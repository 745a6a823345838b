import { type CovarianceParams, usable } from '../likelihoods/covariance.js'
import { inverseRoot, logDeterminant } from '../linalg/cholesky.js'

/** Distances under a covariance in numbers that a database can be given. */
export interface CovarianceTerms {
  /** Lower triangular, row by row: a row's distance from the mean is the length of this times what it is off. */
  readonly root: Float64Array
  /** What the loss is beside half the squared distance. */
  readonly constant: number
}

export function covarianceTerms({ covariance }: CovarianceParams): CovarianceTerms {
  const f = usable(covariance)
  const constant = 0.5 * (logDeterminant(f) + covariance.cols * Math.log(2 * Math.PI))
  return { root: inverseRoot(f), constant }
}
