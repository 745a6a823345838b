import type { Discrete } from '../../../likelihoods/capabilities.js'
import type { Params } from '../../../likelihoods/likelihood.js'
import type { Matrix } from '../../../matrix.js'
import { leaveOneOut } from '../leave-one-out.js'
import type { Classed } from './labelled.js'
import { leaveOneOutClasses } from './leave-one-out-classes.js'
import { posteriorOf } from './noise.js'
import { fitToClasses } from './through-noise.js'

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

/** Parameters with P(true class | features, given label). */
export interface JudgedClasses<P> {
  readonly params: P
  readonly posterior: Matrix
}

/** The same through P(given y | true c): which class each row has, judged by a fit without it. */
export function judgeThroughNoise<D, P extends Params>(
  likelihood: Classed<D, P>,
  data: D,
  start: P,
  T: Matrix,
): JudgedClasses<P> {
  const given = likelihood.classes.given(data)
  const judged = (params: P): Matrix => {
    const inFit = posteriorOf(likelihood.classes.probabilities(data, params), given, T).posterior
    return posteriorOf(leaveOneOutClasses(likelihood, data, params, inFit), given, T).posterior
  }
  let params = start
  let posterior = judged(params)
  for (let round = 0; round < ROUNDS; round++) {
    params = fitToClasses(likelihood, data, posterior, T, params)
    posterior = judged(params)
  }
  return { params, posterior }
}
