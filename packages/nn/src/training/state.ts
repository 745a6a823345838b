import type { FloatArray } from '../executors/executor.js'
import type { EpochMetrics } from './metrics.js'

/** All that training knows beside the executor's variables: with those it is what a checkpoint holds. */
export interface TrainingState {
  /** Epochs that are done. */
  epoch: number
  /** Steps done of the epoch after that. */
  step: number
  /** Of those steps: samples that the network got right, before each update; and their time. */
  correct: number
  seconds: number
  /** Each sample's loss when it was last trained on, before the update, in training mode. */
  readonly losses: Float64Array
  /** P(the sample's label is right); for methods that weigh, its weight in a step. All 1 for methods that do neither. */
  readonly clean: Float64Array
  /** 1 for samples that a method which selects within the batch last trained on. */
  readonly kept: Uint8Array
  /** Weights below it are set to 0; it never falls. 0 until truncation begins. */
  threshold: number
  /** Whether the validation accuracy has dropped, which begins the truncation and never ends it. */
  overfit: boolean
  /** Whether the warm-up is over, for methods that have one. */
  warm: boolean
  /** The share of wrong labels, for methods that say so. */
  level: number | undefined
  /** What that share may be, where labels are held out. */
  interval: readonly [number, number] | undefined
  /** What the method itself keeps, by name. */
  readonly arrays: Readonly<Record<string, FloatArray>>
  history: EpochMetrics[]
}

export function initialState(samples: number, arrays: TrainingState['arrays'] = {}): TrainingState {
  return {
    epoch: 0,
    step: 0,
    correct: 0,
    seconds: 0,
    losses: new Float64Array(samples),
    clean: new Float64Array(samples).fill(1),
    kept: new Uint8Array(samples),
    threshold: 0,
    overfit: false,
    warm: false,
    level: undefined,
    interval: undefined,
    arrays,
    history: [],
  }
}
