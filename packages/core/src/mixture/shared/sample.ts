import type { Continuous, Discrete } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { pickRows, rowPicker } from '../../random/pick-rows.js'

/** Starts are searched on about so many rows; the winner goes on with more, and then with all. */
export const SEARCH_ROWS = 600
export const REFINE_ROWS = 30_000

/** A sample of `count` rows, or all where they are not many more. */
export function sampleRows<D, P extends Params>(
  likelihood: Continuous<D, P> | Discrete<D, P>,
  data: D,
  seed: number,
  count: number,
): D {
  const n = likelihood.rows(data)
  return n <= 2 * count ? data : likelihood.take(data, pickRows(rowPicker('sample', seed), n, count).sort())
}
