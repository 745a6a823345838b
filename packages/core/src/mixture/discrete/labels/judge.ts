import type { Discrete } from '../../../likelihoods/capabilities.js'
import type { Params } from '../../../likelihoods/likelihood.js'
import { leaveOneOut } from '../leave-one-out.js'

const ROUNDS = 4

/** Parameters with P(a label is not random). */
export interface Judged<P> {
  readonly params: P
  readonly weights: Float64Array
}

/** Which labels are random, at a level that is known: each judged by a fit without its row, which then weighs it. */
export function judgeRows<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  start: P,
  level: number,
): Judged<P> {
  let params = start
  let weights = leaveOneOut(likelihood, data, params, level)
  for (let round = 0; round < ROUNDS; round++) {
    params = likelihood.fit(data, weights, params)
    weights = leaveOneOut(likelihood, data, params, level)
  }
  return { params, weights }
}
