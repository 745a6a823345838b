import { describe, expect, it } from 'vitest'
import { work } from './habits.js'
import { meanOf } from './statistics.js'

// A small version of habits.ts, whose results are in docs/results/calibrated.md, on seeds of its own.

const run = (set: 'iris' | 'crabs', flips: 'uniform' | 'pairflip' | 'asymmetric', rate: number) =>
  work({ set, flips, rate, seed: 1, first: 0, last: 3 })

describe('labels of real sets that go wrong', () => {
  it.each([
    ['iris', 'pairflip'],
    ['crabs', 'pairflip'],
    ['iris', 'asymmetric'],
  ] as const)('%s, %s: habits rank them better, and count them better', (set, flips) => {
    const all = run(set, flips, 0.3)
    const mean = (way: 'uniform' | 'learned', value: 'auc' | 'bias'): number =>
      meanOf(all.map((judged) => judged[way][value]))
    expect(mean('learned', 'auc')).toBeGreaterThan(mean('uniform', 'auc'))
    expect(mean('learned', 'auc')).toBeGreaterThan(0.95)
    expect(Math.abs(mean('learned', 'bias'))).toBeLessThan(Math.abs(mean('uniform', 'bias')))
  })

  it('uniformly are ranked no worse, and clean ones stay clean', () => {
    for (const { uniform, learned } of run('iris', 'uniform', 0.2))
      expect(learned.auc).toBeGreaterThan(uniform.auc - 0.005)
    for (const { learned, habits } of run('iris', 'uniform', 0)) {
      expect(habits).toBe(false)
      expect(learned.bias).toBe(0)
    }
  })
})
