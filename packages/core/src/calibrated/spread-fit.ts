import { constrain } from '../inference/constrained.js'
import { exactEStep } from '../inference/exact.js'
import type { Likelihood, Params, Spread } from '../likelihoods/likelihood.js'
import { rowVector } from '../matrix.js'
import { relativeChange, type TraceStep } from '../result.js'
import { broadReference, updateWidth } from './broad.js'
import { MOST } from './shoulders.js'

/** A model of good rows N(model, scale^2) among rows of a broad reference density. */
export interface SpreadModel<P> {
  readonly params: P
  /** P(good) under the broad reference: the weights of the last fit. */
  readonly weights: Float64Array
  /** Restricted log-likelihood: what starts are judged by. */
  readonly value: number
  readonly converged: boolean
  readonly trace: readonly TraceStep[]
}

/** The reference is at least this many times as wide as the good rows. */
const WIDTH = 3

export interface EmOptions {
  readonly tolerance: number
  readonly maxIterations: number
  /** The first scale, as a factor of the one that half of the rows suggest. */
  readonly tighten: number
}

/** EM from a start, with exact E-steps, at most half of the rows bad, and a scale that is right on average. */
export function spreadFit<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  start: P,
  options: EmOptions,
): SpreadModel<P> {
  const spread = likelihood.spread!
  const n = likelihood.rows(data)
  const D = spread.dimension(data)
  const gauss = 0.5 * D * Math.log(2 * Math.PI)
  const squared = rowVector(n)
  const ratios = rowVector(n)
  const weights = rowVector(n)
  const trace: TraceStep[] = []
  let width = WIDTH
  let params = spread.rescale(start, options.tighten * medianScale(spread, data, start, squared))
  let value = Number.NEGATIVE_INFINITY
  let converged = false
  for (let k = 0; k < options.maxIterations; k++) {
    spread.squaredDistances(data, params, squared)
    broadReference(squared, D, width, ratios)
    let reference = 0
    for (let i = 0; i < n; i++) {
      reference -= ratios[i]
      ratios[i] = 0.5 * squared[i] + gauss - ratios[i]
    }
    const level = goodAtLeastHalf(ratios, weights)
    const volume = spread.logVolume(data, params)
    let mixture = reference - n * volume
    let good = 0
    for (let i = 0; i < n; i++) {
      mixture += logMix(ratios[i], level)
      good += weights[i]
    }
    // Restricted likelihood: each parameter spent is paid for by the volume of its uncertainty.
    value = mixture + spread.spent(data) * (volume - 0.5 * D * Math.log(good))

    const next = consistent(spread, data, likelihood.fit(data, weights, params), good)
    const change = relativeChange(likelihood.vector(next), likelihood.vector(params))
    const stretch = Math.abs(spread.logVolume(data, next) - volume) / D
    width = updateWidth(squared, weights, D, width, WIDTH)
    params = next
    trace.push({ bound: mixture, level, change })
    if (params.problem?.reason === 'exact-fit') break
    if (change <= options.tolerance && stretch <= options.tolerance) {
      converged = true
      break
    }
  }
  return { params, weights, value, converged, trace }
}

/** The plain fit as a model of the same kind: no row is bad. */
export function plainModel<D, P extends Params>(likelihood: Likelihood<D, P>, data: D): SpreadModel<P> {
  const spread = likelihood.spread!
  const n = likelihood.rows(data)
  const D = spread.dimension(data)
  const params = consistent(spread, data, likelihood.fit(data), n)
  const squared = rowVector(n)
  spread.squaredDistances(data, params, squared)
  const volume = spread.logVolume(data, params)
  let value =
    -n * (volume + 0.5 * D * Math.log(2 * Math.PI)) + spread.spent(data) * (volume - 0.5 * D * Math.log(n))
  for (let i = 0; i < n; i++) value -= 0.5 * squared[i]
  return { params, weights: rowVector(n).fill(1), value, converged: true, trace: [] }
}

/** Maximum likelihood divides by the rows; what the parameters took must be given back. */
function consistent<D, P extends Params>(spread: Spread<D, P>, data: D, params: P, good: number): P {
  const left = Math.max(good - spread.spent(data), 0.1 * good)
  return spread.rescale(params, Math.sqrt(good / left))
}

/** The factor that makes the median distance what a Gaussian's is: half of the rows may be anywhere. */
function medianScale<D, P>(spread: Spread<D, P>, data: D, params: P, squared: Float64Array): number {
  spread.squaredDistances(data, params, squared)
  const n = squared.length
  const sorted = Float64Array.from(squared).sort()
  const D = spread.dimension(data)
  const middle = sorted[Math.min(n - 1, Math.floor((n + spread.spent(data)) / 2))]
  // Median of chi-squared, by Wilson and Hilferty; exact in one dimension.
  const median = D === 1 ? 0.4549 : D * (1 - 2 / (9 * D)) ** 3
  return Math.max(Math.sqrt(middle / median), 1e-12)
}

/** The exact E-step with its level, at most MOST. */
function goodAtLeastHalf(ratios: Float64Array, weights: Float64Array): number {
  const step = exactEStep(ratios, weights)
  if (step.level <= MOST) return step.level
  weights.fill(0)
  constrain(ratios, (1 - MOST) * ratios.length, weights)
  return MOST
}

/** log((1 - level) e^-l + level) for the loss l of a row over its reference. */
function logMix(l: number, level: number): number {
  return l >= 0 ? Math.log1p((1 - level) * Math.expm1(-l)) : Math.log1p(level * Math.expm1(l)) - l
}
