import { RlviError } from 'rlvi'
import type { Graph } from '../graph/graph.js'
import type { Feeds } from './executor.js'

/**
 * Checks labels and row numbers that are fed directly. The runtime would fail on those too large, but count those below 0
 * from the end.
 */
export function checkIndices(graph: Graph, feeds: Feeds): void {
  for (const { name, tensor } of graph.feeds) {
    const values = feeds[name]
    if (!(values instanceof Int32Array)) continue
    for (const { op, inputs } of graph.nodes) {
      if (inputs[1] !== tensor && !(op.kind === 'oneHot' && inputs[0] === tensor)) continue
      const [first] = inputs.map((id) => graph.tensors[id].shape)
      const count =
        op.kind === 'oneHot'
          ? op.classes
          : op.kind === 'take'
            ? first[0]
            : op.kind === 'crossEntropy' || op.kind === 'crossEntropyGrad'
              ? first[1]
              : undefined
      const bad = count === undefined ? undefined : values.find((value) => value < 0 || value >= count)
      if (bad !== undefined && count !== undefined) {
        throw new RlviError(`feed ${name} (${op.kind})`, `must be from 0 to ${count - 1}`, bad)
      }
    }
  }
}
