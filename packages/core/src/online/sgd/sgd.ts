import type { Matrix } from '../../matrix.js'
import type { OnlineModel } from '../models/model.js'
import type { ResolvedOnlineOptions } from '../options.js'
import { adaptive } from './adaptive.js'
import { optimal } from './optimal.js'

/** A model in training, to be changed in place. */
export interface Learner {
  rows: number
  readonly params: Float64Array
  /** The adaptive schedule's running sums of squared gradients, one for each parameter, and its newest parameters. */
  readonly memory: Float64Array
}

/** What a schedule keeps beside the parameters. */
export function memoryLength(options: ResolvedOnlineOptions, parameters: number): number {
  return options.schedule === 'adaptive' ? 2 * parameters : 0
}

/** One pass over the batch, row by row: every row's weighted step is taken before the next row's gradient. */
export function sgd(
  model: OnlineModel,
  options: ResolvedOnlineOptions,
  x: Matrix,
  y: Float64Array,
  weights: Float64Array,
  learner: Learner,
): void {
  const schedule = options.schedule === 'optimal' ? optimal : adaptive
  schedule(model, options, x, y, weights, learner)
}
