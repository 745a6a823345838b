import { seededBits } from 'rlvi/random'
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
    const bits = seededBits(seed, 'dropout', step, name)
    const mask = new Float32Array(sizeOf(graph.tensors[tensor].shape))
    // Half a draw decides an entry: that is the probability to 1 in 131,072, and exact for rates such as 1/4.
    const below = Math.round(dropout.keep * 2 ** 16)
    for (let i = 0; i < mask.length; i += 2) {
      const two = bits()
      mask[i] = (two & 0xffff) < below ? 1 : 0
      if (i + 1 < mask.length) mask[i + 1] = two >>> 16 < below ? 1 : 0
    }
    masks[name] = mask
  }
  return masks
}
