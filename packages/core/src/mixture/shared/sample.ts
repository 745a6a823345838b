import type { Continuous } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { pickRows, rowPicker } from '../../random/pick-rows.js'
import { withRareRows } from './rare-rows.js'

/**
 * Starts are searched on so many rows, by the degrees of freedom; the winner goes on with more, and then with all. The fast
 * S-estimate of regression takes parts of 400 rows too (Salibian-Barrera and Yohai 2006).
 */
export function searchRows(degreesOfFreedom: number): number {
  return Math.max(400, Math.min(600, 20 * degreesOfFreedom))
}
/** So many rows the winner of a search goes on with, before all. */
export const REFINE_ROWS = 30_000

/** Whether all rows are searched, not a sample. */
export function areFew<D, P extends Params>(likelihood: Continuous<D, P>, data: D): boolean {
  return likelihood.rows(data) <= 2 * searchRows(likelihood.degreesOfFreedom(data))
}

/** A sample of `count` rows, and of rare ones that it needs; or all rows where they are not many more. */
export function sampleRows<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  seed: number,
  count: number,
): D {
  const n = likelihood.rows(data)
  if (n <= 2 * count) return data
  const picked = pickRows(rowPicker('sample', seed), n, count).sort()
  return likelihood.take(data, withRareRows(likelihood, data, picked))
}
