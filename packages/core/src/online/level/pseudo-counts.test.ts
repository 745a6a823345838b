import { describe, expect, it } from 'vitest'
import { exactEStep } from '../../inference/exact.js'
import { expectClose } from '../../testing/close.js'
import { TestRandom } from '../../testing/random.js'
import { pseudoCountEStep } from './pseudo-counts.js'

describe('the E-step of a small batch', () => {
  const random = new TestRandom(5)
  const losses = Float64Array.from({ length: 40 }, (_, i) => (i < 30 ? -2 : 3) + random.normal())

  it('is the exact one without pseudo-counts', () => {
    const exact = new Float64Array(40)
    const pooled = new Float64Array(40)
    const { status, level } = exactEStep(losses, exact)
    expect(status).toBe('interior')
    expectClose(pseudoCountEStep(losses, 0, 0, pooled), level, 1e-9)
    expectClose(pooled, exact, 1e-9)
  })

  it('takes two copies of every row, pseudo-counts too, as it takes one', () => {
    const twice = Float64Array.from([...losses, ...losses])
    const one = pseudoCountEStep(losses, 3, 7, new Float64Array(40))
    expectClose(pseudoCountEStep(twice, 6, 14, new Float64Array(80)), one, 1e-9)
  })

  it('goes from the level of the pseudo-counts to its own as rows come in', () => {
    const own = pseudoCountEStep(losses, 0, 0, new Float64Array(40))
    const half = pseudoCountEStep(losses, 20, 20, new Float64Array(40))
    expect(half).toBeGreaterThan(own)
    expect(half).toBeLessThan(0.5)
    expectClose(pseudoCountEStep(losses, 1e9, 1e9, new Float64Array(40)), 0.5, 1e-6)
  })

  it('neither collapses nor saturates', () => {
    for (const loss of [-800, -30, 0, 30, 800]) {
      const out = new Float64Array(10)
      const level = pseudoCountEStep(new Float64Array(10).fill(loss), 1, 9, out)
      expect(level).toBeGreaterThan(0)
      expect(level).toBeLessThan(1)
      expect(out.every((p) => p >= 0 && p <= 1)).toBe(true)
    }
  })
})
