import { expect, test } from 'vitest'
import { matrix } from '../matrix.js'
import { TestRandom } from '../testing/random.js'
import { middleHalf, middleHalves } from './middle-half.js'

test('the middle half of normal values is their mean and standard deviation, in any order and units, with a tenth far out', () => {
  const random = new TestRandom(3)
  const values = Float64Array.from({ length: 40_000 }, () => 5 + 2 * random.normal())
  const { centre, scale } = middleHalf(values)
  expect(Math.abs(centre - 5)).toBeLessThan(0.05)
  expect(Math.abs(scale - 2)).toBeLessThan(0.05)
  expect(middleHalf(values.slice().sort())).toEqual({ centre, scale })
  expect(middleHalf(values.slice().reverse())).toEqual({ centre, scale })
  expect(middleHalf(values.map((value) => 4 * value))).toEqual({ centre: 4 * centre, scale: 4 * scale })
  // A tenth far out on one side moves the quartiles to those of 5/18, 5/9 and 5/6 of the others: by .59, .14 and .97 scales.
  const far = middleHalf(values.map((value, i) => (i % 10 === 0 ? 1e9 : value)))
  expect(Math.abs(far.centre - 5 - 2 * 0.14)).toBeLessThan(0.05)
  expect(Math.abs(far.scale - (2 * (0.967 + 0.589)) / 1.349)).toBeLessThan(0.05)
})

test('of one value is that value, of none 0', () => {
  expect(middleHalf(Float64Array.of(7))).toEqual({ centre: 7, scale: 0 })
  expect(middleHalf(new Float64Array(0))).toEqual({ centre: 0, scale: 0 })
})

test('the middle halves of all columns at once are those of each, whatever the columns hold', () => {
  const random = new TestRandom(5)
  const rows = 40_000
  const kinds: Array<(i: number) => number> = [
    () => random.normal(),
    (i) => i,
    (i) => -(i ** 3),
    () => Math.floor(5 * random.uniform()),
    () => Number(random.uniform() < 0.25),
    (i) => Number(i % 4 === 0),
    () => 3,
    // The rows that are looked at first lie apart from all others.
    (i) => (Math.floor(Math.ceil((i * 4096) / rows) * (rows / 4096)) === i ? 1e6 + i : random.normal()),
    (i) => (i < 100 ? 1e300 : random.normal() * 1e-300),
  ]
  const values = Array.from({ length: rows }, (_, i) => kinds.map((kind) => kind(i))).flat()
  const x = matrix(rows, kinds.length, Float64Array.from(values))
  const each = kinds.map((_, j) =>
    middleHalf(Float64Array.from({ length: rows }, (_, i) => x.values[i * x.cols + j])),
  )
  expect(middleHalves(x)).toEqual(each)
})
