import { type Continuous, isRegression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import type { Fit } from '../../result.js'
import { inverseInformation } from '../shared/inverse-information.js'
import { standardErrorsOf } from '../shared/standard-errors.js'
import { momentsOf } from './moments.js'
import type { Candidate } from './select.js'
import { degreesOfFreedom } from './shape.js'

/**
 * Standard errors of a fit under a law: the law's information on the place of each row, less what is lost by not knowing
 * which rows are good. `params` are at the scale of the offsets.
 */
export function lawErrors<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  params: P,
  law: Candidate,
  offsets: Float64Array,
  clean: Float64Array,
): Pick<Fit<P>, 'standardErrors' | 'covariance'> {
  if (!isRegression(likelihood) || (law.shape.name === 'normal' && law.growth === undefined)) {
    const spread = likelihood.rescale(params, momentsOf(law).spread)
    return standardErrorsOf(likelihood, data, spread, clean)
  }
  const unit = Math.exp(2 * likelihood.logScale(data, params))
  const { information } = ofPlace(law)
  const v = rowInformation(law, offsets, clean).map((own) => own / unit)
  const certain = v.map((_, i) => {
    const scale = law.growth?.scales[i] ?? 1
    return clean[i] < 0.5 ? 0 : information / (unit * scale * scale)
  })
  const covariance = inverseInformation(data, v, certain, (own, by) => likelihood.design(own, by))
  if (covariance === undefined) return {}
  const errors = Float64Array.from({ length: covariance.cols }, (_, j) =>
    Math.sqrt(covariance.values[j * covariance.cols + j]),
  )
  return { standardErrors: likelihood.unflatten(errors), covariance }
}

/** The information of each row on the place of its offset, in units of the scale, less what is lost by not knowing whether it is good. */
export function rowInformation(law: Candidate, values: Float64Array, clean: Float64Array): Float64Array {
  const { information, score } = ofPlace(law)
  return clean.map((good, i) => {
    const scale = law.growth?.scales[i] ?? 1
    return (good * (information - (1 - good) * score(values[i]) ** 2)) / (scale * scale)
  })
}

/** The information that a good row's offset has on the model, and the score of an offset, as the fit uses them. */
function ofPlace(law: Candidate): {
  readonly information: number
  readonly score: (value: number) => number
} {
  const place = placeTerms(law)
  const { information } = place
  return 'pull' in place
    ? { information, score: (value) => (place.pull * value) / (place.width + value * value) }
    : { information, score: (value) => (value - place.mean) / place.variance }
}

/** The same in numbers: scores are `pull v / (width + v^2)`, or `(v - mean) / variance`. */
export type PlaceTerms = { readonly information: number } & (
  | { readonly pull: number; readonly width: number }
  | { readonly mean: number; readonly variance: number }
)

export function placeTerms(law: Candidate): PlaceTerms {
  const { shape, params } = law
  if (shape.name === 'student') {
    const nu = degreesOfFreedom(params[1])
    const scale = Math.exp(params[0])
    return {
      information: (nu + 1) / ((nu + 3) * scale * scale),
      pull: nu + 1,
      width: nu * scale * scale,
    }
  }
  // Skewed rows are fitted by least squares, which is right for their mean.
  const { mean, spread } = momentsOf(law)
  return { information: 1 / spread ** 2, mean, variance: spread ** 2 }
}
