import { studentQuantile } from 'rlvi'
import { draws } from 'rlvi/random'
import { describe, expect, test } from 'vitest'
import { fitTable, predictTable, readModel } from '../index.js'

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

describe('softmax', () => {
  const { normal: z, uniform: u } = draws('softmax intervals')
  const n = 300
  const a = Array.from({ length: n }, () => 5 + z())
  const b = Array.from({ length: n }, () => z())
  const three = a.map((value, i) => {
    const scores = [0, 1.2 * (value - 5), b[i]! - 0.5].map(Math.exp)
    const at = u(0, 1) * scores.reduce((sum, score) => sum + score)
    return at < scores[0]! ? 'low' : at < scores[0]! + scores[1]! ? 'right' : 'up'
  })
  const rows = { a: [5, 7, 3, 9], b: [0, 1, -1, 2] }

  test('of two labels has the intervals of logistic', () => {
    const target = a.map((value) => (u(0, 1) < 1 / (1 + Math.exp(6 - 1.2 * value)) ? 'right' : 'low'))
    const by = (model: 'softmax' | 'logistic') => {
      const { model: fitted } = fitTable({ a, b, target }, { target: 'target', model })
      return predictTable(fitted, rows, { intervals: true })
    }
    const [both, one] = [by('softmax'), by('logistic')]
    const logit = (p: number): number => Math.log(p / (1 - p))
    rows.a.forEach((_, i) => {
      const { low, high } = both.intervals!.classes!
      const width = logit(high.values[2 * i + 1]!) - logit(low.values[2 * i + 1]!)
      // Both have a small ridge penalty, which is not the same for one vector of coefficients and for two.
      expect(width / (logit(one.intervals!.high[i]!) - logit(one.intervals!.low[i]!))).toBeCloseTo(1, 1)
    })
  })

  test('they are as wide as parameters drawn by their covariance scatter', () => {
    const { model } = fitTable({ a, b, three }, { target: 'three' })
    const { probabilities, intervals, suggested } = predictTable(model, rows, { intervals: true })
    const { covariance, within } = model.uncertainty!
    expect(covariance.map((row) => row.length)).toEqual(covariance.map((_, k) => k + 1))
    if (model.fitted.model !== 'softmax') throw new Error('softmax')
    const { intercepts, coefficients } = model.fitted.params
    const theta = intercepts.flatMap((value, k) => [value, ...coefficients[k]!])
    const spread = rows.a.flatMap((_, i) => {
      const logits = Array.from({ length: 4000 }, () => {
        const drawn = plus(theta, drawnBy(covariance))
        const eta = [0, 1, 2].map(
          (k) => drawn[3 * k]! + drawn[3 * k + 1]! * rows.a[i]! + drawn[3 * k + 2]! * rows.b[i]!,
        )
        return eta.map(
          (own, k) =>
            own - Math.log(eta.reduce((sum, other, l) => (l === k ? sum : sum + Math.exp(other)), 0)),
        )
      })
      return [0, 1, 2].map((k) => deviation(logits.map((logit) => logit[k]!)))
    })
    const logit = (p: number): number => Math.log(p / (1 - p))
    spread.forEach((sd, at) => {
      const { low, high } = intervals!.classes!
      const p = probabilities!.values[at]!
      expect((logit(high.values[at]!) - logit(p)) / (within * sd)).toBeCloseTo(1, 0.5)
      expect((logit(p) - logit(low.values[at]!)) / (within * sd)).toBeCloseTo(1, 0.5)
    })
    for (const i of rows.a.keys())
      expect(intervals!.low[i]).toBe(intervals!.classes!.low.values[3 * i + suggested![i]!])
  })

  const factors = new Map<object, number[][]>()
  /** L z with L L' = C; a direction that is known exactly, such as a shift of all classes, stays where it is. */
  function drawnBy(covariance: readonly (readonly number[])[]): number[] {
    let lower = factors.get(covariance)
    if (lower === undefined) {
      const found: number[][] = []
      covariance.forEach((row, j) => {
        found.push([])
        for (let k = 0; k <= j; k++) {
          let sum = row[k]!
          for (let m = 0; m < k; m++) sum -= found[j]![m]! * found[k]![m]!
          if (k < j) found[j]!.push(found[k]![k]! > 0 ? sum / found[k]![k]! : 0)
          else found[j]!.push(sum > 1e-10 * row[j]! ? Math.sqrt(sum) : 0)
        }
      })
      factors.set(covariance, found)
      lower = found
    }
    const noise = lower.map(() => z())
    return lower.map((row) => row.reduce((sum, value, k) => sum + value * noise[k]!, 0))
  }
  const plus = (left: readonly number[], right: readonly number[]): number[] =>
    left.map((value, k) => value + right[k]!)
  function deviation(values: readonly number[]): number {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  }
})

test('150 features have intervals, and a file of all numbers of a covariance is still read', () => {
  const { normal: z } = draws('many features')
  const columns = Object.fromEntries(
    Array.from({ length: 150 }, (_, j) => [`x${j}`, Array.from({ length: 400 }, () => z())]),
  )
  const target = columns.x0!.map((value) => value + z())
  const { model } = fitTable({ ...columns, target }, { target: 'target', errors: 'normal' })
  const few = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.slice(0, 5)]))
  const { intervals } = predictTable(model, few, { intervals: true })
  const { covariance } = model.uncertainty!
  const full = covariance.map((_, a) =>
    covariance.map((__, b) => (b <= a ? covariance[a]![b]! : covariance[b]![a]!)),
  )
  const older = readModel({ ...model, uncertainty: { ...model.uncertainty!, covariance: full } })
  expect(predictTable(older, few, { intervals: true }).intervals).toEqual(intervals)
})

test.each(['mean', 'covariance', 'pca'] as const)('%s predicts nothing', (model) => {
  const fit = fitTable({ x, y }, { model })
  expect(() => predictTable(fit.model, { x, y }, { intervals: true })).toThrow(
    `intervals: are for models that predict a target, got "${model}"; leave it out: distances and scores describe the row itself`,
  )
})
