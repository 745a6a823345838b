import { type Continuous, isRegression, type Regression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { mapRows, rowVector } from '../../matrix.js'
import type { Growth } from './growth.js'

/** How far each row lies off, in units of the scale. */
export function offsetsOf<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  params: P,
  out: Float64Array = rowVector(likelihood.rows(data)),
): Float64Array {
  if (isRegression(likelihood)) {
    likelihood.residuals(data, params, out)
    return out
  }
  likelihood.squaredDistances(data, params, out)
  for (let i = 0; i < out.length; i++) out[i] = Math.sqrt(out[i])
  return out
}

/** Offsets in units of the scale of each row's own prediction, where it grows. */
export function inScales(offsets: Float64Array, growth: Growth | undefined): Float64Array {
  return growth === undefined ? offsets : mapRows(offsets, (offset, i) => offset / growth.scales[i])
}

/** What is predicted for each row, from the residuals: no need of another pass over the features. */
export function predictions<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  params: P,
  residuals: Float64Array,
): Float64Array {
  const scale = Math.exp(likelihood.logScale(data, params))
  return likelihood.responses(data).map((y, i) => y - scale * residuals[i])
}
