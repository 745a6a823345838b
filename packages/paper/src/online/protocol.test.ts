import fc from 'fast-check'
import { draws } from 'rlvi/random'
import { describe, expect, it } from 'vitest'
import { smooth } from '../shared/smooth.js'
import { type ActivityData, featureNames } from './data/activity.js'
import { standInActivity } from './data/windows.js'
import { metricsOf } from './metrics.js'
import { corruptionLaw, drawPert } from './pert.js'
import { batchOf, chunksOf, flipPositives } from './protocol.js'

const data = standInActivity(1, 900)

describe('chunks', () => {
  it('use every row once, test rows before training rows, in a random order', () => {
    const sizes = fc.record({ train: fc.integer({ min: 1, max: 60 }), test: fc.integer({ min: 1, max: 60 }) })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), sizes, fc.nat(), (rows, size, seed) => {
        const chunks = chunksOf(rows, size, draws(seed))
        const order = chunks.flatMap(({ test, train }) => [...test, ...train])
        expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: rows }, (_, i) => i))
        for (const { test, train } of chunks.slice(0, -1)) {
          expect([test.length, train.length]).toEqual([size.test, size.train])
        }
      }),
    )
    const order = (seed: number): number[] =>
      Array.from(chunksOf(100, { train: 50, test: 50 }, draws(seed))[0].test)
    expect(order(1)).toEqual(order(1))
    expect(order(1)).not.toEqual(order(2))
    expect(order(1)).not.toEqual(order(1).toSorted((a, b) => a - b))
  })

  // The paper's stream: 121 batches, 12,038 training rows; the last chunk of 75 has 37 and 38.
  it("are the paper's for 24,075 rows", () => {
    const chunks = chunksOf(24075, { train: 100, test: 100 }, draws(1))
    expect(chunks).toHaveLength(121)
    expect(chunks.reduce((sum, { train }) => sum + train.length, 0)).toBe(12038)
    expect([chunks.at(-1)?.test.length, chunks.at(-1)?.train.length]).toEqual([37, 38])
  })
})

describe('a batch', () => {
  const chunk = chunksOf(data.features.rows, { train: 100, test: 80 }, draws(2))[0]

  it('has labels 1 for those who move, of which only positives are flipped', () => {
    const batch = batchOf(data, chunk, draws(3))
    const moving = (rows: Uint32Array): number[] =>
      Array.from(rows, (row) => (data.activity[row] > 2 ? 1 : 0))
    expect(Array.from(batch.testY)).toEqual(moving(chunk.test))
    const truth = moving(chunk.train)
    const wrong = truth.map((label, i) => label - batch.y[i])
    expect(wrong.every((difference) => difference === 0 || difference === 1)).toBe(true)
    expect(wrong.filter((difference) => difference === 1)).toHaveLength(batch.flipped)
    expect(batchOf(data, chunk, draws(3))).toEqual(batch)
  })

  it('is scaled by its training rows alone', () => {
    const { x, testX } = batchOf(data, chunk, draws(3))
    const other = { ...chunk, test: chunk.test.map((row) => (row + 1) % 900) }
    expect(batchOf(data, other, draws(3)).x).toEqual(x)
    const column = (j: number): number[] => Array.from({ length: x.rows }, (_, i) => x.values[i * x.cols + j])
    for (const j of [0, 20, 59]) {
      const values = column(j)
      expect(values.reduce((a, b) => a + b, 0) / x.rows).toBeCloseTo(0, 10)
      expect(values.reduce((a, b) => a + b * b, 0) / x.rows).toBeCloseTo(1, 10)
    }
    // The same map for the test rows: differences keep their ratios.
    const raw = (row: number): number => data.features.values[row * 60]
    const unit = (x.values[60] - x.values[0]) / (raw(chunk.train[1]) - raw(chunk.train[0]))
    expect(testX.values[60] - testX.values[0]).toBeCloseTo(
      unit * (raw(chunk.test[1]) - raw(chunk.test[0])),
      8,
    )
  })

  it('keeps a feature that does not vary at 0, whatever its value', () => {
    const values = data.features.values.slice()
    for (let i = 0; i < 900; i++) values[i * 60] = 0.1
    const flat: ActivityData = { ...data, features: { ...data.features, values } }
    const { x, testX } = batchOf(flat, chunk, draws(3))
    for (const { rows, values: scaled } of [x, testX]) {
      for (let i = 0; i < rows; i++) expect(Math.abs(scaled[i * 60])).toBeLessThan(1e-12)
    }
    expect(featureNames).toHaveLength(60)
  })

  it('has exactly floor(share * positives) flips, each positive equally often', () => {
    const hits = new Float64Array(10)
    for (let seed = 0; seed < 4000; seed++) {
      const y = Float64Array.from([0, 1, 1, 0, 1, 1, 1, 1, 0, 1])
      expect(flipPositives(y, 0.45, draws(seed))).toBe(3)
      for (let i = 0; i < 10; i++) if (y[i] === 0) hits[i]++
    }
    expect(hits[0]).toBe(4000)
    // Binomial(4000, 3/7): four standard deviations are 125.
    for (const i of [1, 2, 4, 5, 6, 7, 9]) expect(Math.abs(hits[i] - (4000 * 3) / 7)).toBeLessThan(125)
    expect(flipPositives(new Float64Array(5), 0.3, draws(1))).toBe(0)
  })
})

it('draws shares by PERT(0, .1, .3)', () => {
  const source = draws(11)
  const shares = Float64Array.from({ length: 20000 }, () => drawPert(source, corruptionLaw)).sort()
  expect(shares[0]).toBeGreaterThanOrEqual(0)
  expect(shares[19999]).toBeLessThanOrEqual(0.3)
  const mean = shares.reduce((a, b) => a + b, 0) / shares.length
  const variance = shares.reduce((a, b) => a + (b - mean) ** 2, 0) / shares.length
  // Mean (0 + 4 * .1 + .3) / 6; variance of .3 Beta(7/3, 11/3): .09 ab / ((a + b)^2 (a + b + 1))
  const [a, b] = [7 / 3, 11 / 3]
  const expected = (0.09 * a * b) / ((a + b) ** 2 * (a + b + 1))
  expect(Math.abs(mean - 0.7 / 6)).toBeLessThan(4 * Math.sqrt(expected / 20000))
  expect(Math.abs(variance / expected - 1)).toBeLessThan(0.05)
  // Quantiles of Beta(7/3, 11/3), by scipy.stats.beta.ppf, times .3.
  for (const [share, value] of quantiles) expect(Math.abs(shares[share * 20000] - value)).toBeLessThan(0.003)
})
const quantiles: readonly (readonly [number, number])[] = [
  [0.1, 0.045908],
  [0.25, 0.073967],
  [0.5, 0.112744],
  [0.75, 0.155599],
  [0.9, 0.193337],
]

it('smooths by a triangle, with the weights that are there', () => {
  // Half-width 3: weights 1 2 3 2 1 in the middle, 3 2 1 at the ends.
  expect(Array.from(smooth([9, 0, 0, 0, 0, 18], 3))).toEqual([4.5, 2.25, 1, 2, 4.5, 9])
  expect(Array.from(smooth([4, Number.NaN, 1], 3))).toEqual([13 / 4, 2.5, 7 / 4])
  expect(Array.from(smooth([Number.NaN, 1], 1))).toEqual([Number.NaN, 1])
  // The paper's, half-width 10: weights sum to 100, and 10 of them are at the centre.
  const pulse = smooth(
    Array.from({ length: 41 }, (_, i) => (i === 20 ? 100 : 0)),
    10,
  )
  expect(Array.from(pulse.subarray(10, 31))).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
  ])
  expect(smooth(new Float64Array(50).fill(0.3), 10).every((value) => Math.abs(value - 0.3) < 1e-15)).toBe(
    true,
  )
})

it('counts what was found and what was missed', () => {
  const metrics = metricsOf([1, 1, 0, 0, 1, 0], [1, 0, 1, 0, 1, 0])
  expect(metrics).toEqual({ accuracy: 4 / 6, recall: 2 / 3, tnr: 2 / 3, f1: 2 / 3 })
  expect(metricsOf([0, 0], [0, 0])).toEqual({ accuracy: 1, recall: Number.NaN, tnr: 1, f1: Number.NaN })
})
