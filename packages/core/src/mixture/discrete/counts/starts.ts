import type { CountLikelihood } from '../../../likelihoods/counts.js'
import type { LinearParams, Supervised } from '../../../likelihoods/likelihood.js'

/** Share of the rows that a start trusts, and C-steps to it. */
const TRUSTED = 0.6
const C_STEPS = 10
/** The start's own dispersion: it ranks counts by how many times too large or small they are, whatever their law. */
const DISPERSION = 0.5

/**
 * Where fits begin, the maximum-likelihood one first. It can be lost to one wild count, so the other begins at the median
 * and is concentrated on the rows nearest to it by C-steps. Nothing is drawn: no seed and no order of rows enters.
 */
export function countStarts(
  law: CountLikelihood,
  data: Supervised,
  ml: LinearParams,
): readonly [LinearParams, LinearParams] {
  const { y, x } = data
  const n = y.length
  const broad = law.withDispersion(DISPERSION)
  const median = Float64Array.from(y).sort()[Math.floor(n / 2)]
  const least = x.cols + 2
  let params: LinearParams = { intercept: Math.log(median + 0.5), coefficients: new Float64Array(x.cols) }
  const losses = new Float64Array(n)
  for (let k = 0; k < C_STEPS; k++) {
    broad.losses(data, params, losses)
    // Of each row what it lacks to a count at its own mean, so that rows with large means are not taken for bad ones.
    const lacks = relativeLosses(broad, data, params, losses)
    const sorted = Float64Array.from(lacks).sort()
    const cut = sorted[Math.min(n - 1, Math.max(least, Math.ceil(TRUSTED * n)) - 1)]
    const next = broad.fit(
      data,
      // Rows with one loss are in or out together, whatever their order.
      lacks.map((loss) => (loss <= cut ? 1 : 0)),
      params,
    )
    if (next.problem !== undefined) break
    params = next
  }
  return [ml, params]
}

function relativeLosses(
  law: CountLikelihood,
  { x }: Supervised,
  params: LinearParams,
  losses: Float64Array,
): Float64Array {
  const atMean = new Float64Array(losses.length)
  law.losses({ x, y: law.predict(x, params).map(Math.round) }, params, atMean)
  return losses.map((loss, i) => loss - atMean[i])
}
