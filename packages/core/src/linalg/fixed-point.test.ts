import { expect, it } from 'vitest'
import { fixedPoint } from './fixed-point.js'

/** Steps towards (1, 2, 3) that shrink each distance by its own rate, slowly. */
const rates = [0.99, 0.9, 0.5]
const goal = [1, 2, 3]
function steps() {
  let count = 0
  const values: number[] = []
  const step = (from: Float64Array) => {
    count++
    const value = -from.reduce((sum, v, i) => sum + (v - goal[i]!) ** 2, 0)
    values.push(value)
    return { next: from.map((v, i) => goal[i]! + rates[i]! * (v - goal[i]!)), value }
  }
  return { step, count: () => count, values }
}

it('is where the map stands still, in far fewer steps', () => {
  const { step, count } = steps()
  const found = fixedPoint(step, new Float64Array(3), {
    iterations: 2000,
    tolerance: 1e-16,
    allowed: () => true,
  })!
  for (const [i, value] of found.point.entries()) expect(Math.abs(value - goal[i]!)).toBeLessThan(1e-5)
  // By plain steps the slowest distance alone takes log(1e-5) / log(.99), more than 1,100.
  expect(count()).toBeLessThan(200)
})

it('takes no leap to a point that is not allowed, and ends where the map does', () => {
  const { step, count } = steps()
  const plain = fixedPoint(step, new Float64Array(3), { iterations: 50, tolerance: 0, allowed: () => false })!
  expect(count()).toBe(50)
  for (const [i, value] of plain.point.entries())
    expect(value).toBeCloseTo(goal[i]! * (1 - rates[i]! ** 50), 12)
  expect(
    fixedPoint(() => undefined, new Float64Array(1), { iterations: 5, tolerance: 0, allowed: () => true }),
  ).toBeUndefined()
})

it('ends no lower than any point it stepped on', () => {
  const { step, values } = steps()
  const { value } = fixedPoint(step, Float64Array.of(5, -4, 9), {
    iterations: 60,
    tolerance: 0,
    allowed: () => true,
  })!
  expect(value).toBe(Math.max(...values))
})
