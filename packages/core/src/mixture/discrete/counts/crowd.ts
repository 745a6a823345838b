import { linearPredictor } from '../../../kernels/gram.js'
import type { CountLikelihood } from '../../../likelihoods/counts.js'
import type { LinearParams, Supervised } from '../../../likelihoods/likelihood.js'

/**
 * Bad counts that lie near the good ones: each about so many times what its row's mean is, or all about one mean of their own.
 * Their dispersion is learned.
 */
export interface Crowd {
  readonly about: 'multiple' | 'mean'
  /** The factor, or the mean. */
  readonly value: number
  readonly dispersion: number
  /** Between these: one that scatters more is not a crowd. */
  readonly bounds: readonly [number, number]
  /** Whether the factor is held. */
  readonly held: boolean
}

/** A smaller dispersion is none. */
const LEAST_DISPERSION = 1e-3

/** Of a crowd of zeros. */
const LEAST_VALUE = 0.05

/** Losses of all rows as members of the crowd. */
export function crowdLosses(
  law: CountLikelihood,
  data: Supervised,
  params: LinearParams,
  crowd: Crowd,
): Float64Array {
  const own = law.withDispersion(crowd.dispersion < LEAST_DISPERSION ? 0 : crowd.dispersion)
  const losses = new Float64Array(data.x.rows)
  own.losses(data, crowdParams(params, crowd), losses)
  return losses
}

function crowdParams(params: LinearParams, { about, value }: Crowd): LinearParams {
  const intercept = Math.log(value)
  return about === 'multiple'
    ? { intercept: params.intercept + intercept, coefficients: params.coefficients }
    : { intercept, coefficients: new Float64Array(params.coefficients.length) }
}

/** The crowd that P(a row is one of it) speaks for. */
export function learnedCrowd(
  { x, y }: Supervised,
  params: LinearParams,
  crowd: Crowd,
  weights: Float64Array,
): Crowd {
  const eta = new Float64Array(x.rows)
  const value = crowd.held ? crowd.value : (centreOf({ x, y }, params, crowd.about, weights) ?? crowd.value)
  const { intercept, coefficients } = crowdParams(params, { ...crowd, value })
  linearPredictor(x, intercept, coefficients, eta)
  let [excess, squares] = [0, 0]
  for (let i = 0; i < y.length; i++) {
    const mean = Math.exp(eta[i])
    excess += weights[i] * ((y[i] - mean) ** 2 - mean)
    squares += weights[i] * mean * mean
  }
  const [least, most] = crowd.bounds
  const dispersion = squares > 0 ? Math.max(least, Math.min(most, excess / squares)) : least
  return { ...crowd, value, dispersion }
}

/** The factor or the mean by which the weighted counts have their own sum. */
function centreOf(
  { x, y }: Supervised,
  params: LinearParams,
  about: Crowd['about'],
  weights: Float64Array,
): number | undefined {
  const eta = new Float64Array(x.rows)
  if (about === 'multiple') linearPredictor(x, params.intercept, params.coefficients, eta)
  let [sum, expected] = [0, 0]
  for (let i = 0; i < y.length; i++) {
    sum += weights[i] * y[i]
    expected += weights[i] * Math.exp(eta[i])
  }
  return expected > 0 ? Math.max(sum / expected, LEAST_VALUE) : undefined
}
