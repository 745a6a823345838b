import { describe, expect, test } from 'vitest'
import { fitTable } from '../fit/fit-table.js'
import { readModel } from '../model/read-model.js'
import type { SavedModel } from '../model/saved-model.js'
import { writeModel } from '../model/write-model.js'
import { predictTable } from './predict-table.js'

const n = 60
const z = (i: number, k: number): number => Math.sin(12.9898 * i + 78.233 * k) + Math.sin(3.7 * i * k)
const a = Array.from({ length: n }, (_, i) => z(i, 1))
const city = a.map((_, i) => ['bonn', 'oslo', 'rome', 'rome'][(7 * i + (i >> 2)) % 4]!)
const y = a.map((value, i) => 1 + 2 * value + (city[i] === 'oslo' ? 3 : 0) + 0.1 * z(i, 3))
const up = y.map((value, i) => (value + z(i, 5) > 2 ? 'up' : 'down'))

/** y = 10 + 2 x (+ 5 where the kind is b) */
const given: SavedModel = {
  format: 'rlvi-model',
  version: 1,
  method: 'ml',
  rows: 9,
  features: [
    { name: 'x', kind: 'number' },
    { name: 'kind', kind: 'category', base: 'a', values: ['b', 'NA'] },
  ],
  target: { name: 'y' },
  fitted: { model: 'linear', params: { intercept: 10, coefficients: [2, 5, 7], scale: 1 } },
}

test('a model predicts by name, in any order, and says of which rows it cannot', () => {
  const found = predictTable(given, {
    y: [12, 99, 17, 21, null],
    kind: ['a', 'c', 'b', null, 'NA'],
    x: [1, 1, 2, 3, 4],
  })
  expect([...found.rows]).toEqual([0, 2, 4])
  // The model knows NA as a kind.
  expect([...found.predicted!]).toEqual([12, 19, 25])
  expect([found.inputRows, found.missing, found.unseen]).toEqual([5, 1, 1])
  expect(found.firstUnseen).toEqual({ row: 1, column: 'kind', value: 'c' })
  expect(found.error).toEqual({ rmse: Math.sqrt(4 / 2), rows: 2 })
  expect(found.remarks).toEqual([
    'no prediction for 1 of 5 rows: values are missing ("kind" misses 1)',
    'no prediction for 1 of 5 rows: categories that the model has never seen, the first in row 1, column "kind": "c" (rows count from 0)',
    'rmse 1.4142 on the 2 rows with a known target',
  ])
})

test('a target of another length is refused', () => {
  expect(() => predictTable(given, { x: [1, 2], kind: ['a', 'a'], y: [12] })).toThrow(
    'column "y": 2 values are needed like in the others, got 1',
  )
})

test('numbers may be texts, and true and false, as streams learn them', () => {
  const kind = ['a', 'a', 'a', 'a']
  const { predicted, rows } = predictTable(given, { x: ['1', 'NA', 'true', ' 2.5 '], kind })
  expect([...predicted!]).toEqual([12, 12, 15])
  expect([...rows]).toEqual([0, 2, 3])
  expect(() => predictTable(given, { x: ['1', 'many'], kind: ['a', 'a'] })).toThrow(
    'column "x": numbers are needed, got "many" in row 1; give numbers, which the model was fitted to there',
  )
})

test('categories may come as numbers', () => {
  const features: SavedModel['features'] = [{ name: 'k', kind: 'category', base: '1', values: ['2'] }]
  const fitted = { model: 'linear', params: { intercept: 0, coefficients: [1], scale: 1 } } as const
  const { predicted, rows } = predictTable({ ...given, features, fitted }, { k: [2, 1, 3, null] })
  expect([...predicted!]).toEqual([1, 0])
  expect([...rows]).toEqual([0, 1])
})

test('a target that cannot be compared gives no error', () => {
  const { error } = predictTable(given, { x: [1, 2], kind: ['a', 'b'], y: ['12', 'much'] })
  expect(error).toBeUndefined()
  expect(predictTable(given, { x: [1, 2], kind: ['a', 'b'], y: ['12', 'NA'] }).error).toEqual({
    rmse: 0,
    rows: 1,
  })
})

test('messages speak of arguments', () => {
  expect(() => predictTable(given, { X: [1], kind: ['a'] })).toThrow(
    'columns: a column of the table is needed, got "x"; did you mean "X"?',
  )
  expect(() => predictTable(given, { x: [1], kind: ['c'] }, { strict: true })).toThrow(
    'row 0, column "kind": a category that the model knows is needed, got "c"; leave strict out to go on',
  )
})

describe('a model that was kept', () => {
  test.each(['y', 'up'])('predicts %s as the fit did', (target) => {
    const columns = { a, city, [target]: target === 'y' ? y : up }
    const fit = fitTable(columns, { target })
    const text = writeModel(fit.model)
    for (const model of [readModel(text), readModel(JSON.parse(text))]) {
      expect(model).toEqual(fit.model)
      const { predicted, suggested, rows, error } = predictTable(model, columns)
      expect(rows).toEqual(fit.rows)
      expect(suggested).toEqual(fit.suggested)
      predicted!.forEach((value, i) => {
        expect(value).toBeCloseTo(fit.predicted![i]!, 10)
      })
      if (target === 'up') {
        const right = up.filter((label, i) => label === model.target?.classes?.[suggested![i]!]).length
        expect(error).toEqual({ accuracy: right / n, rows: n })
      }
    }
  })

  test('is refused where it is none', () => {
    const { model } = fitTable({ a, y }, { target: 'y', method: 'ml' })
    expect(() => readModel('{')).toThrow(
      'model: a model file in JSON is needed, got "{"; is this a file that writeModel',
    )
    expect(() => readModel({ ...model, version: 2 }, { where: 'm.json' })).toThrow(
      'm.json at version: a model file has 1',
    )
    expect(() => readModel({ ...model, features: [] })).toThrow(
      'fitted.params.coefficients: 0 values are needed, got 1',
    )
    const { target: _, ...untargeted } = model
    expect(() => readModel(untargeted)).toThrow('model at target: a linear model has one, got undefined')
  })
})

test('words that were missing values for the fit are so for the model, also from its file', () => {
  const state = a.map((value, i) => (i % 12 === 5 ? 'unavailable' : String(value)))
  const { model } = fitTable({ state, y }, { target: 'y', method: 'ml', numbers: ['state'] })
  const { rows, missing } = predictTable(readModel(writeModel(model)), { state: ['1.5', 'unknown', '2'] })
  expect([[...rows], missing]).toEqual([[0, 2], 1])
})
