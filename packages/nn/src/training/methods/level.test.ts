import { seeded } from 'rlvi/random'
import { describe, expect, it } from 'vitest'
import { leastLevel } from './held-out-level.js'
import { levelOf } from './level.js'

const K = 5
const uniform = Float64Array.from({ length: K * K }, (_, at) => (at % (K + 1) === 0 ? 0.7 : 0.3 / (K - 1)))

/** Held-out labels of which `wrong` are wrong, by a network that is wrong in `mistaken` of the images, which it is less sure of. */
function heldOut(samples: number, wrong: number, mistaken: number, seed: number) {
  const random = seeded(seed, 'held out')
  const other = (c: number): number => (c + 1 + Math.floor(random() * (K - 1))) % K
  const labels: number[] = []
  const predictions: number[] = []
  for (let i = 0; i < samples; i++) {
    const truth = i % K
    labels.push(random() < wrong ? other(truth) : truth)
    const isMistaken = random() < mistaken
    const said = isMistaken ? other(truth) : truth
    const sure = isMistaken ? 0.5 + 0.4 * random() : 0.6 + 0.39 * random()
    for (let c = 0; c < K; c++) predictions.push(c === said ? sure : (1 - sure) / (K - 1))
  }
  return { predictions, labels, classes: K }
}

describe('the share of wrong labels, from labels that were learned from and held-out ones', () => {
  it('is what both say where they agree, and the interval is as wide as chance makes it', () => {
    const images = [...Array(20).keys()]
    const known = {
      predictions: images.flatMap((i) => (i % 2 === 0 ? [1, 0] : [0, 1])),
      labels: images.map((i) => (i % 4 < 2 ? i % 2 : 1 - (i % 2))),
      classes: 2,
    }
    const { level, interval } = levelOf(0.5, known, { habits: Float64Array.from([0.5, 0.5, 0.5, 0.5]) })
    expect(level).toBeCloseTo(0.5, 12)
    // Wilson's interval of ten in twenty solves (p - .5)² = 1.645² p (1 - p) / 20. Its lower end is that of the fewer that are surest.
    const [low, high] = interval!
    expect((high - 0.5) ** 2).toBeCloseTo((1.645 ** 2 * high * (1 - high)) / 20, 12)
    expect(low).toBe(leastLevel(known))
    expect(low).toBeLessThan(1 - high)
  })

  it('has the truth in its interval where some labels are known by heart and the network errs, and not far from it', () => {
    let held = 0
    for (let seed = 1; seed <= 40; seed++) {
      const { level, interval } = levelOf(0.27, heldOut(2000, 0.3, 0.1, seed), { habits: uniform })
      if (interval![0] <= 0.3 && 0.3 <= interval![1]) held++
      expect(Math.abs(level - 0.3)).toBeLessThan(0.05)
      expect(interval![1] - interval![0]).toBeLessThan(0.2)
    }
    expect(held).toBeGreaterThanOrEqual(36)
  })

  it('reaches as far as what was learned, on either side, and stays a share', () => {
    const few = heldOut(50, 0, 0, 3)
    expect(levelOf(0.6, few, { habits: uniform }).interval![1]).toBeGreaterThanOrEqual(0.6)
    const { interval } = levelOf(0, few, { habits: uniform })
    expect(interval![0]).toBe(0)
    expect(interval![1]).toBeLessThanOrEqual(1)
  })

  it('is that of the labels that were learned from, without an interval, where too few are held out', () => {
    expect(levelOf(0.2, heldOut(49, 0.5, 0, 4), { habits: uniform })).toEqual({
      level: 0.2,
      interval: undefined,
    })
  })
})
