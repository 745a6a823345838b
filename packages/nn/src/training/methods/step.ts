import { GraphBuilder, type Value } from '../../graph/builder.js'
import type { Graph } from '../../graph/graph.js'
import { crossEntropy, div, mul, sum } from '../../graph/values.js'
import { type Group, minimize } from '../../optim/minimize.js'
import type { StepSetup } from '../method.js'

/** A network's forward pass on the batch, and each sample's loss. */
export interface Network {
  readonly logits: Value
  readonly losses: Value
  readonly logProbabilities: Value
}

export interface Batch {
  readonly graph: GraphBuilder
  readonly x: Value
  readonly y: Value
}

/** The scopes of the two networks of Co-teaching and JoCoR. The first one is measured. */
export const TWO_NETWORKS = ['net1', 'net2'] as const

/** A training graph with the feeds `x` and `y`. */
export function openStep({ model, batch, seed }: StepSetup): Batch {
  const graph = new GraphBuilder({ mode: 'train', seed })
  return {
    graph,
    x: graph.feed('x', [batch, ...model.image]),
    y: graph.feed('y', [batch], { dtype: 'i32' }),
  }
}

/** The model on the batch, its layers in a scope if one is given. */
export function network({ model }: StepSetup, { graph, x, y }: Batch, scope?: string): Network {
  const logits = scope === undefined ? model.logits(x) : graph.scope(scope, () => model.logits(x))
  return { logits, ...crossEntropy(logits, y) }
}

/** Minimises the loss, and returns what the loop wants to see of the measured network. */
export function closeStep(
  setup: StepSetup,
  { graph }: Batch,
  loss: Value,
  { losses, logits }: Network,
  kept?: Value,
): Graph {
  minimize(loss, setup.optimizer, scopedGroups(setup.groups))
  graph.fetch('losses', losses)
  graph.fetch('logits', logits)
  if (kept) graph.fetch('kept', kept)
  return graph.build()
}

/** Groups name parameters as the model does; two networks have a scope in front. */
function scopedGroups(groups: readonly Group[]): readonly Group[] {
  const own = (name: string): string => {
    const scope = TWO_NETWORKS.find((prefix) => name.startsWith(`${prefix}.`))
    return scope === undefined ? name : name.slice(scope.length + 1)
  }
  return groups.map(({ rate, has }) => ({ rate, has: (name) => has(own(name)) }))
}

/** The mean over the entries that the mask has, of which there must be some. */
export function meanOver(values: Value, mask: Value): Value {
  return div(sum(mul(values, mask)), sum(mask))
}
