import { studentQuantile } from 'rlvi'
import { draws } from 'rlvi/random'
import { describe, expect, test } from 'vitest'
import { fitTable, predictTable } from '../index.js'

const { normal, uniform } = draws('prediction intervals')
const x = Array.from({ length: 60 }, () => 10 + 3 * normal())
const y = x.map((value) => 4 - 2 * value + normal())
const at = [4, 10, 30]

test('on good rows a linear interval is that of the textbook', () => {
  const { model, corruption } = fitTable({ x, y }, { target: 'y', errors: 'normal' })
  expect(corruption.level).toBe(0)
  const { predicted, intervals } = predictTable(model, { x: at }, { intervals: true })
  const n = x.length
  const mean = x.reduce((a, b) => a + b) / n
  const squares = x.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const fitted = predictTable(model, { x }).predicted!
  const residual = Math.sqrt(y.reduce((sum, value, i) => sum + (value - fitted[i]!) ** 2, 0) / (n - 2))
  at.forEach((value, i) => {
    // t s sqrt(1 + 1/n + (x - mean)^2 / sum of squares)
    const half = studentQuantile(0.1, n - 2) * residual * Math.sqrt(1 + 1 / n + (value - mean) ** 2 / squares)
    expect((intervals!.high[i]! - predicted![i]!) / half).toBeCloseTo(1, 2)
    expect((predicted![i]! - intervals!.low[i]!) / half).toBeCloseTo(1, 2)
  })
})

describe.each([
  ['logistic', x.map((value) => (uniform(0, 1) < 1 / (1 + Math.exp(10 - value)) ? 'yes' : 'no'))],
  ['poisson', x.map((value) => Math.round(Math.exp(0.2 * value)))],
] as const)('%s', (model, target) => {
  test('an interval holds its prediction, in the range of what is predicted, and widens far from the rows', () => {
    const fit = fitTable({ x, y: target }, { target: 'y', model })
    const { predicted, intervals } = predictTable(fit.model, { x: at }, { intervals: true })
    const { low, high } = intervals!
    at.forEach((_, i) => {
      expect(low[i]!).toBeGreaterThan(0)
      expect(low[i]!).toBeLessThan(predicted![i]!)
      expect(high[i]!).toBeGreaterThan(predicted![i]!)
      if (model === 'logistic') expect(high[i]!).toBeLessThan(1)
    })
    // On the scale of the linear predictor.
    const width = (i: number): number =>
      model === 'poisson'
        ? Math.log(high[i]! / low[i]!)
        : Math.log(high[i]! / (1 - high[i]!)) - Math.log(low[i]! / (1 - low[i]!))
    expect(width(0)).toBeGreaterThan(width(1))
    expect(width(2)).toBeGreaterThan(width(0))
  })
})

test('there are none unless they are asked for', () => {
  const { model } = fitTable({ x, y }, { target: 'y' })
  expect(predictTable(model, { x: at }).intervals).toBeUndefined()
})
