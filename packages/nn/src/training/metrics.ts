/** What an epoch came to. Accuracies and shares are between 0 and 1. */
export interface EpochMetrics {
  readonly epoch: number
  /** Learning rates by group; usually the one called `rate`. */
  readonly rates: Readonly<Record<string, number>>
  /** Mean loss and accuracy on the given labels during the epoch: before each update, in training mode. */
  readonly loss: number
  readonly train: number
  readonly validation?: number
  readonly test?: number
  /** For methods that weigh: weights below it are 0. */
  readonly threshold?: number
  /** Share of the good samples that the method keeps, where it is known which are good. */
  readonly cleanKept?: number
  /** Share of the wrong samples that it leaves out. */
  readonly corruptCaught?: number
  /** The share of wrong labels, for methods that say so. */
  readonly level?: number
  /** What that share may be, where labels are held out. */
  readonly interval?: readonly [number, number]
  /** Training, E-step and validation. */
  readonly seconds: number
  readonly testSeconds: number
}
