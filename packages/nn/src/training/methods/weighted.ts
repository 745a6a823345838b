import type { Feeds } from '../../executors/executor.js'
import type { Graph } from '../../graph/graph.js'
import { weightedStep as modelStep } from '../../models/graphs.js'
import type { BatchInfo, StepSetup } from '../method.js'
import type { TrainingState } from '../state.js'

/** The step of all methods that weigh samples: it minimises sum w_i l_i, with the weights fed as `w`. */
export function weightedStep(setup: StepSetup): Graph {
  return modelStep(setup.model, setup)
}

/** The weights of a step, P(good) / b: the batch's mean of P(good) l_i, by its size, not by the sum of its weights. */
export function weightFeeds({ clean }: TrainingState, { indices }: BatchInfo): Feeds {
  const w = new Float32Array(indices.length)
  for (let k = 0; k < w.length; k++) w[k] = clean[indices[k]] / w.length
  return { w }
}
