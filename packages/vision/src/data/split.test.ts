import { draws } from 'rlvi/random'
import { expect, it } from 'vitest'
import { epochOrder, range, shuffle, split } from './split.js'

it.each([
  [60_000, 54_000],
  [50_000, 45_000],
  [75_750, 68_175],
  [11, 9],
])('gives nine tenths of %i to training', (n, size) => {
  const { train, validation } = split(n, 1)
  expect(train.length).toBe(size)
  const all = [...train, ...validation].sort((a, b) => a - b)
  expect(all).toEqual(Array.from(range(n)))
})

it('depends on the seed only', () => {
  expect(split(500, 1)).toEqual(split(500, 1))
  expect(split(500, 1)).not.toEqual(split(500, 2))
  expect(() => split(10, 0, 0)).toThrow('above 0')
})

it('orders every epoch anew, and leaves the samples alone', () => {
  const samples = Int32Array.of(5, 8, 13, 21, 34, 55)
  const first = epochOrder(samples, 0, 1)
  expect(epochOrder(samples, 0, 1)).toEqual(first)
  expect(epochOrder(samples, 0, 2)).not.toEqual(first)
  expect(first.slice().sort()).toEqual(samples)
  expect(Array.from(samples)).toEqual([5, 8, 13, 21, 34, 55])
})

it('makes every order equally probable', () => {
  const random = draws('orders')
  const seen = new Map<string, number>()
  for (let k = 0; k < 24_000; k++) {
    const order = shuffle(range(4), random).join()
    seen.set(order, (seen.get(order) ?? 0) + 1)
  }
  expect(seen.size).toBe(24)
  // Chi-squared with 23 degrees: mean 23, sd 6.8.
  const chi = [...seen.values()].reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)
  expect(chi).toBeLessThan(23 + 4 * Math.sqrt(46))
})
