import { checkBetween, checkFinite, checkLength } from '../check.js'
import { RlviError } from '../errors.js'
import { exponentials, fixedPoint } from '../kernels/estep.js'
import { scratch } from '../kernels/scratch.js'
import { rowVector } from '../matrix.js'

/**
 * The paper's E-step: the fixed-point iteration (eq. 12), cut short. On the losses of every published experiment the
 * exact step collapses to zero weights (see `exactEStep`), so start, cap and tolerance are part of the method: they
 * are what keeps the weights alive, as a multiple of e^-l.
 */
export interface PaperRule {
  /** Mean weight to start from. */
  readonly start: number
  /** Most iterations. */
  readonly cap: number
  /** Stop when the weights move less than this, as a Euclidean distance over all rows. */
  readonly tolerance: number
  /** Subtract the smallest loss first. */
  readonly shift: boolean
  /** Divide the result by its largest weight, or by that times the number of rows. */
  readonly normalise: 'none' | 'max' | 'max-rows'
}

/** The three variants of the authors' released code. */
export const paperRules: {
  readonly standard: PaperRule
  readonly online: PaperRule
  readonly deep: PaperRule
} = {
  standard: { start: 0.95, cap: 100, tolerance: 1e-3, shift: false, normalise: 'none' },
  online: { start: 0.5, cap: 100, tolerance: 1e-3, shift: false, normalise: 'max-rows' },
  deep: { start: 0.95, cap: 40, tolerance: 1e-3, shift: true, normalise: 'max' },
}

/** How the paper's iteration ended. */
export interface PaperEStep {
  readonly iterations: number
  /** Mean of the weights before normalisation. */
  readonly mean: number
  /** How far the last iteration moved the weights. */
  readonly change: number
}

const growthVector = scratch()

/**
 * Runs the rule on `losses` and leaves the weights in `out`. The first iteration is compared with `previous` (the last
 * epoch's weights, in the deep variant) or else with the start.
 */
export function paperEStep(
  losses: Float64Array,
  rule: PaperRule,
  out: Float64Array = rowVector(losses.length),
  previous?: Float64Array,
): PaperEStep {
  const n = losses.length
  if (n === 0) throw new RlviError('paperEStep', 'at least one loss is needed', 0)
  checkBetween('paperEStep rule.start', rule.start, 0, 1)
  checkFinite('paperEStep losses', losses)
  if (previous === undefined) out.fill(rule.start)
  else {
    checkLength('paperEStep previous', previous, n)
    out.set(previous)
  }
  const least = minimum(losses)
  const shift = rule.shift ? least : 0
  const growth = growthVector(n)
  exponentials(losses, 1, shift, growth)

  let mean = rule.start
  let change = 0
  let iterations = 0
  while (iterations < rule.cap) {
    const step = fixedPoint(growth, (1 - mean) / mean, out)
    mean = step.sum / n
    change = Math.sqrt(step.moved)
    iterations++
    if (change < rule.tolerance) break
  }
  normalise(out, rule.normalise, losses, least)
  return { iterations, mean, change }
}

function normalise(
  out: Float64Array,
  how: PaperRule['normalise'],
  losses: Float64Array,
  least: number,
): void {
  if (how === 'none') return
  const by = how === 'max' ? 1 : out.length
  const most = maximum(out)
  // Weights too small for a float are the limit e^-(l - min l) times a constant, which the division takes out.
  if (most < 1e-290) for (let i = 0; i < out.length; i++) out[i] = Math.exp(least - losses[i]) / by
  else for (let i = 0; i < out.length; i++) out[i] /= most * by
}

export function minimum(values: Float64Array): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < values.length; i++) if (values[i] < least) least = values[i]
  return least
}

export function maximum(values: Float64Array): number {
  let most = Number.NEGATIVE_INFINITY
  for (let i = 0; i < values.length; i++) if (values[i] > most) most = values[i]
  return most
}
