import type { Continuous, Discrete } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { pickRows, rowPicker } from '../../random/pick-rows.js'

/** Fits to `count` random subsets of `size` rows each, drawn as they are asked for; none where all rows are too few. */
export function* subsetStarts<D, P extends Params>(
  likelihood: Continuous<D, P> | Discrete<D, P>,
  data: D,
  size: number,
  count: number,
  seed: number,
): Generator<P> {
  const n = likelihood.rows(data)
  if (size >= n) return
  const pick = rowPicker('subsets', seed)
  for (let k = 0; k < count; k++) yield likelihood.fit(likelihood.take(data, pickRows(pick, n, size)))
}
