import { RlviError } from 'rlvi'
import { type Graph, showShape, sizeOf } from '../graph/graph.js'
import type { Feeds } from './executor.js'

/** Checks a run's inputs against the graph: none missing, none unknown, sizes and kinds right. For every executor. */
export function checkFeeds(graph: Graph, feeds: Feeds): void {
  for (const { name, tensor } of graph.feeds) {
    const { shape, dtype } = graph.tensors[tensor]
    const given = feeds[name]
    if (given === undefined) throw new RlviError('run', `needs the feed ${name} ${showShape(shape)}`, 'none')
    if (typeof given === 'number') {
      if (shape.length > 0) throw new RlviError(`feed ${name}`, `must be ${showShape(shape)}`, given)
      continue
    }
    if ((dtype === 'i32') !== given instanceof Int32Array) {
      const rule = dtype === 'i32' ? 'must be an Int32Array' : 'must be a Float32Array'
      throw new RlviError(`feed ${name}`, rule, given.constructor.name)
    }
    if (given.length !== sizeOf(shape)) {
      throw new RlviError(
        `feed ${name}`,
        `must have ${sizeOf(shape)} entries ${showShape(shape)}`,
        given.length,
      )
    }
  }
  const unknown = Object.keys(feeds).find((name) => !graph.feeds.some((feed) => feed.name === name))
  if (unknown !== undefined) {
    const known = graph.feeds.map(({ name }) => name).join(', ')
    throw new RlviError('run', `feeds must be among ${known || 'none'}`, unknown)
  }
}
