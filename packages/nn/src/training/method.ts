import type { Feeds, FloatArray } from '../executors/executor.js'
import type { Graph } from '../graph/graph.js'
import type { Model } from '../models/model.js'
import type { Group } from '../optim/minimize.js'
import type { Optimizer } from '../optim/optimizer.js'
import type { Predicted } from './methods/surest.js'
import type { TrainingState } from './state.js'

/** What a step is built for. */
export interface StepSetup {
  readonly model: Model
  readonly batch: number
  readonly optimizer: Optimizer
  readonly groups: readonly Group[]
  /** Seeds the initial parameters. */
  readonly seed: number
}

/**
 * A way to learn from labels of which some are wrong: how a batch's losses become the step's gradient, and what happens
 * between the epochs. Written against the graph, so it runs on every executor.
 */
export interface Method {
  readonly name: string
  /** All of its settings as plain data; a checkpoint is only taken up with the same ones. */
  readonly options: Readonly<Record<string, number | string | boolean>>
  /** The scope of the network that is measured and saved, for methods that train two. */
  readonly network?: string
  /**
   * What it leaves out: nothing, samples of weight at most the threshold, or samples of each batch (fetch `kept`); or it
   * changes labels: those that are more likely wrong than right.
   */
  readonly keeps: 'all' | 'weights' | 'batch' | 'likely'
  /** Which epoch's model its authors report. */
  readonly report: 'last' | 'best-validation'
  /** The dropout that its model must have, if any. */
  readonly dropout?: { readonly rate: number; readonly always: boolean }
  /**
   * One training step. Feeds: images `x`, labels `y`, the groups' rates, dropout masks, and what `feeds` gives. Fetches,
   * of the measured network before the update: per-sample `losses`, `logits`, and `kept` where the step selects.
   */
  step(setup: StepSetup): Graph
  /** What it keeps beside the state that all methods have: arrays of zeros, which checkpoints hold by these names. */
  arrays?(samples: number, classes: number): Readonly<Record<string, FloatArray>>
  /** Before the first batch of an epoch. */
  beginEpoch?(state: TrainingState, epoch: EpochInfo): void
  /** The method's own feeds for a batch. */
  feeds(state: TrainingState, batch: BatchInfo): Feeds
  /** What a batch came to: the logits from before its update. */
  observe?(state: TrainingState, batch: BatchInfo, logits: FloatArray): void
  /** After the last batch of an epoch: the E-step. `state.losses` are the epoch's. */
  endEpoch?(state: TrainingState, epoch: EpochInfo): void
  /** After the validation that follows: its accuracies so far, the latest last, and what was predicted now. */
  validated?(state: TrainingState, accuracies: readonly number[], heldOut: Predicted): void
}

/** The batch that a method gives its feeds for. */
export interface BatchInfo {
  /** The first is 1. */
  readonly epoch: number
  readonly indices: Int32Array
  /** Their given labels. */
  readonly y: Int32Array
  readonly classes: number
  /** The step that it is fed to. */
  readonly graph: Graph
}

/** An epoch that begins, or has just ended. */
export interface EpochInfo {
  readonly epoch: number
  /** How many there will be. */
  readonly epochs: number
  readonly classes: number
  /** The given labels of all samples. */
  readonly labels: ArrayLike<number>
}
