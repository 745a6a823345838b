import { fromRows } from 'rlvi'
import { expect, test } from 'vitest'
import { takeColumn } from './column.js'

test('a code is one of a value that is there, or -1', () => {
  const values = ['bonn', 'oslo']
  expect(takeColumn('city', { codes: Int32Array.of(1, -1, 0), values }).length).toBe(3)
  const rule = 'column "city": codes of its 2 values are needed, or -1 for a missing one'
  expect(() => takeColumn('city', { codes: Int32Array.of(0, 2), values })).toThrow(`${rule}, got 2 in row 1`)
  expect(() => takeColumn('city', { codes: Int32Array.of(-2), values })).toThrow(`${rule}, got -2 in row 0`)
})

test('a column of a matrix is one that it has', () => {
  const matrix = fromRows([
    [1, 2],
    [3, 4],
  ])
  expect(takeColumn('b', { matrix, column: 1 })).toMatchObject({ length: 2, offset: 1, stride: 2 })
  const rule = 'column "b": a column of its matrix, from 0 to 1, is needed'
  for (const column of [2, -1, 0.5, Number.NaN])
    expect(() => takeColumn('b', { matrix, column })).toThrow(`${rule}, got ${column}`)
})
