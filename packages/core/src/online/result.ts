import type { Matrix } from '../matrix.js'

/** Rows in the order of their arrival, with their responses as they came. */
export interface OnlineBatch {
  readonly x: Matrix
  readonly y: Float64Array
}

/** What happened, reported once. */
export type OnlineEvent =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'corruption' | 'drift'
      /** One plain sentence. */
      readonly message: string
      /** Number of the batch, from 1, in which it began. */
      readonly since: number
    }

/** What `online.update` found in a batch. */
export interface OnlineResult {
  /** Number of this batch, from 1. */
  readonly batch: number
  /** Predictions made before anything was learned from the batch: the label, or the expected response. */
  readonly predictions: Float64Array
  /** P(label k) of each row, rows x K; undefined for a response that is a number. */
  readonly probabilities: Matrix | undefined
  /** P(row is good). 1 for `sgd`; relative to the best row for `paper` and `rrm`. */
  readonly clean: Float64Array
  /** The weights of the rows in the step. */
  readonly weights: Float64Array
  /** -log p(response) before learning. */
  readonly losses: Float64Array
  /** Share of bad rows in this batch; undefined for `sgd`, 1 - mean of `clean` for `paper` (relative: it means little). */
  readonly level: number | undefined
  /** The same over the recent past. */
  readonly smoothedLevel: number | undefined
  /** Whether the level has risen and it is not clear yet why: a challenger learns beside the model. */
  readonly alarm: boolean
  readonly event: OnlineEvent
}
