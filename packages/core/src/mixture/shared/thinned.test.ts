import { expect, it } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { matrix } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { draws } from '../../random/draws.js'
import { thinned, thinnedRows } from './thinned.js'

it('takes all rows that are not twice as many, in order', () => {
  const values = Float64Array.from({ length: 199 }, (_, i) => i)
  expect(thinned(values, 100)).toEqual(values)
})

it.each([2, 3, 4, 5, 7, 12, 60])('is in step with no period, such as %i', (period) => {
  for (const rows of [10_000, 23_456, 100_003]) {
    const taken = thinnedRows(rows, 2000)
    expect(new Set(taken).size).toBe(taken.length)
    expect(taken.at(-1)).toBeLessThan(rows)
    const counts = new Array<number>(period).fill(0)
    for (const row of taken) counts[row % period]++
    for (const count of counts) {
      expect(count).toBeGreaterThan((0.8 * taken.length) / period)
      expect(count).toBeLessThan((1.2 * taken.length) / period)
    }
  }
})

it('takes rows of billions in their order', () => {
  const rows = 3e9
  const taken = thinnedRows(rows, 30_000)
  expect(taken.length).toBeGreaterThanOrEqual(30_000)
  expect(taken.every((row, k) => row >= 0 && row < rows && (k === 0 || row > taken[k - 1]))).toBe(true)
  expect(taken.at(-1)).toBeGreaterThan(0.99 * rows)
})

it('lets every fourth of 200,000 rows be bad', () => {
  const random = draws('every fourth')
  const rows = 200_000
  const x = matrix(rows, 1)
  const y = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    x.values[i] = random.normal()
    y[i] = i % 4 === 0 ? 20 * random.normal() : x.values[i] + 0.1 * random.normal()
  }
  const { params, corruption } = fit(linear(), { x, y })
  expect(params.coefficients[0]).toBeCloseTo(1, 2)
  expect(corruption.level).toBeCloseTo(0.25, 2)
})
