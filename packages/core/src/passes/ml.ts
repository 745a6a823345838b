import type { Params } from '../likelihoods/likelihood.js'
import type { Matrix } from '../matrix.js'
import { statusOf } from '../result.js'
import type { Aggregates } from './aggregates.js'
import { errorsByPasses } from './errors.js'
import { standardErrors } from './labels.js'
import { fitByPasses } from './m-step.js'
import type { PassModel } from './models.js'
import type { PassesFit } from './result.js'

/** `ml` for rows that do not lie in memory. */
export async function mlByPasses<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
): Promise<PassesFit<P>> {
  const params = await fitByPasses(model, rows, { by: 'all' })
  return {
    params,
    ml: params,
    clean: { by: 'all' },
    corruption: { level: 0, interval: undefined, source: 'assumed' },
    status: statusOf(params, { kind: 'converged' }),
    iterations: 1,
    trace: [],
  }
}

/** How far the parameters of maximum likelihood can be trusted, if every row can: their covariance, of models that have one. */
export async function mlCovariance<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  params: P,
): Promise<Matrix | undefined> {
  const found =
    model.by === 'moments'
      ? await errorsByPasses(model, rows, { params })
      : await standardErrors(model, rows, params, { by: 'all' })
  return found.covariance
}
