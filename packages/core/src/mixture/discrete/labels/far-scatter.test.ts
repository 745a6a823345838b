import { describe, expect, it } from 'vitest'
import type { Supervised } from '../../../likelihoods/likelihood.js'
import { softmax } from '../../../likelihoods/softmax.js'
import { matrix } from '../../../matrix.js'
import { fit } from '../../../methods/fit.js'
import { draws } from '../../../random/draws.js'

const CLASSES = 3
const COLS = 4

interface Setting {
  readonly n: number
  /** Of Student's t, by which a class lies about its centre. */
  readonly freedom: number
  /** How far the centres lie from 0. */
  readonly apart: number
  /** Share of the labels that are flipped. */
  readonly flipped: number
}

function rows(seed: number, { n, freedom, apart, flipped }: Setting): Supervised {
  const random = draws('far scatter', seed)
  const below = (k: number): number => Math.floor(random.uniform(0, k))
  const x = matrix(n, COLS)
  const y = Float64Array.from({ length: n }, () => 0)
  for (let i = 0; i < n; i++) {
    const c = below(CLASSES)
    const stretch = Math.sqrt(freedom / random.chiSquared(freedom))
    for (let j = 0; j < COLS; j++) x.values[i * COLS + j] = (j === c ? apart : 0) + stretch * random.normal()
    y[i] = random.uniform(0, 1) < flipped ? (c + 1 + below(CLASSES - 1)) % CLASSES : c
  }
  return { x, y }
}

const model = softmax({ classes: CLASSES, ridge: 0.01 })
const scatters = (setting: Setting, seeds: readonly number[]) =>
  seeds.map((seed) => {
    const { corruption, cautions } = fit(model, rows(seed, setting))
    const told = cautions?.some(({ message }) => message.includes('scatter far')) ?? false
    return { level: corruption.level!, low: corruption.interval![0], high: corruption.interval![1], told }
  })

describe('labels of classes that scatter far', () => {
  it('may all be right though they look wrong: the interval holds 0, and a caution says why, in every set', () => {
    for (const { level, low, told } of scatters({ n: 400, freedom: 2, apart: 3, flipped: 0 }, [1, 2])) {
      // They do look wrong: without a second look the interval would begin above 0.
      expect(level).toBeGreaterThan(0.02)
      expect(low).toBe(0)
      expect(told).toBe(true)
    }
  })

  it('are found wrong where a fifth is, and nothing is said of scatter', () => {
    for (const { low, high, told } of scatters({ n: 250, freedom: 3, apart: 6, flipped: 0.2 }, [1, 2])) {
      expect(low).toBeGreaterThan(0.05)
      expect(high).toBeGreaterThan(0.2)
      expect(told).toBe(false)
    }
  })
})

it('nothing is said of the scatter of normal classes, with and without wrong labels', () => {
  for (const { low, told } of scatters({ n: 250, freedom: 100, apart: 4, flipped: 0.1 }, [1, 2])) {
    expect(low).toBeGreaterThan(0)
    expect(told).toBe(false)
  }
  for (const { low, told } of scatters({ n: 250, freedom: 100, apart: 3, flipped: 0 }, [1, 2])) {
    expect(low).toBe(0)
    expect(told).toBe(false)
  }
})

it('rows so far out that a steep model gives their label no chance at all are fitted', () => {
  const { x, y } = rows(4, { n: 200, freedom: 2, apart: 6, flipped: 0 })
  // A class lies where its centre is not: under a model of the others its loss exceeds 745, where e to minus it is 0.
  for (let k = 0; k < 3; k++) {
    x.values.set([400, 0, 0, 0], k * COLS)
    y[k] = 1
  }
  const { corruption, clean } = fit(model, { x, y })
  expect(corruption.level).toBeLessThan(0.1)
  expect(clean.every((p) => p >= 0 && p <= 1)).toBe(true)
})
