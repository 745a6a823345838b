import type { CountLikelihood } from '../../../likelihoods/counts.js'
import type { LinearParams, Supervised } from '../../../likelihoods/likelihood.js'

/** Laws are chosen on about so many rows, or all where they are not many more. */
const SEARCH_ROWS = 8000

/** Every k-th row by its loss in the maximum-likelihood fit: a sample that no seed and no order of rows changes. */
export function searchRows(law: CountLikelihood, data: Supervised, ml: LinearParams): Supervised {
  const n = data.x.rows
  if (n <= 2 * SEARCH_ROWS) return data
  const losses = new Float64Array(n)
  law.losses(data, ml, losses)
  const order = Uint32Array.from(losses.keys()).sort((a, b) => losses[a] - losses[b] || data.y[a] - data.y[b])
  const rows = Float64Array.from(
    { length: SEARCH_ROWS },
    (_, k) => order[Math.floor(((k + 0.5) * n) / SEARCH_ROWS)],
  )
  return law.take(data, rows)
}
