import type { Node, Update } from '../../../graph/graph.js'
import type { GraphIndex } from './graph-index.js'

/** Whether an optimizer's step may overwrite the parameters: its results become just what they were made from. */
export function overwrites(index: GraphIndex, { op, inputs, outputs }: Node): boolean {
  if (op.kind !== 'sgdStep' && op.kind !== 'adamStep') return false
  return outputs.every((id, i) => {
    const updates = index.updatesBy(id)
    return (
      updates.length === 1 &&
      index.tensorOf(updates[0].variable) === inputs[i] &&
      !index.isFetched(id) &&
      index.readers(id).length === 0
    )
  })
}

/**
 * The gradient of a relu asks where the relu's output is above 0. Behind a batch norm whose gradient is computed by the same
 * kernel, that is known from its input, which is loaded anyway: these are the tensors to compute again.
 */
export function recomputedFor(
  index: GraphIndex,
  { inputs: [dy, x] }: Node,
  isInMemory: (tensor: number) => boolean,
): ReadonlySet<number> {
  const masked = index.producer(dy)?.node
  if (masked?.op.kind !== 'reluGrad' || isInMemory(dy)) return new Set()
  const [y] = masked.inputs
  const activation = index.producer(y)?.node
  if (activation?.op.kind !== 'relu') return new Set()
  const [normal] = activation.inputs
  const norm = index.producer(normal)?.node
  const isOwn = norm?.op.kind === 'batchNormTrain' && norm.inputs[0] === x && !isInMemory(normal)
  return new Set(isOwn ? [y] : [])
}

/** Running statistics that follow from this batch norm alone, and are read by nothing else. */
export function runningStatistics(
  index: GraphIndex,
  { outputs: [, mean, variance] }: Node,
): readonly Update[] {
  const { graph } = index
  const batch = new Set([mean, variance])
  return graph.updates.filter(({ variable, tensor }) => {
    const inside = new Set<Node>()
    const leaves = leavesOf(index, tensor, inside, batch)
    if (!leaves || inside.size === 0) return false
    const own = index.tensorOf(variable)
    const isOfBatch = [...batch].some((id) => leaves.has(id))
    const isOfNothingElse = [...leaves].every((id) => id === own || batch.has(id))
    const isOwnOnly = !leaves.has(own) || index.readers(own).every((reader) => inside.has(reader))
    const isRead = (id: number): boolean =>
      index.isFetched(id) || index.updatesBy(id).some((other) => other.variable !== variable)
    const isLast = index.readers(tensor).length === 0 && !isRead(tensor) && !(leaves.has(own) && isRead(own))
    return isOfBatch && isOfNothingElse && isOwnOnly && isLast
  })
}

/** What an element-wise expression of vectors is made of; undefined where it is anything else. */
function leavesOf(
  index: GraphIndex,
  tensor: number,
  inside: Set<Node>,
  stop: ReadonlySet<number>,
): ReadonlySet<number> | undefined {
  const node = index.producer(tensor)?.node
  if (stop.has(tensor) || !node) return new Set([tensor])
  if (node.op.kind === 'constant') return node.op.values.length === 1 ? new Set() : undefined
  if (node.op.kind !== 'add' && node.op.kind !== 'mul' && node.op.kind !== 'sub') return undefined
  inside.add(node)
  const all = new Set<number>()
  for (const input of node.inputs) {
    const leaves = leavesOf(index, input, inside, stop)
    if (!leaves) return undefined
    for (const leaf of leaves) all.add(leaf)
  }
  return all
}
