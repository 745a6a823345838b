import type { Continuous, Informative } from '../likelihoods/capabilities.js'
import type { Params, Supervised } from '../likelihoods/likelihood.js'
import { godambeOf, type MeanParams } from '../likelihoods/mean.js'
import { factor } from '../linalg/cholesky.js'
import { inverse } from '../linalg/symmetric.js'
import { type Matrix, matrix } from '../matrix.js'
import { momentsOf } from '../mixture/laws/moments.js'
import type { Candidate } from '../mixture/laws/select.js'
import { fromCentre } from '../mixture/shared/inverse-information.js'
import type { Fit } from '../result.js'
import type { Aggregates, Moments, RowWeights } from './aggregates.js'
import type { PassModel } from './models.js'

/** Standard errors of a fit of continuous rows, from sums over all of them; none for models that have none. */
export async function errorsByPasses<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  { params, law }: { readonly params: P; readonly law?: Candidate },
): Promise<Pick<Fit<P>, 'standardErrors' | 'covariance'>> {
  if (model.name === 'linear') return given(model, await linearCovariance(model, rows, params, law))
  if (model.name === 'mean') return given(model, await meanCovariance(rows, params, law))
  return {}
}

function given<P extends Params>(
  { likelihood }: PassModel<P>,
  covariance: Matrix | undefined,
): Pick<Fit<P>, 'standardErrors' | 'covariance'> {
  if (covariance === undefined) return {}
  const errors = Float64Array.from({ length: covariance.cols }, (_, j) =>
    Math.sqrt(covariance.values[j * covariance.cols + j]),
  )
  return {
    standardErrors: (likelihood as unknown as Informative<Supervised, P>).unflatten(errors),
    covariance,
  }
}

/** The inverse of the information of all rows on intercept and coefficients. */
async function linearCovariance<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  params: P,
  law: Candidate | undefined,
): Promise<Matrix | undefined> {
  const likelihood = model.likelihood as Continuous<Supervised, P>
  const weights: RowWeights<P> =
    law === undefined ? { by: 'all' } : { by: 'law', params, law, use: 'information' }
  const { weight, sums, squares } = await rows.moments({ weights, params })
  const per = Math.exp(-2 * likelihood.logScale(NO_ROWS, params))
  const { cols, centre } = rows
  const first = model.intercept ? 1 : 0
  const size = cols + first
  const information = matrix(size, size)
  for (let j = 0; j < cols; j++) {
    for (let k = 0; k <= j; k++) {
      const about = squares.values[j * squares.cols + k]
      // Without an intercept products are those of the columns as they are.
      const shift =
        first === 1 ? 0 : centre[j] * sums[k] + centre[k] * sums[j] + weight * centre[j] * centre[k]
      information.values[(j + first) * size + k + first] = per * (about + shift)
    }
    if (first === 1) information.values[(j + 1) * size] = per * sums[j]
  }
  if (first === 1) information.values[0] = per * weight
  const f = factor(information.values, size)
  // Their spread is lost beside that of a row far out, and they are not looked at again.
  if (f.dependent.length > 0) return undefined
  const covariance = inverse(f)
  return first === 1 ? fromCentre(covariance, centre) : covariance
}

async function meanCovariance<P extends Params>(
  rows: Aggregates<P>,
  params: P,
  law: Candidate | undefined,
): Promise<Matrix> {
  const weights: RowWeights<P> = law === undefined ? { by: 'all' } : { by: 'law', params, law, use: 'clean' }
  const { mean, scale } = params as unknown as MeanParams
  const spread = scale * (law === undefined ? 1 : momentsOf(law).spread)
  const once = await rows.moments({ weights })
  const twice = await rows.moments({ weights, squared: true })
  const off = mean.map((value, j) => value - rows.centre[j])
  const squared = aboutMean(twice, off)
  const all = aboutMean(once, off)
  const unsure = matrix(
    all.rows,
    all.cols,
    all.values.map((value, k) => value - squared.values[k]),
  )
  const information = godambeOf(unsure, squared, once.weight, 1 / spread ** 2)
  return inverse(factor(information.values, information.cols))
}

/** Sums of squares about another point. */
function aboutMean({ weight, sums, squares }: Moments, off: Float64Array): Matrix {
  const { cols } = squares
  const out = matrix(cols, cols)
  for (let j = 0; j < cols; j++)
    for (let k = 0; k <= j; k++) {
      const value =
        squares.values[j * cols + k] - off[j] * sums[k] - off[k] * sums[j] + weight * off[j] * off[k]
      out.values[j * cols + k] = value
      out.values[k * cols + j] = value
    }
  return out
}

const NO_ROWS: Supervised = { x: matrix(0, 0), y: new Float64Array(0) }
