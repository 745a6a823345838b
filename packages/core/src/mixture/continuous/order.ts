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

/** Where each row went: the inverse of an order. */
export function places(order: Int32Array): Int32Array {
  const out = new Int32Array(order.length)
  for (let k = 0; k < order.length; k++) out[order[k]] = k
  return out
}

/** A fit to rows that were put elsewhere, in the order in which they came: row i is at `places[i]`. */
export function inOrder<P extends Params>(result: Fit<P>, places: Int32Array): Fit<P> {
  const from = (values: Float64Array): Float64Array => Float64Array.from(places, (place) => values[place])
  return { ...result, clean: from(result.clean), losses: from(result.losses) }
}
