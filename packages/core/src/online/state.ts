import type { Matrix } from '../matrix.js'
import type { StreamModel, StreamModelName } from './models/model.js'

export type StreamMethod = 'calibrated' | 'paper' | 'rrm' | 'sgd'
export type StreamSchedule = 'adaptive' | 'optimal'
export type StreamScaling = 'running' | 'batch' | 'none'

export interface StreamOptions {
  /** A name, or any likelihood with a gradient; then pass the same object to every `update` and `predict`. */
  readonly model: StreamModelName | StreamModel
  /** Number of features in each row. */
  readonly features: number
  /** Number of labels, for `softmax`. */
  readonly classes?: number
  /**
   * How a batch's rows are weighed:
   * - `calibrated` (the default): by P(good) under a mixture with a reference density, so that the level means something
   * - `paper`: by the paper's E-step (start .5, at most 100 iterations, tolerance 1e-3)
   * - `rrm`: by robust risk minimisation with at most a share `epsilon` of bad rows
   * - `sgd`: all alike
   */
  readonly method?: StreamMethod
  /** For `rrm`: upper bound on the share of bad rows. Default .3, the paper's. */
  readonly epsilon?: number
  /**
   * - `adaptive` (the default) needs no tuning
   * - `optimal` is scikit-learn's: eta_t = 1 / (alpha (1 / (alpha eta_0) + t - 1)), t counting rows from 1
   */
  readonly schedule?: StreamSchedule
  /** The ridge penalty alpha. Default 1e-4 with `optimal`, as scikit-learn's; 0 with `adaptive`. */
  readonly alpha?: number
  /**
   * - `running` (the default): by means and scales of the rows seen before, robust to outliers
   * - `batch`: by those of the batch itself, as in the paper's experiment
   * - `none`
   */
  readonly scaling?: StreamScaling
  /**
   * Whether a batch counts as one row in the step (`mean`: weights are divided by the number of rows, as the paper's
   * code does for RLVI and RRM) or as its rows (`sum`). Default `sum` for `adaptive`, `mean` for `optimal`.
   */
  readonly weights?: 'mean' | 'sum'
  /**
   * For labels 0 and 1, as the authors' released code: rows are weighed by -log P(label 1), whatever their label, and
   * RRM's temperature is sought with e^(-l / alpha) held above 1e-16.
   */
  readonly asReleased?: boolean
  /** Whether to tell drift from corruption and to follow it: for `calibrated` only, and its default. */
  readonly drift?: boolean
}

/** The options with nothing left open: plain data. */
export interface ResolvedStreamOptions {
  /** The model's name; that of the object for a model of your own. */
  readonly model: string
  readonly features: number
  readonly classes: number
  readonly method: StreamMethod
  readonly epsilon: number
  readonly schedule: StreamSchedule
  readonly alpha: number
  readonly scaling: StreamScaling
  readonly weights: 'mean' | 'sum'
  readonly asReleased: boolean
  readonly drift: boolean
}

/** Means and scales of the columns; a response that is a number is the last one. */
export interface StreamScales {
  /** Rows that they stand for. */
  readonly rows: number
  readonly means: readonly number[]
  /** 0 for a column that has not varied yet. */
  readonly scales: readonly number[]
}

/** A model in training: its parameters and what its learning rates remember. */
export interface StreamLearner {
  /** Rows that it has learned from. */
  readonly rows: number
  readonly params: readonly number[]
  readonly memory: readonly number[]
}

/** The level of the recent past: sums over rows that fade. `bad` counts random labels, not only the wrong ones. */
export interface StreamHistory {
  readonly rows: number
  readonly bad: number
  /** Squared distances of the batches' levels from the level of their past, times their rows. */
  readonly squares: number
  /** By how much the good rows' losses exceed what the model expects them to be, and the squares of that. */
  readonly surprise: number
  readonly surpriseSquares: number
}

/** A challenger on trial: a fresh model that learns since the level rose. */
export interface StreamTrial extends StreamLearner {
  /** Number of the batch that started it. */
  readonly since: number
  readonly history: StreamHistory
  /** Level before the trial, and how far batches were off it as a rule. */
  readonly usual: number
  readonly spread: number
  /** Bad rows since the trial began, by the model. */
  readonly bad: number
  /** Bad rows beyond the trial's own level, summed up while there are more. */
  readonly rise: number
  /** log of the evidence that the challenger's rule holds for the good rows, by a cautious bet and a bold one. */
  readonly evidence: readonly number[]
  /** The level at which corruption has been told; 0 if it has not. */
  readonly reported: number
}

/** All that a stream knows, as plain data: `JSON.parse(JSON.stringify(state))` continues bit for bit. */
export interface StreamState {
  readonly version: 1
  readonly options: ResolvedStreamOptions
  readonly batches: number
  readonly learner: StreamLearner
  readonly scaling: StreamScales
  readonly history: StreamHistory
  /** Bad rows beyond the usual, summed up while there are more than usual. */
  readonly excess: number
  readonly trial: StreamTrial | null
}

/** Rows in the order of their arrival, with their responses as they came. */
export interface StreamBatch {
  readonly x: Matrix
  readonly y: Float64Array
}

/** What happened, told once. */
export type StreamEvent =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'corruption' | 'drift'
      /** One plain sentence. */
      readonly message: string
      /** Number of the batch, from 1, in which it began. */
      readonly since: number
    }

export interface StreamResult {
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
  /** Whether a challenger is on trial: the level has risen, and it is not clear yet why. */
  readonly suspicious: boolean
  readonly event: StreamEvent
}
