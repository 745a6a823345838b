import { seeded } from 'rlvi/random'
import { describe, expect, it } from 'vitest'
import { heldOutInterval, leastLevel } from './held-out-level.js'

const K = 5

/**
 * Held-out labels of five classes of equal size, of which `wrong` are any other one, by a network that mistakes some images of class 0 for class 1,
 * as surely as it says: `taken` of them.
 */
function heldOut(
  samples: number,
  wrong: number,
  taken: number,
  sure: (random: number) => number,
  seed: number,
) {
  const random = seeded(seed, 'held-out level')
  const labels: number[] = []
  const predictions: number[] = []
  for (let i = 0; i < samples; i++) {
    const truth = i % K
    labels.push(random() < wrong ? (truth + 1 + Math.floor(random() * (K - 1))) % K : truth)
    const isTaken = truth === 0 && random() < taken
    const p = isTaken ? sure(random()) : 0.6 + 0.39 * random()
    for (let c = 0; c < K; c++) predictions.push(c === (isTaken ? 1 : truth) ? p : (1 - p) / (K - 1))
  }
  return { predictions, labels, classes: K }
}
const unsure = (random: number): number => 0.4 + 0.2 * random
const sure = (random: number): number => 0.9 + 0.09 * random

describe('the interval of the share of wrong labels, by networks that have not learned them', () => {
  it('holds the truth, and is narrow where the network makes no mistakes', () => {
    for (const wrong of [0, 0.05, 0.2, 0.45]) {
      let held = 0
      for (let seed = 1; seed <= 40; seed++) {
        const known = heldOut(2000, wrong, 0, unsure, seed)
        const truth = known.labels.filter((label, i) => label !== i % K).length / 2000
        const [low, high] = heldOutInterval(known)!
        if (low <= truth && truth <= high) held++
        expect(high - low).toBeLessThan(0.12)
      }
      expect(held).toBeGreaterThanOrEqual(38)
    }
  })

  it.each([
    ['is not sure of them', unsure],
    ['has given a class for another', sure],
  ])('reaches to no wrong label where the network makes mistakes and %s', (_, how) => {
    const known = heldOut(2000, 0, 0.9, how, 3)
    const [low, high] = heldOutInterval(known)!
    expect(low).toBe(0)
    expect(high).toBeGreaterThan(0.18)
    const noisy = heldOut(20_000, 0.2, 0.9, how, 4)
    expect(leastLevel(noisy)).toBeGreaterThan(0.14)
    expect(leastLevel(noisy)).toBeLessThan(0.2)
  })

  it('does not depend on the order of samples, and needs ten labels of each class', () => {
    const { predictions, labels } = heldOut(500, 0.2, 0.3, unsure, 5)
    const backwards = {
      predictions: labels.flatMap((_, i) => predictions.slice(K * (499 - i), K * (500 - i))),
      labels: labels.toReversed(),
      classes: K,
    }
    const once = heldOutInterval({ predictions, labels, classes: K })!
    heldOutInterval(backwards)!.forEach((end, k) => {
      expect(end).toBeCloseTo(once[k], 12)
    })
    expect(heldOutInterval(heldOut(49, 0.2, 0, unsure, 6))).toBeUndefined()
    expect(heldOutInterval({ predictions: [], labels: [], classes: 2 })).toBeUndefined()
  })
})
