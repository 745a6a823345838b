import type { Likelihood, Params } from '../likelihoods/likelihood.js'
import { ones } from '../likelihoods/shared.js'
import { type Fit, statusOf } from '../result.js'

/**
 * Maximum likelihood: every row counts alike.
 *
 * @example
 * const data = { x: fromRows([[0], [1], [2], [3], [4], [5]]), y: Float64Array.of(1, 3, 5.1, 7, 8.9, 90) }
 * ml(linear(), data).params.coefficients // least squares, with the last row's error in it
 */
export function ml<D, P extends Params>(likelihood: Likelihood<D, P>, data: D): Fit<P> {
  likelihood.check(data)
  const params = likelihood.fit(data)
  const losses = new Float64Array(likelihood.rows(data))
  likelihood.losses(data, params, losses)
  return {
    params,
    clean: ones(losses.length),
    losses,
    corruption: { level: 0, interval: undefined, source: 'assumed' },
    status: statusOf(params, { kind: 'converged' }),
    iterations: 1,
    trace: [],
  }
}
