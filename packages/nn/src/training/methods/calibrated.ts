import { exactEStep, rightLabelProbability, wrongLabelShare } from 'rlvi'
import type { Method } from '../method.js'
import { type RlviOptions, rlvi } from './rlvi.js'

/** Settings of `calibrated`. */
export type CalibratedOptions = Pick<RlviOptions, 'alpha'>

/**
 * Algorithm 2 with a level that means something: the share of wrong labels. It trains as RLVI does, since milder weights,
 * such as the probabilities of right labels themselves, let the network learn the noise where wrong labels are alike. Before
 * truncation a network may explain part of the noise as its own doubt, so there is a level from the first epoch on that was
 * trained on truncated weights: then the losses of what was left out are not fitted.
 */
export function calibrated(options: CalibratedOptions = {}): Method {
  const base = rlvi(options)
  return {
    ...base,
    name: 'calibrated',
    endEpoch: (state, epoch) => {
      if (state.threshold > 0) state.level = calibrate(state.losses, epoch.classes).level
      base.endEpoch?.(state, epoch)
    },
  }
}

/** What losses say of the labels. */
export interface Calibration {
  /** The share of wrong labels. */
  readonly level: number
  /** For each sample the probability that its label is right. */
  readonly clean: Float64Array
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
    level: wrongLabelShare(level, classes),
    clean: good.map((g, i) => rightLabelProbability(g, losses[i])),
  }
}
