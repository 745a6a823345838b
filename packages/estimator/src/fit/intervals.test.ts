import { describe, expect, test } from 'vitest'
import { fitTable } from './fit-table.js'
import { intervals, reach } from './intervals.js'

test('the reach of 90 % is that of the tables of t', () => {
  // Student's table, 5 % on each side.
  for (const [degrees, t] of [
    [4, 2.132],
    [10, 1.812],
    [30, 1.697],
    [Number.POSITIVE_INFINITY, 1.645],
  ] as const)
    expect(Math.abs(reach(degrees) - t)).toBeLessThan(0.003)
})

test('intervals have the shape of the errors', () => {
  const params = { intercept: 1, coefficients: { a: 2, b: 3 }, scale: 4 }
  expect(intervals(params, { intercept: 1, coefficients: { a: 0.5, b: 0 } }, 2)).toEqual({
    intercept: [-1, 3],
    coefficients: { a: [1, 3], b: [3, 3] },
  })
})

// Ten rows by hand: y = 1 + 2 x with errors that sum to nothing.
const x = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
const off = [0.1, -0.2, 0.1, 0.1, -0.1, -0.1, 0.2, -0.1, 0.1, -0.1]
const y = x.map((value, i) => 1 + 2 * value + off[i]!)

describe('what is explained', () => {
  test('of numbers is the squared correlation, by maximum likelihood', () => {
    const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
    const [mx, my] = [mean(x), mean(y)]
    const sum = (f: (i: number) => number): number => x.reduce((total, _, i) => total + f(i), 0)
    const sxy = sum((i) => (x[i]! - mx) * (y[i]! - my))
    const r2 = sxy ** 2 / (sum((i) => (x[i]! - mx) ** 2) * sum((i) => (y[i]! - my) ** 2))
    const { explained, effectiveRows, ml } = fitTable({ x, y }, { target: 'y', method: 'ml' })
    expect(explained?.measure).toBe('R²')
    expect(explained?.share).toBeCloseTo(r2, 12)
    expect([effectiveRows, ml]).toEqual([10, undefined])
  })

  test('of labels without any use of the feature is nothing, and of perfect ones nearly all', () => {
    const even = Array.from({ length: 40 }, (_, i) => i % 4)
    const labels = even.map((_, i) => (i % 8 < 4 ? 'a' : 'b'))
    const useless = fitTable({ x: even, y: labels }, { target: 'y', method: 'ml' })
    expect(useless.explained?.measure).toBe('deviance')
    expect(useless.explained?.share).toBeCloseTo(0, 9)
    const perfect = even.map((value) => (value > 1 ? 'a' : 'b'))
    expect(fitTable({ x: even, y: perfect }, { target: 'y', method: 'ml' }).explained?.share).toBeGreaterThan(
      0.95,
    )
  })

  test('of counts is nothing where the rate is the same everywhere, by maximum likelihood', () => {
    const even = Array.from({ length: 40 }, (_, i) => i % 4)
    const counts = even.map((_, i) => (i % 8 < 4 ? 3 : 5))
    const { explained } = fitTable({ x: even, y: counts }, { target: 'y', model: 'poisson', method: 'ml' })
    expect(explained?.share).toBeCloseTo(0, 9)
  })
})

test('beside the robust fit stands the one without protection', () => {
  const bad = y.map((value, i) => (i === 9 ? 500 : value))
  const table = { x: [...x, ...x], y: [...bad, ...y] }
  const robust = fitTable(table, { target: 'y' })
  const plain = fitTable(table, { target: 'y', method: 'ml' })
  expect(robust.ml).toEqual(plain.params)
  expect(robust.effectiveRows).toBeLessThan(19.5)
})
