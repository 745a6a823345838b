import type { ResolvedOnlineOptions } from './options.js'

/** Raised whenever a key of the state changes. */
export const VERSION = 2

/** Means and scales of the columns; a response that is standardised is the last one. */
export interface OnlineScales {
  /** Rows that they stand for. */
  readonly rows: number
  readonly means: readonly number[]
  /** 0 for a column that has not varied yet. */
  readonly scales: readonly number[]
}

/** A model in training: its parameters and what its learning rates remember. */
export interface OnlineLearner {
  /** Rows that it has learned from. */
  readonly rows: number
  readonly params: readonly number[]
  readonly memory: readonly number[]
}

/** The corruption level of the recent past: sums over rows that fade. `bad` counts random labels, not only the wrong ones. */
export interface OnlineHistory {
  readonly rows: number
  readonly bad: number
  /** Squared distances of the batches' levels from the level of their past, times their rows. */
  readonly squares: number
  /** By how much the good rows' losses exceed the model's entropy, and the squares of that. */
  readonly surprise: number
  readonly surpriseSquares: number
}

/** A fresh model that learns beside the old one since the level rose, to tell drift from corruption. */
export interface OnlineChallenger extends OnlineLearner {
  /** Number of the batch that started it. */
  readonly since: number
  readonly history: OnlineHistory
  /** The level before it started, and how far batches were off it as a rule. */
  readonly baseline: number
  readonly spread: number
  /** Bad rows since it started, by the old model. */
  readonly bad: number
  /** CUSUM of bad rows beyond the level since it started: a further rise. */
  readonly cusum: number
  /** log of the evidence that the challenger's rule holds for the good rows, by a cautious bet and a bold one. */
  readonly evidence: readonly number[]
  /** The level at which corruption has been reported; 0 if it has not. */
  readonly reported: number
}

/**
 * All that has been learned, as plain data: `JSON.parse(JSON.stringify(state))` continues bit for bit. States are made
 * by `online.init` and `online.update`, which never change one.
 */
export interface OnlineState {
  readonly version: typeof VERSION
  readonly options: ResolvedOnlineOptions
  /** Batches learned so far. */
  readonly batches: number
  readonly learner: OnlineLearner
  readonly scaling: OnlineScales
  readonly history: OnlineHistory
  /** CUSUM of bad rows beyond the baseline. */
  readonly cusum: number
  /** Null while the level is as it was. */
  readonly challenger: OnlineChallenger | null
}
