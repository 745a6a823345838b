import type { Discrete } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { pickRows, rowPicker } from '../../random/pick-rows.js'
import { fitReferenceMixture, type ReferenceMixture } from './em.js'

/** Many starts are tried a little, the best of them more. */
const FIRST = { maxIterations: 5, tolerance: 1e-2 }
const FURTHER = { maxIterations: 200, tolerance: 1e-4 }
const FOLLOWED = 6
const SUBSETS = 30
/** A model that has no good rows is none. */
const ALL_BAD = 0.999
/** A start at so low a level has found no bad rows. */
const NONE_BAD = 0.001
const HELD_LEVELS = [0.1, 0.3, 0.6]
const AT_HELD_LEVEL = { maxIterations: 30, tolerance: 1e-3 }
/** Log-likelihoods nearer than this belong to one model. */
const SAME = 0.05

/** What the maximum-likelihood fit and fits to random subsets lead to in a few steps, the best first. */
export function searchStarts<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  ml: P,
  seed: number,
): ReferenceMixture<P>[] {
  const parameters = likelihood.vector(ml).length
  // In many dimensions a few rows determine too little to be a start worth its cost.
  const count = Math.min(SUBSETS, Math.max(6, Math.floor(360 / parameters)))
  const starts = [ml, ...rankedSubsets(likelihood, data, ml, 2 * parameters + 2, count, seed)]
  const first = starts.map((start) => fitReferenceMixture(likelihood, data, start, FIRST))
  return first.sort((a, b) => b.value - a.value)
}

/** The distinct models that these lead to in the end. */
export function searchDiscrete<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  ml: P,
  seed: number,
): ReferenceMixture<P>[] {
  const first = searchStarts(likelihood, data, ml, seed)
  const further = (model: ReferenceMixture<P>) => fitReferenceMixture(likelihood, data, model.params, FURTHER)
  const followed = first.slice(0, FOLLOWED).map(further)
  // A fit to wrong labels is too soft and can hold all starts at level 0; with a level held against it, it sharpens.
  if (followed.every(({ level }) => level < NONE_BAD)) {
    const held = HELD_LEVELS.map((level) =>
      fitReferenceMixture(likelihood, data, ml, { ...AT_HELD_LEVEL, level }),
    )
    followed.push(...held.map(further))
  }
  const usable = followed.filter(({ level }) => level < ALL_BAD)
  return usable.filter((a, k) => usable.findIndex((b) => Math.abs(a.value - b.value) < SAME) === k)
}

/** Fits to random subsets, drawn by the ranks of the rows' losses: the same rows whatever their order. */
function rankedSubsets<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  ml: P,
  size: number,
  count: number,
  seed: number,
): P[] {
  const n = likelihood.rows(data)
  if (size >= n) return []
  const losses = new Float64Array(n)
  likelihood.losses(data, ml, losses)
  const order = Uint32Array.from(losses.keys()).sort((a, b) => losses[a] - losses[b])
  const pick = rowPicker('subsets', seed)
  return Array.from({ length: count }, () =>
    likelihood.fit(
      likelihood.take(
        data,
        Array.from(pickRows(pick, n, size), (rank) => order[rank]),
      ),
    ),
  )
}
