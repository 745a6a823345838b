import type { Params } from '../likelihoods/likelihood.js'
import { statusOf } from '../result.js'
import type { Aggregates } from './aggregates.js'
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
