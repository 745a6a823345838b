import { describe, expect, it } from 'vitest'
import type { Supervised } from '../../../likelihoods/likelihood.js'
import { logistic } from '../../../likelihoods/logistic.js'
import { softmax } from '../../../likelihoods/softmax.js'
import { matrix } from '../../../matrix.js'
import { fit } from '../../../methods/fit.js'
import { TestRandom } from '../../../testing/random.js'

/** Labels of which features say little: right ones must not be called wrong. */

/** Labels by a logistic model of the first of the features, a share of them flipped. */
function labels(seed: number, rows: number, cols: number, slope: number, wrong = 0): Supervised {
  const random = new TestRandom(seed)
  const x = matrix(rows, cols)
  for (let k = 0; k < x.values.length; k++) x.values[k] = random.normal()
  const y = Float64Array.from({ length: rows }, (_, i) => {
    const label = random.uniform() < 1 / (1 + Math.exp(-slope * x.values[i * cols])) ? 1 : 0
    return random.uniform() < wrong ? 1 - label : label
  })
  return { x, y }
}

const aboutLevel = (cautions: readonly { about: string; message: string }[] = []): string =>
  cautions.find(({ about }) => about === 'level')?.message ?? ''

describe('labels', () => {
  it('that features say nothing of: the interval holds all levels, and a caution says why', () => {
    for (const [seed, rows] of [
      [1, 200],
      [2, 400],
      [3, 2500],
    ] as const) {
      const { corruption, cautions } = fit(logistic(), labels(seed, rows, 3, 0))
      // No interval at all says the same.
      const [low, high] = corruption.interval ?? [0, 0.5]
      expect(low).toBe(0)
      expect(high).toBeGreaterThan(0.4)
      expect(aboutLevel(cautions)).toMatch(/hardly tell the labels apart|look alike/)
    }
  })

  it('with a soft border: the interval holds 0 in at least 8 of 9 clean sets, and a level that is not small is cautioned', () => {
    const found = [11, 12, 13].flatMap((seed) =>
      [
        [300, 3, 0.3],
        [300, 8, 0.5],
        [150, 1, 0.7],
      ].map(([rows, cols, slope]) => fit(logistic(), labels(seed, rows!, cols!, slope!))),
    )
    expect(found.filter(({ corruption }) => corruption.interval![0] === 0).length).toBeGreaterThan(7)
    for (const { corruption, cautions } of found)
      if (corruption.level! > 0.1 && corruption.interval![0] === 0) expect(aboutLevel(cautions)).not.toBe('')
  })

  it('with a sharp border have no such caution, flipped or not, and flipped ones are found', () => {
    const clean = fit(logistic(), labels(21, 400, 2, 4))
    expect(clean.corruption.interval![0]).toBe(0)
    expect(clean.corruption.level).toBeLessThan(0.02)
    expect(aboutLevel(clean.cautions)).toBe('')
    const flipped = fit(logistic(), labels(22, 400, 2, 6, 0.15))
    expect(flipped.corruption.interval![0]).toBeGreaterThan(0.05)
    expect(flipped.corruption.interval![1]).toBeGreaterThan(0.15)
    expect(aboutLevel(flipped.cautions)).toBe('')
  })

  it('of a class between two others, in few rows: it is not given up while all labels may be right', () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const random = new TestRandom(seed)
      const x = matrix(60, 4)
      const y = Float64Array.from({ length: 60 }, (_, i) => {
        for (let j = 0; j < 4; j++) x.values[4 * i + j] = random.normal()
        const place = x.values[4 * i] + Math.sin(7 * i)
        return i % 11 === 0 || place < -0.5 ? 0 : place > 0.5 ? 2 : 1
      })
      const { corruption, clean } = fit(softmax({ classes: 3, ridge: 0.01 }), { x, y })
      if (corruption.interval![0] > 0) continue
      for (const label of [0, 1, 2]) {
        const own = clean.filter((_, i) => y[i] === label)
        expect(own.reduce((sum, p) => sum + p, 0)).toBeGreaterThanOrEqual(own.length / 2)
      }
    }
  })

  it.each([34, 35, 36, 37])(
    'of rare classes, flipped by set %i: to take a class for noise is no evidence for more',
    (seed) => {
      const random = new TestRandom(seed)
      const [rows, cols, classes] = [132, 5, 6]
      const x = matrix(rows, cols)
      let flips = 0
      const y = Float64Array.from({ length: rows }, (_, i) => {
        // Four of the classes have nine rows each.
        const c = i < 48 ? 0 : i < 96 ? 1 : 2 + (i % 4)
        for (let j = 0; j < cols; j++) x.values[i * cols + j] = random.normal() + (c === j ? 2.5 : 0)
        if (random.uniform() > 0.15) return c
        flips++
        return (c + 1 + random.below(classes - 1)) % classes
      })
      const { level, interval } = fit(softmax({ classes, ridge: 0.01 }), { x, y }).corruption
      expect(interval![0]).toBeLessThanOrEqual(flips / rows)
      expect(interval![1]).toBeGreaterThanOrEqual(flips / rows)
      expect(Math.abs(level! - flips / rows)).toBeLessThan(0.07)
    },
  )
})
