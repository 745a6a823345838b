import { RlviError } from '../errors.js'
import { bound, corruptionLevel } from '../inference/bound.js'
import { constrain } from '../inference/constrained.js'
import { type EStepStatus, exactEStep } from '../inference/exact.js'
import { maximum, minimum, type PaperRule, paperEStep, paperRules } from '../inference/paper.js'
import { allFinite } from '../kernels/finite.js'
import type { Likelihood, Params } from '../likelihoods/likelihood.js'
import { rowVector } from '../matrix.js'
import {
  type Corruption,
  type Fit,
  notFinite,
  relativeChange,
  type Status,
  statusOf,
  type TraceStep,
} from '../result.js'

/** Options of `paper`. */
export interface PaperOptions<P> {
  /** `exact`, or the paper's iteration with its settings (default `paperRules.standard`). */
  readonly eStep?: 'exact' | PaperRule
  /** Appendix D: at least this many rows (n0, not always whole) must count as good. */
  readonly goodRows?: number
  /** Stop when the parameters change by no more than this, relative to their size. Default 1e-3. */
  readonly tolerance?: number
  /** Default 100. */
  readonly maxIterations?: number
  /** Parameters for the first losses, in place of the maximum-likelihood fit. */
  readonly start?: P
}

/**
 * RLVI, Algorithm 1 of the paper: infer how good each row is from its loss (E-step), fit the model to the rows by that
 * weight (M-step), until the model stands still. Throws only for input that is no data at all; for hard data it
 * returns, with the reason in `status`.
 *
 * @example
 * const data = { x: fromRows([[0], [1], [2], [3], [4], [5]]), y: Float64Array.of(1, 3, 5.1, 7, 8.9, 90) }
 * const { params, clean } = paper(linear(), data)
 * clean[5] // the weight of the last row, with the best row's as 1
 */
export function paper<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  data: D,
  options: PaperOptions<P> = {},
): Fit<P> {
  likelihood.check(data)
  const { tolerance, maxIterations } = limits(options)
  const n = likelihood.rows(data)
  const losses = rowVector(n)
  const weights = rowVector(n).fill(1)
  const trace: TraceStep[] = []

  let params = options.start ?? likelihood.fit(data)
  likelihood.losses(data, params, losses)
  let eStatus: EStepStatus | undefined
  let status: Status = { kind: 'max-iterations', message: `still moving after ${maxIterations} iterations` }

  for (let k = 1; k <= maxIterations; k++) {
    if (!allFinite(losses)) {
      status = notFinite
      break
    }
    if (params.problem?.reason === 'exact-fit') break
    eStatus = eStep(losses, weights, options) // E-step
    // On collapse the weights are ratios; as probabilities all are 0, and so is the bound.
    const currentBound = eStatus === 'collapse' ? 0 : bound(losses, weights)
    const level = eStatus === 'collapse' ? 1 : corruptionLevel(weights)
    scaleToOne(weights, losses)
    const next = likelihood.fit(data, weights, params) // M-step
    const change = relativeChange(likelihood.vector(next), likelihood.vector(params))
    params = next
    likelihood.losses(data, params, losses)
    trace.push({ bound: currentBound, level, change })
    if (change <= tolerance) {
      status = { kind: 'converged' }
      break
    }
  }
  if (eStatus === 'collapse' && options.goodRows === undefined) {
    const message = 'no mean weight above 0 improves the bound: these losses hold no information on the level'
    status = { kind: 'degenerate', reason: 'collapse', message }
  }
  const last = trace.at(-1)
  const corruption: Corruption =
    eStatus === 'interior' || eStatus === 'saturate'
      ? { level: last?.level, interval: undefined, source: 'inferred' }
      : { level: corruptionLevel(weights), interval: undefined, source: 'relative' }
  return {
    params,
    clean: weights,
    losses,
    corruption,
    status: statusOf(params, status),
    iterations: trace.length,
    trace,
  }
}

/** Weights for the losses; the exact step says how it ended. */
function eStep<P>(
  losses: Float64Array,
  weights: Float64Array,
  options: PaperOptions<P>,
): EStepStatus | undefined {
  const rule = options.eStep ?? paperRules.standard
  let status: EStepStatus | undefined
  if (rule === 'exact') {
    status = exactEStep(losses, weights).status
    // The limit weights of a collapse are ratios; as probabilities they are all 0.
    if (status === 'collapse' && options.goodRows !== undefined) weights.fill(0)
  } else paperEStep(losses, rule, weights)
  if (options.goodRows !== undefined && constrain(losses, options.goodRows, weights).active) return undefined
  return status
}

/** Divides by the largest weight; weights too small for that are their own limit, e^-(l - min l). */
function scaleToOne(weights: Float64Array, losses: Float64Array): void {
  const most = maximum(weights)
  if (most > 1e-290) for (let i = 0; i < weights.length; i++) weights[i] /= most
  else {
    const least = minimum(losses)
    for (let i = 0; i < weights.length; i++) weights[i] = Math.exp(least - losses[i])
  }
}

export function limits<P>(options: PaperOptions<P>): { tolerance: number; maxIterations: number } {
  const tolerance = options.tolerance ?? 1e-3
  const maxIterations = options.maxIterations ?? 100
  if (!(tolerance >= 0)) throw new RlviError('paper tolerance', 'must not be negative', tolerance)
  if (!Number.isInteger(maxIterations) || maxIterations < 1) {
    throw new RlviError('paper maxIterations', 'a whole number of at least 1 is needed', maxIterations)
  }
  return { tolerance, maxIterations }
}
