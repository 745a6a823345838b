import type { Continuous } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import type { Fit } from '../../result.js'

/** Distances that agree to so many digits are the same. */
const DIGITS = 10

/**
 * Rows by their distance from the maximum-likelihood model. Drawing subsets from rows in this order, and summing in it, makes
 * the answer one of the rows and not of the order in which they came.
 */
export function canonicalOrder<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  params: P,
): Int32Array {
  const squared = new Float64Array(likelihood.rows(data))
  likelihood.squaredDistances(data, params, squared)
  const keys = squared.map((value) => (Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : value))
  return Int32Array.from(squared.keys()).sort((i, j) => keys[i] - keys[j] || i - j)
}

/** A fit to ordered rows, in the order in which the rows came. */
export function inOrder<P extends Params>(result: Fit<P>, order: Int32Array): Fit<P> {
  const clean = new Float64Array(order.length)
  const losses = new Float64Array(order.length)
  for (let k = 0; k < order.length; k++) {
    clean[order[k]] = result.clean[k]
    losses[order[k]] = result.losses[k]
  }
  return { ...result, clean, losses }
}
