import { linearPredictor } from '../../../kernels/gram.js'
import type { CountLikelihood } from '../../../likelihoods/counts.js'
import type { LinearParams, Supervised } from '../../../likelihoods/likelihood.js'

/**
 * Bad counts that lie near the good ones: each about so many times what its row's mean is, a good count with so many more or fewer, one
 * of two or three things counted, or all about one mean of their own. Where it is about another mean, its dispersion is learned.
 */
export interface Crowd {
  readonly about: 'multiple' | 'more' | 'part' | 'mean'
  /** The factor, by how many more, of how many one was counted, or the mean. */
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
  if (crowd.about === 'more') return shiftedLosses(own, data, params, crowd.value)
  if (crowd.about === 'part') return partLosses(own, data, params, crowd.value)
  const losses = new Float64Array(data.x.rows)
  own.losses(data, crowdParams(params, crowd), losses)
  return losses
}

/** Counts that have so many more than they should: those without them are like good ones. Between two whole numbers some have the one, some the other. */
function shiftedLosses(
  law: CountLikelihood,
  { x, y }: Supervised,
  params: LinearParams,
  by: number,
): Float64Array {
  const least = Math.floor(by)
  const density = new Float64Array(y.length)
  for (const [shift, share] of [
    [least, least + 1 - by],
    [least + 1, by - least],
  ]) {
    const losses = new Float64Array(y.length)
    law.losses({ x, y: y.map((count) => Math.max(0, count - shift)) }, params, losses)
    for (let i = 0; i < y.length; i++) if (y[i] >= shift) density[i] += share * Math.exp(-losses[i])
  }
  return density.map((p) => -Math.log(Math.max(p, Number.MIN_VALUE)))
}

/** Counts in units of `unit`, the rest dropped: halves scatter less than counts about half of the mean do. */
function partLosses(
  law: CountLikelihood,
  { x, y }: Supervised,
  params: LinearParams,
  unit: number,
): Float64Array {
  const density = new Float64Array(y.length)
  for (let rest = 0; rest < unit; rest++) {
    const losses = new Float64Array(y.length)
    law.losses({ x, y: y.map((count) => unit * count + rest) }, params, losses)
    for (let i = 0; i < y.length; i++) density[i] += Math.exp(-losses[i])
  }
  return density.map((p) => -Math.log(Math.max(p, Number.MIN_VALUE)))
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
  // These scatter as good ones do.
  if (crowd.about === 'more' || crowd.about === 'part') return { ...crowd, value }
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

/** The factor, the shift or the mean by which the weighted counts have their own sum. */
function centreOf(
  { x, y }: Supervised,
  params: LinearParams,
  about: Crowd['about'],
  weights: Float64Array,
): number | undefined {
  const eta = new Float64Array(x.rows)
  if (about !== 'mean') linearPredictor(x, params.intercept, params.coefficients, eta)
  let [sum, expected, total] = [0, 0, 0]
  for (let i = 0; i < y.length; i++) {
    sum += weights[i] * y[i]
    expected += weights[i] * Math.exp(eta[i])
    total += weights[i]
  }
  if (!(expected > 0)) return undefined
  return about === 'more' ? (sum - expected) / total : Math.max(sum / expected, LEAST_VALUE)
}
