import { RlviError } from 'rlvi'
import type { Graph, Shape } from '../graph/graph.js'
import type { Op } from '../graph/ops.js'
import type { Feeds } from './executor.js'

/** A feed of labels or row numbers, the operation that takes it, and how many of what it numbers there are. */
interface Indexed {
  readonly feed: string
  readonly kind: Op['kind']
  readonly count: number
}

/**
 * Checks labels and row numbers that are fed directly. The runtime would fail on those too large, but count those below 0
 * from the end. What there is to check is found once: steps of small networks are many.
 */
export function indexCheck(graph: Graph): (feeds: Feeds) => void {
  const indexed = indexedFeeds(graph)
  return (feeds) => {
    for (const { feed, kind, count } of indexed) {
      const values = feeds[feed] as Int32Array
      for (let i = 0; i < values.length; i++) {
        const value = values[i]
        if (value >= 0 && value < count) continue
        throw new RlviError(`feed ${feed} (${kind})`, `must be from 0 to ${count - 1}`, value)
      }
    }
  }
}

function indexedFeeds({ feeds, nodes, tensors }: Graph): readonly Indexed[] {
  return feeds.flatMap(({ name: feed, tensor }) =>
    nodes.flatMap(({ op, inputs }): Indexed[] => {
      if (inputs[op.kind === 'oneHot' ? 0 : 1] !== tensor) return []
      const count = countOf(op, tensors[inputs[0]].shape)
      return count === undefined ? [] : [{ feed, kind: op.kind, count }]
    }),
  )
}

/** How many rows or classes an operation tells apart whose first input has this shape; none where it takes no numbers of them. */
function countOf(op: Op, shape: Shape): number | undefined {
  switch (op.kind) {
    case 'oneHot':
      return op.classes
    case 'take':
      return shape[0]
    case 'crossEntropy':
    case 'crossEntropyGrad':
      return shape[1]
    default:
      return undefined
  }
}
