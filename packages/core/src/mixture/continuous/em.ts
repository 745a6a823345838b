import { constrain } from '../../inference/constrained.js'
import { exactEStep } from '../../inference/exact.js'
import type { Continuous } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { rowVector } from '../../matrix.js'
import type { TraceStep } from '../../result.js'
import { MAX_LEVEL } from '../laws/masses.js'
import { MIN_WIDTH, studentTReference, updateWidth } from './student-t.js'

/** A model of good rows N(model, scale^2) among rows of a broad reference density. */
export interface BroadMixture<P> {
  readonly params: P
  /** P(good) under the broad reference: the weights of the last fit. */
  readonly weights: Float64Array
  /** How many times as wide as the good rows the reference is. */
  readonly width: number
  /** Restricted log-likelihood: what models are judged by. */
  readonly value: number
  readonly converged: boolean
  readonly trace: readonly TraceStep[]
}

export interface EmOptions {
  readonly tolerance: number
  readonly maxIterations: number
  /** Hold the scale at this one. */
  readonly logScale?: number
  /** A likelihood at which it ends: EM only goes up from there. */
  readonly enough?: number
}

/**
 * EM from a model: exact E-steps with at most half of the rows bad, weighted fits, and a scale that is
 * unbiased or held.
 */
export function fitBroadMixture<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  start: { readonly params: P; readonly width: number },
  options: EmOptions,
): BroadMixture<P> {
  const n = likelihood.rows(data)
  const D = likelihood.dimension(data)
  const squared = rowVector(n)
  const ratios = rowVector(n)
  const weights = rowVector(n)
  const trace: TraceStep[] = []
  const before = rowVector(n)
  let { params, width } = start
  let value = Number.NEGATIVE_INFINITY
  let converged = false
  for (let k = 0; k < options.maxIterations && !converged; k++) {
    likelihood.squaredDistances(data, params, squared)
    const logScale = likelihood.logScale(data, params)
    const references = lossRatios(squared, D, width, ratios)
    const level = goodAtLeastHalf(ratios, weights)
    let mixture = -references - n * logScale
    let good = 0
    for (let i = 0; i < n; i++) {
      mixture += logMix(ratios[i], level)
      good += weights[i]
    }
    value = restricted(mixture, likelihood.degreesOfFreedom(data), D, logScale, good)
    if (options.enough !== undefined && value >= options.enough) break

    let next = likelihood.fit(data, weights, params)
    if (next.problem?.reason === 'exact-fit') return { params: next, weights, width, value, converged, trace }
    next =
      options.logScale === undefined
        ? unbiasedScale(likelihood, data, next, good)
        : atScale(likelihood, data, next, options.logScale)
    // P(good) and the scale are free of units, as the parameters are not.
    const change = meanChange(weights, before)
    const stretch = Math.abs(likelihood.logScale(data, next) - logScale) / D
    width = updateWidth(squared, weights, D, width)
    params = next
    trace.push({ bound: mixture, level, change })
    converged = change <= options.tolerance && stretch <= options.tolerance
  }
  return { params, weights, width, value, converged, trace }
}

/** Mean absolute change of the weights, which are then kept for the next time. */
function meanChange(weights: Float64Array, before: Float64Array): number {
  let sum = 0
  for (let i = 0; i < weights.length; i++) {
    sum += Math.abs(weights[i] - before[i])
    before[i] = weights[i]
  }
  return sum / weights.length
}

/** The maximum-likelihood fit with an unbiased scale: no row is bad. */
export function mlFit<D, P extends Params>(likelihood: Continuous<D, P>, data: D): P {
  const params = likelihood.fit(data)
  return unbiasedScale(likelihood, data, params, likelihood.rows(data))
}

/** Maximum likelihood divides by the rows, an unbiased scale by the rows less the degrees of freedom. */
export function unbiasedScale<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  params: P,
  good: number,
): P {
  const left = Math.max(good - likelihood.degreesOfFreedom(data), 0.1 * good)
  return likelihood.rescale(params, Math.sqrt(good / left))
}

/** The model with its scale set to a given one. */
export function atScale<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  params: P,
  logScale: number,
): P {
  return likelihood.rescale(
    params,
    Math.exp((logScale - likelihood.logScale(data, params)) / likelihood.dimension(data)),
  )
}

/** Restricted likelihood: each parameter of the fit is paid for by the size of its uncertainty. */
function restricted(
  mixture: number,
  degreesOfFreedom: number,
  dimension: number,
  logScale: number,
  good: number,
): number {
  return mixture + degreesOfFreedom * (logScale - 0.5 * dimension * Math.log(good))
}

/** -log(p / q) of each row into `out`; the sum of -log q returned, both in units of the scale. */
function lossRatios(squared: Float64Array, dimension: number, width: number, out: Float64Array): number {
  const gauss = 0.5 * dimension * Math.log(2 * Math.PI)
  studentTReference(squared, dimension, width, out)
  let references = 0
  for (let i = 0; i < out.length; i++) {
    references += out[i]
    out[i] = 0.5 * squared[i] + gauss - out[i]
  }
  return references
}

/** The exact E-step with its level, at most MAX_LEVEL. */
function goodAtLeastHalf(ratios: Float64Array, weights: Float64Array): number {
  const step = exactEStep(ratios, weights)
  if (step.level <= MAX_LEVEL) return step.level
  weights.fill(0)
  constrain(ratios, (1 - MAX_LEVEL) * ratios.length, weights)
  return MAX_LEVEL
}

/** log((1 - level) e^-l + level) for the loss l of a row over its reference. */
function logMix(l: number, level: number): number {
  if (level === 0) return -l
  return l >= 0 ? Math.log((1 - level) * Math.exp(-l) + level) : Math.log(1 - level + level * Math.exp(l)) - l
}

/** A start for EM: a model with a reference of the least width. */
export function startFrom<P>(params: P): { readonly params: P; readonly width: number } {
  return { params, width: MIN_WIDTH }
}
