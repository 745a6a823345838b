import { paperEStep, paperRules, RlviError, truncate, truncationThreshold } from 'rlvi'
import type { Method } from '../method.js'
import type { TrainingState } from '../state.js'
import { weightedStep, weightFeeds } from './weighted.js'

/** Settings of Algorithm 2. */
export interface RlviOptions {
  /** The share of the expected corruption that truncation may keep (eq. 15). Default 0.05. */
  readonly alpha?: number
  /** When weights below the threshold become 0: once the validation accuracy has dropped (default), or never. */
  readonly truncation?: 'validation' | 'never'
  /** Divides the losses by 2 sqrt(mean x median) where that is above 1: the first public code, December 2023. Default false. */
  readonly scaledLosses?: boolean
}

/**
 * Algorithm 2. Each sample's loss is stored when its batch is trained on; after the epoch the E-step turns the losses into
 * the weights of the next one. Once the validation accuracy has dropped, weights below a threshold are set to 0.
 */
export function rlvi(options: RlviOptions = {}): Method {
  const { alpha = 0.05, truncation = 'validation', scaledLosses = false } = options
  if (!(alpha > 0 && alpha < 1)) throw new RlviError('rlvi', 'alpha must be between 0 and 1', alpha)
  return {
    name: 'rlvi',
    options: { alpha, truncation, scaledLosses },
    keeps: 'weights',
    report: 'last',
    step: weightedStep,
    feeds: weightFeeds,
    endEpoch: (state) => {
      const losses = scaledLosses ? scaled(state.losses) : state.losses
      paperEStep(losses, paperRules.deep, state.clean, state.clean.slice())
      if (state.overfit) raiseThreshold(state, alpha)
    },
    validated: (state, accuracies) => {
      if (truncation === 'validation' && hasDropped(accuracies)) state.overfit = true
    },
  }
}

/** The truncation of Section 3.2. The threshold never falls; samples that were cut may come back above it. */
export function raiseThreshold(state: TrainingState, alpha: number): void {
  state.threshold = Math.max(state.threshold, truncationThreshold(state.clean, alpha) ?? 0)
  truncate(state.clean, state.threshold)
}

/** Overfitting: the latest validation accuracy is below the mean of the two before it. */
export function hasDropped(accuracies: readonly number[]): boolean {
  const [last, before, earlier] = accuracies.toReversed()
  return earlier !== undefined && last < (before + earlier) / 2
}

function scaled(losses: Float64Array): Float64Array {
  const sorted = losses.slice().sort()
  const n = sorted.length
  const median = (sorted[(n - 1) >> 1] + sorted[n >> 1]) / 2
  const mean = losses.reduce((sum, loss) => sum + loss, 0) / n
  const scale = 2 * Math.sqrt(mean * median)
  return scale > 1 ? losses.map((loss) => loss / scale) : losses
}
