import { exactEStep } from '../../inference/exact.js'
import type { Discrete } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { rowVector } from '../../matrix.js'
import type { TraceStep } from '../../result.js'

/** A model of good rows among rows of the likelihood's own reference density. */
export interface ReferenceMixture<P> {
  readonly params: P
  /** P(a row is not a draw from the reference): the weights of the last fit. */
  readonly weights: Float64Array
  /** Share of draws from the reference. */
  readonly level: number
  /** Log-likelihood of the mixture less the model's own penalty. */
  readonly value: number
  readonly converged: boolean
  readonly trace: readonly TraceStep[]
}

export interface EmOptions {
  readonly maxIterations: number
  /** Gain in log-likelihood below which an iteration is the last. */
  readonly tolerance: number
  /** Hold the level. */
  readonly level?: number
}

/** EM from a start with exact E-steps on losses over the reference, until the mixture's likelihood stands still. */
export function fitReferenceMixture<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  start: P,
  options: EmOptions,
): ReferenceMixture<P> {
  const n = likelihood.rows(data)
  const losses = rowVector(n)
  const references = rowVector(n)
  const ratios = rowVector(n)
  const weights = rowVector(n)
  const trace: TraceStep[] = []
  let params = start
  let value = Number.NEGATIVE_INFINITY
  let level = 0
  let converged = false
  for (let k = 0; k < options.maxIterations; k++) {
    likelihood.losses(data, params, losses)
    likelihood.reference(data, params, references)
    for (let i = 0; i < n; i++) ratios[i] = losses[i] - references[i]
    level = options.level ?? exactEStep(ratios, weights).level
    let sum = 0
    for (let i = 0; i < n; i++) {
      const l = ratios[i]
      // Of a level of none a loss beyond 745 would leave 0 of 0.
      if (level === 0) {
        weights[i] = 1
        sum -= l + references[i]
        continue
      }
      const e = Math.exp(-Math.abs(l))
      const good = l >= 0 ? (1 - level) * e : 1 - level
      const bad = l >= 0 ? level : level * e
      weights[i] = good / (good + bad)
      sum += Math.log(good + bad) + Math.max(-l, 0) - references[i]
    }
    sum -= likelihood.prior?.penalty(params) ?? 0
    const gain = sum - value
    trace.push({ bound: sum, level, change: gain })
    value = sum
    if (gain < options.tolerance && k > 0) {
      converged = true
      break
    }
    if (level >= 1) break
    params = likelihood.fit(data, weights, params)
  }
  return { params, weights, level, value, converged, trace }
}
