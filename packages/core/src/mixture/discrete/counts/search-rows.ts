import type { CountLikelihood } from '../../../likelihoods/counts.js'
import type { LinearParams, Supervised } from '../../../likelihoods/likelihood.js'
import { sampleByLoss } from '../sample-by-loss.js'

/** Laws are chosen on about so many rows, or all where they are not many more. */
const SEARCH_ROWS = 8000

export function searchRows(law: CountLikelihood, data: Supervised, ml: LinearParams): Supervised {
  return law.rows(data) <= 2 * SEARCH_ROWS ? data : sampleByLoss(law, data, ml, SEARCH_ROWS)
}
