import { RlviError } from '../../errors.js'
import type { Discrete } from '../../likelihoods/capabilities.js'
import type { CountLikelihood } from '../../likelihoods/counts.js'
import type { Params } from '../../likelihoods/likelihood.js'
import type { Fit } from '../../result.js'
import { modelAverage } from '../shared/model-average.js'
import type { FitOptions } from '../shared/options.js'
import { standardErrorsOf } from '../shared/standard-errors.js'
import { toFit } from '../shared/to-fit.js'
import { fitCounts } from './counts/counts.js'
import { fitReferenceMixture, type ReferenceMixture } from './em.js'
import type { Labelled } from './labels/labelled.js'
import { fitLabels } from './labels/labels.js'
import { sampleByLoss } from './sample-by-loss.js'
import { searchDiscrete } from './search.js'
import { withLevel } from './with-level.js'

/** Problems of the maximum-likelihood fit that no weights can cure. */
const FATAL = ['collinear', 'few-rows', 'one-class']
/** An E-step at given parameters, without a fit. */
const E_STEP_ONLY = { maxIterations: 1, tolerance: 0 }
const SEARCH_ROWS = 1000

/** `fit` for labels, counts, and all else whose reference density the likelihood knows. */
export function fitDiscrete<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  options: FitOptions,
): Fit<P> {
  if (isCounts(likelihood)) return fitCounts(likelihood, data as never, options) as never
  if (options.errors !== undefined && options.errors !== 'auto')
    throw new RlviError('fit errors', `${likelihood.name} has no law of errors to choose`, options.errors)
  return isLabelled(likelihood) ? fitLabels(likelihood, data, options) : fitOther(likelihood, data, options)
}

/** A model of the user's own, of which no more is known than its reference density. */
function fitOther<D, P extends Params>(likelihood: Discrete<D, P>, data: D, options: FitOptions): Fit<P> {
  const seed = options.seed ?? 0
  const mlParams = likelihood.fit(data)
  const ml = {
    ...fitReferenceMixture(likelihood, data, mlParams, { ...E_STEP_ONLY, level: 0 }),
    params: mlParams,
    converged: true,
  }
  const finish = (model: ReferenceMixture<P>): Fit<P> => {
    const { params, weights, level, interval, ...rest } = withLevel(likelihood, data, model, ml)
    return {
      ...toFit(likelihood, data, params, { ...rest, weights }),
      corruption: { level, interval, source: 'inferred' },
      ...standardErrorsOf(likelihood, data, params, weights),
    }
  }
  if (FATAL.includes(mlParams.problem?.reason ?? '')) return finish(ml)
  const n = likelihood.rows(data)
  const sample = n <= 2 * SEARCH_ROWS ? data : sampleByLoss(likelihood, data, mlParams, SEARCH_ROWS)
  const models = searchDiscrete(likelihood, sample, mlParams, seed)
  if (models.length === 0) return finish(ml)
  const best = models.reduce((a, b) => (b.value > a.value ? b : a))
  if (sample !== data) {
    const final = { maxIterations: options.maxIterations ?? 500, tolerance: options.tolerance ?? 1e-6 }
    return finish(fitReferenceMixture(likelihood, data, best.params, final))
  }
  // Models that explain the rows about as well are averaged: the best of many is the one that bends most to them.
  const average = modelAverage(models)
  const params = likelihood.fit(data, average.weights, best.params)
  const averaged = fitReferenceMixture(likelihood, data, params, { ...E_STEP_ONLY, level: average.level })
  return finish({ ...best, ...averaged, params, value: best.value, converged: true })
}

function isCounts(likelihood: object): likelihood is CountLikelihood {
  return 'withDispersion' in likelihood
}

function isLabelled<D, P extends Params>(likelihood: Discrete<D, P>): likelihood is Labelled<D, P> {
  return likelihood.labels !== undefined && likelihood.prior !== undefined
}
