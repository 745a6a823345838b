import { expect, test } from 'vitest'
import { expectClose } from '../../testing/close.js'
import { predictiveRadius } from './predictive-radius.js'

const OUTSIDE = 0.0027

test('is Hotelling’s in two dimensions, where F has a closed form', () => {
  for (const count of [20, 50, 100, 1000]) {
    const degrees = count - 2
    const f = (degrees / 2) * (OUTSIDE ** (-2 / degrees) - 1)
    const exact = Math.sqrt(((2 * (count * count - 1)) / (count * degrees)) * f)
    expectClose(predictiveRadius(2, count), exact, 0.015)
  }
})

test('is the radius of a known Gaussian when rows are many', () => {
  expectClose(predictiveRadius(2, 1e9), Math.sqrt(-2 * Math.log(OUTSIDE)), 0.01)
  expectClose(predictiveRadius(1, 1e9), 3, 0.01)
})

test('is wider the fewer rows there are, and without end when they are too few', () => {
  for (const dimension of [1, 5, 20, 200]) {
    expect(predictiveRadius(dimension, dimension + 40)).toBeGreaterThan(
      predictiveRadius(dimension, dimension + 400),
    )
    expect(predictiveRadius(dimension, dimension)).toBe(Number.POSITIVE_INFINITY)
  }
})
