import type { Differentiable, Params } from 'rlvi'
import { rightSingularVectors } from './right-singular-vectors.js'

/**
 * SEVER with the slip of the authors' released code: the direction is the first column of V', the first entries of all
 * singular vectors, in place of its first row. It depends on their signs, which are LAPACK's here as they were there.
 */
export function severAsReleased<D, P extends Params>(
  likelihood: Differentiable<D, P>,
  data: D,
  options: { readonly assumed: number; readonly rounds?: number; readonly start?: P },
): { readonly params: P } {
  if (likelihood.gradients === undefined)
    throw new Error(`severAsReleased: ${likelihood.name} has no gradients`)
  let active = Array.from({ length: likelihood.rows(data) }, (_, i) => i)
  const weights = new Float64Array(active.length).fill(1)
  let params = options.start ?? likelihood.fit(data)
  for (let round = 1; round < (options.rounds ?? 4); round++) {
    const { cols, values } = likelihood.gradients(data, params)
    const centred = new Float64Array(active.length * cols)
    for (let j = 0; j < cols; j++) {
      const column = active.map((i) => values[i * cols + j] as number)
      const mean = column.reduce((sum, value) => sum + value, 0) / active.length
      column.forEach((value, k) => {
        centred[k * cols + j] = value - mean
      })
    }
    const v = rightSingularVectors(centred, active.length, cols)
    const scores = active.map((_, k) => {
      let along = 0
      for (let j = 0; j < cols; j++) along += (centred[k * cols + j] as number) * (v[j * cols] as number)
      return along * along
    })
    // The survivors stay in the order of their scores: LAPACK takes its signs from the first rows.
    const order = active.map((_, k) => k).sort((a, b) => (scores[b] as number) - (scores[a] as number))
    const ordered = order.map((k) => active[k] as number)
    const drop = Math.floor((options.assumed / 2) * active.length)
    for (const row of ordered.slice(0, drop)) weights[row] = 0
    active = ordered.slice(drop)
    params = likelihood.fit(data, weights)
  }
  return { params }
}
