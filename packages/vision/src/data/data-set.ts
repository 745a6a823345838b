import type { NoisyLabels } from '../noise/noise.js'
import type { Samples } from './image-set.js'
import type { Preparation } from './loading/transform.js'

/** Images to train on and to test on, and how they are prepared. */
export interface DataSet {
  readonly name: string
  /** The classes that a network has to tell apart. In an open set, `train.classes` has more: those out of distribution. */
  readonly classes: readonly string[]
  readonly train: Samples
  readonly test?: Samples
  readonly preparation: Preparation
  /** The labels that people gave, where that is what the set is about. */
  readonly human?: NoisyLabels
  /** Whether the images of classes beyond `classes` are out of distribution; see `openSetNoise`. */
  readonly open: boolean
}
