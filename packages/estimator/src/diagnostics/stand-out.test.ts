import { expect, test } from 'vitest'
import { fitTable } from '../fit/fit-table.js'
import { standOut } from './stand-out.js'

const n = 200
const noise = (i: number, k: number): number => Math.sin(12.9898 * i + 78.233 * k) + Math.sin(3.7 * i * k + k)
const a = Array.from({ length: n }, (_, i) => noise(i, 1))
const b = Array.from({ length: n }, (_, i) => 50 + 10 * noise(i, 2))

test('the feature that lies farthest from the good rows is named, with its side and distance', () => {
  const far = b.with(7, -900)
  const y = a.map((value, i) => value + far[i]! / 10 + 0.1 * noise(i, 3)).with(7, 400)
  const fit = fitTable({ a, b: far, y }, { target: 'y' })
  const found = standOut(fit)(7)!
  expect([found.feature, found.given, Math.sign(found.by)]).toEqual(['b', 'alone', -1])
  // The good rows of b scatter by 10 about 50: 950 is 95 of their standard deviations, as far as these are 10.
  const mean = b.reduce((sum, value) => sum + value, 0) / n
  const sd = Math.sqrt(b.reduce((sum, value) => sum + (value - mean) ** 2, 0) / n)
  expect(found.by / ((-900 - mean) / sd)).toBeCloseTo(1, 1)
})

test('of a cloud it is the one that disagrees with the others, though it is not large by itself', () => {
  const c = a.map((value, i) => 2 * value + 0.05 * noise(i, 4))
  const d = b.map((value, i) => value + noise(i, 5))
  // Within the range of c, but far from what a says.
  const odd = c.with(11, -c[11]! - 2)
  const found = standOut(fitTable({ a, b, c: odd, d }, { model: 'covariance' }))(11)!
  expect(['a', 'c']).toContain(found.feature)
  expect(found.given).toBe('others')
  expect(Math.abs(found.by)).toBeGreaterThan(10)
})
