import { expect, test } from 'vitest'
import { TestRandom } from '../testing/random.js'
import { middleHalf } from './middle-half.js'

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
