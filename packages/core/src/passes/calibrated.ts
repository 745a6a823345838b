import type { Params, Supervised } from '../likelihoods/likelihood.js'
import type { FitOptions } from '../mixture/shared/options.js'
import type { Aggregates } from './aggregates.js'
import { continuousByPasses } from './continuous.js'
import { countsByPasses } from './counts.js'
import { labelsByPasses } from './labels.js'
import type { PassModel } from './models.js'
import type { PassesFit, PassesOptions } from './result.js'

/**
 * The recommended method, `fit`, for rows that do not lie in memory. `sample` are some tens of thousands of them, evenly from
 * all: starts, the choice of priors and cautions are those of the sample; parameters, level, interval and standard errors those of all rows.
 */
export async function calibratedByPasses<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  sample: Supervised,
  options: FitOptions & PassesOptions = {},
): Promise<PassesFit<P>> {
  if (model.by === 'moments') return await continuousByPasses(model, rows, sample, options)
  if (model.name === 'poisson') return await countsByPasses(model, rows, sample, options)
  return await labelsByPasses(model, rows, sample, options)
}
