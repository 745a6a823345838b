import { exactEStep, paperEStep, paperRules, RlviError, truncate, truncationThreshold } from 'rlvi'
import type { Method } from '../method.js'
import { hasDropped, raiseThreshold } from './rlvi.js'
import { weightedStep, weightFeeds } from './weighted.js'

export interface CalibratedOptions {
  /** The share of the expected wrong labels that truncation may keep. Default 0.05. */
  readonly alpha?: number
}

/**
 * RLVI with weights and a level that mean something. It begins as Algorithm 2: its sharp weights, and then truncation, make
 * the network choose one label where noise offers two; with milder ones it would learn the noise. Once an epoch was trained
 * on truncated weights, the losses of what was left out can be trusted. From then on a sample's weight is the probability
 * that its label is right, and truncation leaves out what holds most of the wrong ones, anew after each epoch.
 */
export function calibrated(options: CalibratedOptions = {}): Method {
  const { alpha = 0.05 } = options
  if (!(alpha > 0 && alpha < 1)) throw new RlviError('calibrated', 'alpha must be between 0 and 1', alpha)
  return {
    name: 'calibrated',
    options: { alpha },
    keeps: 'weights',
    report: 'last',
    step: weightedStep,
    feeds: weightFeeds,
    endEpoch: (state, { classes }) => {
      const { level, right } = calibrate(state.losses, classes)
      state.level = level
      if (state.threshold > 0) {
        state.pi.set(right)
        state.threshold = truncationThreshold(right, alpha) ?? 0
        truncate(state.pi, state.threshold)
      } else {
        paperEStep(state.losses, paperRules.deep, state.pi, state.pi.slice())
        if (state.overfit) raiseThreshold(state, alpha)
      }
    },
    validated: (state, accuracies) => {
      if (hasDropped(accuracies)) state.overfit = true
    },
  }
}

export interface Calibration {
  /** The share of wrong labels. */
  readonly level: number
  /** For each sample the probability that its label is right. */
  readonly right: Float64Array
}

/**
 * What losses say of the labels, if a bad label is any of the K at random: its loss is log K, and the E-step is solved
 * exactly. One bad label in K is right by chance, so that wrong is what is bad and not what the network expects.
 */
export function calibrate(losses: Float64Array, classes: number): Calibration {
  const chance = Math.log(classes)
  const good = new Float64Array(losses.length)
  const { status, level } = exactEStep(
    losses.map((loss) => loss - chance),
    good,
  )
  // A network that is worse than chance everywhere vouches for no label.
  if (status === 'collapse') good.fill(0)
  return {
    level: (level * (classes - 1)) / classes,
    right: good.map((g, i) => 1 - (1 - g) * -Math.expm1(-losses[i])),
  }
}
