import { type Matrix, matrix } from 'rlvi'
import { expect, test } from 'vitest'
import { repeatedRows } from './repeated-rows.js'

/** Every number differs from the others. */
const value = (i: number): number => Math.sin(i) * 100

const table = (rows: number, cols: number, values: readonly number[]): Matrix =>
  matrix(rows, cols, Float64Array.from(values))

test('rows that were copied are counted, whatever lies between them', () => {
  const rows = Array.from({ length: 100 }, (_, i) => (i % 20 === 19 ? i - 13 : i))
  const x = table(
    100,
    2,
    rows.flatMap((i) => [value(i), i % 3]),
  )
  const y = Float64Array.from(rows, (i) => i / 7)
  expect(repeatedRows(x, y)).toBe(
    '5 of 100 rows repeat an earlier one in all columns that are used: if they are copies take them out, or all that is said is too sure',
  )
  // With another response they are no copies.
  expect(repeatedRows(x, Float64Array.from(rows.keys()))).toBeUndefined()
})

test('rows of few different values are alike by chance, and a pair may be so anywhere', () => {
  const grades = Array.from({ length: 400 }, (_, i) => [
    Math.floor(Math.abs(value(i))) % 5,
    Math.floor(Math.abs(value(7 * i))) % 5,
  ])
  expect(repeatedRows(table(400, 2, grades.flat()), undefined)).toBeUndefined()
  const pair = Array.from({ length: 100 }, (_, i) => value(i === 99 ? 0 : i))
  expect(repeatedRows(table(100, 1, pair), undefined)).toBeUndefined()
})

test('0 and -0 are the same', () => {
  const rows = Array.from({ length: 60 }, (_, i) => (i < 5 ? i + 30 : i))
  const x = rows.flatMap((row, i) => [row >= 30 && row < 35 ? (i < 5 ? 0 : -0) : row, value(row)])
  expect(repeatedRows(table(60, 2, x), undefined)).toMatch(/^5 of 60 rows/)
})
