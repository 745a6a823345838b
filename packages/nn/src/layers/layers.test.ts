import { describe, expect, it } from 'vitest'
import { drawMasks } from '../executors/masks.js'
import { referenceExecutor } from '../executors/reference/reference.js'
import { GraphBuilder } from '../graph/builder.js'
import { add } from '../graph/values.js'
import { batchNorm } from './batch-norm.js'
import { dropout } from './layers.js'

describe('batch norm', () => {
  it('moves its statistics twice when a network is applied twice', async () => {
    const run = async (times: number): Promise<readonly number[]> => {
      const g = new GraphBuilder({ mode: 'train' })
      const x = g.feed('x', [3, 1])
      let y = x
      for (let i = 0; i < times; i++)
        y = add(
          y,
          g.shared(() => batchNorm(x, 'bn')),
        )
      g.fetch('y', y)
      const program = await referenceExecutor().compile(g.build())
      await program.run({ x: new Float32Array([1, 2, 6]) })
      const { variables } = program
      return [(await variables.read('bn.running_mean'))[0], (await variables.read('bn.running_var'))[0]]
    }
    // The batch has mean 3 and unbiased variance 7; the statistics start at 0 and 1 and go a tenth of the way.
    const [mean1, variance1] = await run(1)
    expect([mean1, variance1]).toEqual([expect.closeTo(0.3, 12), expect.closeTo(0.9 + 0.7, 12)])
    const [mean2, variance2] = await run(2)
    expect([mean2, variance2]).toEqual([expect.closeTo(0.57, 12), expect.closeTo(0.9 * 1.6 + 0.7, 12)])
  })
})

describe('dropout', () => {
  const build = () => {
    const g = new GraphBuilder({ mode: 'train' })
    const x = g.feed('x', [100, 20, 2, 2])
    g.fetch('element', dropout(x, 'a', { rate: 0.25 }))
    g.fetch('channel', dropout(x, 'b', { rate: 0.25, by: 'channel' }))
    return g.build()
  }

  it('keeps the mean, and whole channels or none', async () => {
    const graph = build()
    const program = await referenceExecutor().compile(graph)
    const x = new Float32Array(8000).fill(1)
    const { element, channel } = await program.run({ x, ...drawMasks(graph, 1, 0) })
    for (const [y, draws] of [
      [element, 8000],
      [channel, 2000],
    ] as const) {
      const values = [...y]
      expect(new Set(values)).toEqual(new Set([0, 1 / 0.75]))
      const mean = values.reduce((a, b) => a + b, 0) / values.length
      // A kept share of 3/4 has the spread sqrt(3/16/draws).
      expect(Math.abs(0.75 * mean - 0.75)).toBeLessThan(4 * Math.sqrt(3 / 16 / draws))
    }
    for (let i = 0; i < channel.length; i += 4) expect(new Set(channel.slice(i, i + 4)).size).toBe(1)
  })

  it('draws the same masks for the same seed and step, others for others', () => {
    const graph = build()
    expect(drawMasks(graph, 1, 7)).toEqual(drawMasks(graph, 1, 7))
    expect(drawMasks(graph, 1, 8)).not.toEqual(drawMasks(graph, 1, 7))
    expect(drawMasks(graph, 2, 7)).not.toEqual(drawMasks(graph, 1, 7))
    expect(Object.keys(drawMasks(graph, 1, 7))).toEqual(['a.mask', 'b.mask'])
  })

  it('refuses a rate that leaves nothing', () => {
    const g = new GraphBuilder({ mode: 'train' })
    expect(() => dropout(g.feed('x', [2]), 'drop', { rate: 1 })).toThrow(
      'drop: the rate must be at least 0 and below 1, got 1',
    )
  })
})
