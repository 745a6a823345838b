import { studentQuantile } from 'rlvi'
import { describe, expect, test } from 'vitest'
import { fitTable } from './fit-table.js'
import type { ModelName } from './methods.js'
import { plainFit } from './plain-fit.js'

const n = 80
const noise = (i: number, k: number): number => Math.sin(12.9898 * i + 78.233 * k) + Math.sin(3.7 * i * k + k)
const a = Array.from({ length: n }, (_, i) => 5 + noise(i, 1))
const b = Array.from({ length: n }, (_, i) => 100 * noise(i, 2))
const y = a.map((value, i) => 3 + 2 * value - 0.01 * b[i]! + noise(i, 3) + (i % 9 === 0 ? 25 : 0))
const label = y.map((value, i) => (value + 2 * noise(i, 4) > 13 ? 'yes' : 'no'))
const kind = y.map((value, i) => ['x', 'y', 'z'][Math.floor(Math.abs(value + 3 * noise(i, 5))) % 3]!)
const counts = a.map((value, i) => Math.max(0, Math.round(value + noise(i, 6))))

test('of a line it has the intervals of the textbook', () => {
  const fit = fitTable({ a, y }, { target: 'y' })
  const { params, intervals } = plainFit(fit)
  const mean = a.reduce((sum, x) => sum + x, 0) / n
  const squares = a.reduce((sum, x) => sum + (x - mean) ** 2, 0)
  const slope = a.reduce((sum, x, i) => sum + (x - mean) * y[i]!, 0) / squares
  const intercept = y.reduce((sum, value) => sum + value, 0) / n - slope * mean
  const left = a.reduce((sum, x, i) => sum + (y[i]! - intercept - slope * x) ** 2, 0)
  const error = Math.sqrt(left / (n - 2) / squares)
  const reach = studentQuantile(0.1, n - 2) * error
  const found = params as { intercept: number; coefficients: { a: number } }
  expect([found.intercept, found.coefficients.a]).toEqual([
    expect.closeTo(intercept, 8),
    expect.closeTo(slope, 8),
  ])
  const known = intervals as { coefficients: { a: [number, number] } }
  expect(known.coefficients.a).toEqual([expect.closeTo(slope - reach, 6), expect.closeTo(slope + reach, 6)])
})

describe('it is the fit of maximum likelihood, in the units of the table', () => {
  const cases: [ModelName, object][] = [
    ['linear', { columns: { a, b, y }, target: 'y' }],
    ['logistic', { columns: { a, b, label }, target: 'label' }],
    ['softmax', { columns: { a, b, kind }, target: 'kind' }],
    ['poisson', { columns: { a, b, counts }, target: 'counts' }],
    ['mean', { columns: { a, b } }],
    ['covariance', { columns: { a, b } }],
    ['pca', { columns: { a, b, y } }],
  ]
  test.each(cases)('%s', (model, given) => {
    const { columns, ...options } = given as { columns: Record<string, number[]>; target?: string }
    const plain = plainFit(fitTable(columns, { ...options, model }))
    const ml = fitTable(columns, { ...options, model, method: 'ml' })
    expect(plain.params).toEqual(ml.params)
    expect(plain.intervals === undefined).toBe(model === 'covariance' || model === 'pca')
  })

  test('without an intercept', () => {
    const fit = fitTable({ a, y }, { target: 'y', intercept: false })
    const params = plainFit(fit, { intercept: false }).params as unknown as { coefficients: { a: number } }
    const slope = a.reduce((sum, x, i) => sum + x * y[i]!, 0) / a.reduce((sum, x) => sum + x * x, 0)
    expect(params.coefficients.a).toBeCloseTo(slope, 8)
  })
})
