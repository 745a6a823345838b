import { describe, expect, it } from 'vitest'
import { GraphBuilder } from '../graph/builder.js'
import { dropout } from '../layers/layers.js'
import { drawMasks } from './masks.js'

function graphOf(rate: number, size: number) {
  const g = new GraphBuilder({ mode: 'train' })
  g.fetch('y', dropout(g.feed('x', [size]), 'drop', { rate }))
  return g.build()
}

describe('masks', () => {
  it.each([0.25, 0.5, 0.1])('keep their share at rate %s, neighbours regardless of each other', (rate) => {
    const n = 40_001
    const [mask] = Object.values(drawMasks(graphOf(rate, n), 1, 7)) as Float32Array[]
    const keep = 1 - rate
    const mean = mask.reduce((sum, one) => sum + one, 0) / n
    expect(Math.abs(mean - keep)).toBeLessThan(5 * Math.sqrt((keep * rate) / n))
    let both = 0
    for (let i = 1; i < n; i++) both += (mask[i] - keep) * (mask[i - 1] - keep)
    expect(Math.abs(both / n)).toBeLessThan((5 * keep * rate) / Math.sqrt(n))
  })

  it('belong to the seed and the step', () => {
    const graph = graphOf(0.5, 100)
    expect(drawMasks(graph, 1, 7)).toEqual(drawMasks(graph, 1, 7))
    const texts = [drawMasks(graph, 1, 7), drawMasks(graph, 2, 7), drawMasks(graph, 1, 8)]
    expect(new Set(texts.map((masks) => String(Object.values(masks)[0]))).size).toBe(3)
  })
})
