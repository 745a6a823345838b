import { type Matrix, matrix } from 'rlvi'
import { describe, expect, test } from 'vitest'
import type { Column, Columns } from '../columns/column.js'
import { OptionError } from '../words.js'
import { fitTable } from './fit-table.js'
import type { FitTableOptions } from './options.js'

const n = 60
const z = (i: number, k: number): number => Math.sin(12.9898 * i + 78.233 * k) + Math.sin(3.7 * i * k)
const a = Array.from({ length: n }, (_, i) => z(i, 1))
const b = Array.from({ length: n }, (_, i) => 5 + 3 * z(i, 2))
const city = a.map((_, i) => ['bonn', 'oslo', 'rome', 'rome'][(7 * i + (i >> 2)) % 4]!)
const isNew = a.map((_, i) => (i * i) % 3 === 0)
const y = a.map(
  (value, i) => 1 + 2 * value - b[i]! + (city[i] === 'oslo' ? 3 : 0) + 0.1 * z(i, 3) + (i % 10 ? 0 : 20),
)

/** Two columns as the views of one matrix. */
function views(): { x: Matrix; columns: Columns } {
  const x = matrix(n, 2, Float64Array.from(a.flatMap((value, i) => [value, b[i]!])))
  return { x, columns: { a: { matrix: x, column: 0 }, b: { matrix: x, column: 1 }, y } }
}

describe('the same columns in another form give the same fit', () => {
  const lists = fitTable({ a, b, city, isNew, y }, { target: 'y' })
  const codes = Int32Array.from(city, (name) => ['rome', 'unused', 'oslo', 'bonn'].indexOf(name))
  const forms: [string, Columns][] = [
    [
      'typed arrays',
      { a: Float64Array.from(a), b: Float64Array.from(b), city, isNew, y: Float64Array.from(y) },
    ],
    ['views of a matrix', { ...(views().columns as Record<string, Column>), city, isNew, y }],
    ['codes', { a, b, city: { codes, values: ['rome', 'unused', 'oslo', 'bonn'] }, isNew, y }],
    ['texts of numbers, and of true and false', { a: a.map(String), b, city, isNew: isNew.map(String), y }],
    ['a Map', new Map<string, Column>(Object.entries({ a, b, city, isNew, y }))],
  ]
  test.each(forms)('%s', (_, columns) => {
    const fit = fitTable(columns, { target: 'y' })
    expect(fit.design.names).toEqual(['a', 'b', 'city=bonn', 'city=oslo', 'isNew=true'])
    expect(fit.params).toEqual(lists.params)
    expect(fit.standardErrors).toEqual(lists.standardErrors)
    expect(fit.clean).toEqual(lists.clean)
    expect(fit.corruption).toEqual(lists.corruption)
  })
})

test('arrays of small numbers are numbers', () => {
  const steps = a.map((_, i) => (7 * i) % 11)
  const wide = fitTable({ steps, y }, { target: 'y' })
  for (const column of [Uint8Array.from(steps), Int32Array.from(steps), Float32Array.from(steps)])
    expect(fitTable({ steps: column, y }, { target: 'y' }).params).toEqual(wide.params)
})

describe("the caller's arrays", () => {
  const both: FitTableOptions[] = [
    { target: 'y' },
    { model: 'mean', exclude: ['y'] },
    { model: 'pca', exclude: ['y'] },
  ]
  test.each(both)('are as they were after a fit by %j', (options) => {
    const { x, columns } = views()
    const before = x.values.slice()
    fitTable(columns, options)
    expect(x.values).toEqual(before)
    const gaps = { ...columns, c: a.map((value, i) => (i === 3 ? null : value ** 2)) }
    fitTable(gaps, options)
    expect(x.values).toEqual(before)
  })

  test.each(both)('may be worked on in place, with the same numbers, by %j', (options) => {
    const { x, columns } = views()
    const fit = fitTable(columns, { ...options, reuse: true })
    expect(fit.design.x.values.buffer).toBe(x.values.buffer)
    const copied = fitTable(views().columns, options)
    expect(fit.params).toEqual(copied.params)
    expect(fit.clean).toEqual(copied.clean)
  })

  test('are packed in place where rows are incomplete', () => {
    const incomplete = (): { x: Matrix; columns: Columns } => {
      const { x, columns } = views()
      for (const at of [0, 7, 55]) x.values[at] = Number.NaN
      return { x, columns }
    }
    const { x, columns } = incomplete()
    const fit = fitTable(columns, { target: 'y', reuse: true })
    expect(fit.design.x.values.buffer).toBe(x.values.buffer)
    expect(fit.rows.length).toBe(n - 3)
    const copied = fitTable(incomplete().columns, { target: 'y' })
    expect(fit.params).toEqual(copied.params)
    expect(fit.rows).toEqual(copied.rows)
  })
})

test('the design in its units is what was given', () => {
  const { design } = fitTable({ a, b, y }, { target: 'y' })
  const { x, units } = design
  for (let i = 0; i < n; i++) {
    expect(x.values[2 * i]! * units.scale[0]! + units.centre[0]!).toBeCloseTo(a[i]!, 12)
    expect(x.values[2 * i + 1]! * units.scale[1]! + units.centre[1]!).toBeCloseTo(b[i]!, 12)
  }
})

test('names that objects have of themselves are names, and a Map keeps the order of numbers', () => {
  const columns = new Map<string, Column>([
    ['2', a],
    ['1', b],
    ['__proto__', city.map((name) => name)],
    ['y', y],
  ])
  const { params, design } = fitTable(columns, { target: 'y' })
  expect(design.names).toEqual(['2', '1', '__proto__=bonn', '__proto__=oslo'])
  expect(params).toHaveProperty(['coefficients', '__proto__=oslo'])
})

describe('messages speak of arguments', () => {
  const cases: [Columns, FitTableOptions, string][] = [
    [
      { a, y },
      {},
      'target: the column to explain is needed, got "none"; or choose model "mean", covariance or pca',
    ],
    [{ a, y }, { target: 'Y' }, 'target: a column of the table is needed, got "Y"; did you mean "y"?'],
    [{ a, y }, { target: 'y', features: ['a', 'y'] }, 'features: the target cannot explain itself, got "y"'],
    [{ a, y }, { target: 'y', features: ['a'], exclude: ['b'] }, 'exclude: give either features or exclude'],
    [{ a, y }, { target: 'y', model: 'pca' }, 'target: model "pca" has none, got "y"; leave it out'],
    [
      { a, y },
      { target: 'y', assumed: 0.2 },
      'assumed: method "calibrated" infers it, got 0.2; leave it out',
    ],
    [
      { a, y },
      { target: 'y', method: 'rrm', assumed: 1.5 },
      'assumed: a number between 0 and 1 is needed, got 1.5',
    ],
    [
      { a, city },
      { target: 'city', method: 'huber' },
      'method "huber": is for model "linear" only, got "softmax"',
    ],
    [{ a, city }, { target: 'city', model: 'logistic' }, 'model "logistic" needs two classes'],
    [{ a, y }, { model: 'pca', components: 0 }, 'components: a whole number of at least 1 is needed, got 0'],
    [{ a, y }, { target: 'y', seed: 0.5 }, 'seed: a whole number of at least 0 is needed, got 0.5'],
    [
      { a: a.map(() => 1), y },
      { target: 'y' },
      'columns: at least one feature that varies is needed, got left out columns that never vary: "a" (1)',
    ],
    [{ y }, { target: 'y' }, 'columns: at least one feature is needed, got ["y"]'],
    [{ a: [], y: [] }, { target: 'y' }, 'columns: rows are needed'],
    [
      { a: [1, 3, null], y: [null, null, 2] },
      { target: 'y' },
      'columns: at least one row without missing values is needed, got none of 3',
    ],
    [{ a: [1, 2, 3], y }, { target: 'y' }, 'column "y": 3 values are needed like in the others, got 60'],
    [
      { a: [1, 'x'] as never, y },
      { target: 'y' },
      'column "a": values of one type are needed, got 1 and, in row 1, "x"',
    ],
    [
      { a: [new Date(0)] as never, y },
      { target: 'y' },
      'column "a": numbers, texts or true and false are needed',
    ],
    [
      { a: [1, Number.POSITIVE_INFINITY, 3], y: [1, 2, 3] },
      { target: 'y' },
      'row 1, column "a": a finite number is needed, got Infinity',
    ],
    [
      { a: [1, null, 3], y: [1, 2, 3] },
      { target: 'y', strict: true },
      'row 1, column "a": a value is needed, got "none"; fix the row, or drop such rows: leave strict out',
    ],
  ]
  test.each(cases)('%#', (columns, options, message) => {
    expect(() => fitTable(columns, options)).toThrow(message)
    expect(() => fitTable(columns, options)).not.toThrow(/--/)
  })

  test('options that contradict each other are told from data that cannot be fitted', () => {
    expect(() => fitTable({ a, y }, { target: 'y', model: 'mean' })).toThrow(OptionError)
    expect(() => fitTable({ a, y }, { target: 'z' })).not.toThrow(OptionError)
  })
})
