import type { Likelihood, Params } from '../../likelihoods/likelihood.js'
import { rowVector } from '../../matrix.js'
import { type Fit, type Status, statusOf } from '../../result.js'

/** What every path returns: the parameters with their losses, status and trace. */
export function toFit<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  params: P,
  model: { readonly converged: boolean; readonly weights: Float64Array; readonly trace: Fit<P>['trace'] },
): Fit<P> {
  const losses = rowVector(likelihood.rows(data))
  likelihood.losses(data, params, losses)
  const moving: Status = {
    kind: 'max-iterations',
    message: `still moving after ${model.trace.length} iterations`,
  }
  return {
    params,
    clean: model.weights,
    losses,
    corruption: { level: undefined, interval: undefined, source: 'inferred' },
    status: statusOf(params, model.converged ? { kind: 'converged' } : moving),
    iterations: model.trace.length,
    trace: model.trace,
  }
}
