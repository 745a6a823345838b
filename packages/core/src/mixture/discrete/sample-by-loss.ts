import type { Discrete } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'

/** Every k-th row by its loss in a fit: a sample of `count` rows that no seed and no order of rows changes. */
export function sampleByLoss<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  params: P,
  count: number,
): D {
  const n = likelihood.rows(data)
  if (n <= count) return data
  const losses = new Float64Array(n)
  likelihood.losses(data, params, losses)
  const order = Uint32Array.from(losses.keys()).sort((a, b) => losses[a] - losses[b])
  return likelihood.take(
    data,
    Float64Array.from({ length: count }, (_, k) => order[Math.floor(((k + 0.5) * n) / count)]),
  )
}
