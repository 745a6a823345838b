import type { Continuous } from '../../likelihoods/capabilities.js'
import type { Params, Supervised, Unsupervised } from '../../likelihoods/likelihood.js'
import type { Fit } from '../../result.js'
import { allowedLaws } from '../laws/allowed.js'
import type { Laws } from '../laws/good-rows.js'
import type { FitOptions } from '../shared/options.js'
import { standardErrorsOf } from '../shared/standard-errors.js'
import { toFit } from '../shared/to-fit.js'
import { mlFit, unbiasedScale } from './em.js'

/** Rows of columns without a response. */
export function hasColumns<D>(data: D): data is D & Unsupervised {
  return typeof data === 'object' && data !== null && 'x' in data && !('y' in data)
}

/** Features and a response, as the library's own regressions have them. */
export function isSupervised<D>(data: D): data is D & Supervised {
  return typeof data === 'object' && data !== null && 'x' in data && 'y' in data
}

/** The laws that rows of a likelihood may follow. */
export function lawsFor<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  errors: FitOptions['errors'],
): Laws {
  return allowedLaws(likelihood, errors, hasColumns(data))
}

/** The fit to the columns as they are, by P(good) as another view has it; undefined where there is none. */
export function inColumns<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  { clean, corruption, status, trace, errors }: Fit<Params>,
  interval: readonly [number, number],
): Fit<P> | undefined {
  const good = clean.reduce((sum, p) => sum + p, 0)
  const params =
    corruption.level === 0
      ? mlFit(likelihood, data)
      : unbiasedScale(likelihood, data, likelihood.fit(data, clean), good)
  if (params.problem !== undefined) return undefined
  return {
    ...toFit(likelihood, data, params, { converged: status.kind === 'converged', weights: clean, trace }),
    corruption: { ...corruption, interval },
    ...(errors === undefined ? {} : { errors }),
    ...standardErrorsOf(likelihood, data, params, clean),
  }
}
