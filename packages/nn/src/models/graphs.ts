import { GraphBuilder } from '../graph/builder.js'
import type { Graph } from '../graph/graph.js'
import { crossEntropy, mul, softmax, sum } from '../graph/values.js'
import { type Group, minimize, oneRate } from '../optim/minimize.js'
import type { Optimizer } from '../optim/optimizer.js'
import type { Model } from './model.js'

/** What a training step is built for. */
export interface StepOptions {
  readonly batch: number
  readonly optimizer: Optimizer
  /** Default: all parameters at one rate, fed as `rate`. */
  readonly groups?: readonly Group[]
  /** Seeds the initial parameters. Default 1. */
  readonly seed?: number
}

/**
 * One training step that minimises the sum of w_i CE_i over the batch. Feeds: images `x`, labels `y`, weights `w` (for
 * the mean loss 1/batch each; Algorithm 2's P(good)/batch), the groups' rates and the dropout masks. Fetches: the
 * per-sample `losses` and the `logits`, both from before the update.
 */
export function weightedStep(model: Model, options: StepOptions): Graph {
  const { batch, seed = 1 } = options
  const g = new GraphBuilder({ mode: 'train', seed })
  const logits = model.logits(g.feed('x', [batch, ...model.image]))
  const { losses } = crossEntropy(logits, g.feed('y', [batch], { dtype: 'i32' }))
  minimize(sum(mul(losses, g.feed('w', [batch]))), options.optimizer, options.groups ?? oneRate)
  g.fetch('losses', losses)
  g.fetch('logits', logits)
  return g.build()
}

/** Which network of a program is evaluated. */
export interface EvaluationOptions {
  /** The scope of the network's parameters, for methods that train two. */
  readonly scope?: string
}

/** A model without its training parts. Feed: images `x`. Fetches: `logits` and `probabilities`. */
export function evaluation(model: Model, batch: number, options: EvaluationOptions = {}): Graph {
  const g = new GraphBuilder({ mode: 'evaluate' })
  const x = g.feed('x', [batch, ...model.image])
  const { scope } = options
  const logits = scope === undefined ? model.logits(x) : g.scope(scope, () => model.logits(x))
  g.fetch('logits', logits)
  g.fetch('probabilities', softmax(logits))
  return g.build()
}
