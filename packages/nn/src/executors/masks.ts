import { seeded } from 'rlvi/random'
import { type Graph, sizeOf } from '../graph/graph.js'
import type { Feeds } from './executor.js'

/**
 * The dropout masks of one step, for all feeds that the graph marks as such. They depend on the seed, the step and the
 * mask's name only, so a run that is taken up again goes on with the same ones.
 */
export function drawMasks(graph: Graph, seed: number, step: number): Feeds {
  const masks: Record<string, Float32Array> = {}
  for (const { name, tensor, dropout } of graph.feeds) {
    if (!dropout) continue
    const uniform = seeded(seed, 'dropout', step, name)
    const mask = new Float32Array(sizeOf(graph.tensors[tensor].shape))
    for (let i = 0; i < mask.length; i++) mask[i] = uniform() < dropout.keep ? 1 : 0
    masks[name] = mask
  }
  return masks
}
