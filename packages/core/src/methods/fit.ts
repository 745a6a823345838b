import { phrase, RlviError } from '../errors.js'
import { wrongLabelShare } from '../inference/label-noise.js'
import { allFinite } from '../kernels/finite.js'
import {
  type Continuous,
  type Discrete,
  type Informative,
  missingMembers,
} from '../likelihoods/capabilities.js'
import type { Likelihood, Params } from '../likelihoods/likelihood.js'
import { fitContinuous } from '../mixture/continuous/continuous.js'
import { fitDiscrete } from '../mixture/discrete/discrete.js'
import type { FitOptions, ResponseUnits } from '../mixture/shared/options.js'
import { type Fit, notFinite } from '../result.js'
import { ml } from './ml.js'

export type { FitOptions, ResponseUnits }

/**
 * The recommended method, `calibrated` where methods are listed: RLVI with a reference density for corrupted rows, so that the
 * level means something: the share of rows that the model of good rows does not explain and a broad alternative does. On
 * clean data the level is 0 and the fit is that of maximum likelihood; no answer depends on the units of a column.
 * docs/method.md derives it.
 *
 * @example
 * const data = { x: fromRows([[1], [2], [3], [4], [5], [6], [7], [8]]), y: Float64Array.of(1.1, 2, 2.9, 4.1, 5, 30, 7.1, 8) }
 * const { params, standardErrors, corruption, clean } = fit(linear(), data)
 * params.coefficients[0]            // about 1
 * standardErrors?.coefficients[0]   // in the shape of params
 * corruption.level                  // share of bad rows, with corruption.interval
 * clean[5]                          // P(row 5 is good)
 */
export function fit<D, P extends Params, E>(
  likelihood: (Continuous<D, P> | Discrete<D, P, E>) & Informative<D, P, E>,
  data: D,
  options?: FitOptions,
): Fit<P, E>
export function fit<D, P extends Params>(
  likelihood: Continuous<D, P> | Discrete<D, P>,
  data: D,
  options?: FitOptions,
): Fit<P>
export function fit<D, P extends Params>(
  likelihood: Continuous<D, P> | Discrete<D, P>,
  data: D,
  options: FitOptions = {},
): Fit<P> {
  const missing = missingMembers(likelihood)
  if (missing.length > 0) {
    const rule = 'a Continuous or a Discrete likelihood is needed'
    const todo = `give "${likelihood.name}" these too, or use \`paper\``
    throw new RlviError('fit', rule, phrase(`one without ${missing.join(', ')}`), todo)
  }
  likelihood.check(data)
  const found =
    'reference' in likelihood
      ? withKnownInterval(fitDiscrete(likelihood, data, options), likelihood.labels)
      : fitContinuous(likelihood, data, options)
  return allFinite(likelihood.vector(found.params)) ? found : withoutProtection(likelihood, data)
}

/** Columns of sizes so far apart that a coefficient is no number: the plain fit, and a status that says so. */
function withoutProtection<D, P extends Params>(likelihood: Likelihood<D, P>, data: D): Fit<P> {
  return { ...ml(likelihood, data), status: notFinite }
}

/** An interval that leaves nothing out is no knowledge of a share: that of wrong labels, or of bad rows. */
function withKnownInterval<P extends Params>(found: Fit<P>, labels: number | undefined): Fit<P> {
  const most = labels === undefined ? 1 : wrongLabelShare(1, labels)
  const [low, high] = found.corruption.interval ?? [0, most]
  if (low > 0 || high < most) return found
  return { ...found, corruption: { ...found.corruption, interval: undefined } }
}
