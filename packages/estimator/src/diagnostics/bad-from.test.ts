import type { BadFrom } from 'rlvi'
import { draws } from 'rlvi/random'
import { describe, expect, it } from 'vitest'
import { fitTable } from '../fit/fit-table.js'
import { badFromText } from './bad-from.js'

const random = draws('bad-from', 1)
const size = Array.from({ length: 120 }, () => random.uniform(50, 150))
const price = size.map((s, i) => 3 * s + (i % 12 === 5 ? 400 : 10 * random.normal()))

type Sides = { readonly above: number; readonly below: number; readonly at?: number }

describe('from where on rows count as bad', () => {
  it('is in units of the target: all flagged rows lie beyond, all others within', () => {
    const fit = fitTable({ size, price }, { target: 'price' })
    const { above, below } = fit.badFrom as Sides
    price.forEach((value, i) => {
      const off = value - fit.predicted![i]!
      expect(off > above || off < -below).toBe(fit.clean[i]! < 0.5)
    })
  })

  it('follows the units of target and features', () => {
    const { above, below } = fitTable({ size, price }, { target: 'price' }).badFrom as Sides
    const times = { size: size.map((s) => 7 * s - 3), price: price.map((p) => 3 * p + 1000) }
    const scaled = fitTable(times, { target: 'price' }).badFrom as Sides
    expect(scaled.above / above).toBeCloseTo(3, 6)
    expect(scaled.below / below).toBeCloseTo(3, 6)
  })

  it.each(['mean', 'covariance'] as const)('of one column (%s) is in units of that column', (model) => {
    const column = price.map((p, i) => p - 3 * size[i]!)
    const near = fitTable({ column }, { model }).badFrom as Sides
    const far = fitTable({ column: column.map((value) => 5 * value) }, { model }).badFrom as Sides
    expect(near.above).toBeLessThan(400)
    expect(far.above / near.above).toBeCloseTo(5, 6)
  })

  it('is left out where the method infers no level', () => {
    expect(fitTable({ size, price }, { target: 'price', method: 'ml' }).badFrom).toBeUndefined()
  })
})

describe('in words', () => {
  const scatter = "; smaller errors look like good rows' scatter"
  it.each([
    ['linear', { above: 4.21, below: 4.19 }, 'rows count as bad from about 4.2 off the prediction on'],
    [
      'linear',
      { above: 12.2, below: 3, at: 251.4 },
      'rows count as bad from about 12 above and 3 below the prediction on, where 251 is predicted',
    ],
    ['mean', { above: 0.5, below: 0.5 }, 'rows count as bad from about 0.5 off the mean on'],
    ['pca', { distance: 3.96 }, 'rows count as bad from about 4 standard deviations off on'],
    [
      'poisson',
      { above: 36.3, below: 28.7, at: 50.7 },
      'where 50.7 is predicted, counts from about 87 on, and of up to 22, count as bad',
    ],
    [
      'poisson',
      { above: 10.9, at: 3.09 },
      'where 3.09 is predicted, counts from about 14 on (none for being small) count as bad',
    ],
    [
      'poisson',
      { above: 17.7, below: 10.3, at: 10.3 },
      'where 10.3 is predicted, counts from about 28 on, and of 0, count as bad',
    ],
  ] as const)('%s %j', (model, badFrom: BadFrom, words) => {
    expect(badFromText(badFrom, model)).toBe(words + scatter)
  })

  it('are left out where nothing is ever bad', () => {
    expect(badFromText({ at: 3 }, 'poisson')).toBeUndefined()
  })
})
