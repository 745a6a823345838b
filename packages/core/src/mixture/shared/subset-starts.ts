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
  for (const rows of randomSubsets(n, size, count, seed)) yield likelihood.fit(likelihood.take(data, rows))
}

/** Random sets of `size` numbers below `n`. */
export function randomSubsets(n: number, size: number, count: number, seed: number): Int32Array[] {
  const pick = rowPicker('subsets', seed)
  return Array.from({ length: count }, () => pickRows(pick, n, size))
}

/** All sets of `size` numbers below `n`, each in ascending order; undefined where they are more than `most`. */
export function everySubset(n: number, size: number, most: number): Int32Array[] | undefined {
  let count = 1
  for (let k = 0; k < size && count <= most; k++) count *= (n - k) / (k + 1)
  if (size < 1 || size > n || count > most) return undefined
  const found: Int32Array[] = []
  const subset = Int32Array.from({ length: size }, (_, k) => k)
  for (;;) {
    found.push(subset.slice())
    let k = size - 1
    while (k >= 0 && subset[k] === n - size + k) k--
    if (k < 0) return found
    subset[k]++
    for (let j = k + 1; j < size; j++) subset[j] = subset[j - 1] + 1
  }
}
