import { afterEach, expect, test, vi } from 'vitest'
import { chooseFeatures } from '../columns/choose.js'
import type { Words } from '../words.js'
import { fitTable } from './fit-table.js'

afterEach(() => vi.unstubAllEnvs())

const wide = (width: number): Record<string, Float64Array> =>
  Object.fromEntries(
    Array.from({ length: width }, (_, j) => [
      `c${j}`,
      Float64Array.from({ length: 8 }, (_, i) => Math.sin(i * j + i)),
    ]),
  )

test('a table too wide to fit is refused before it takes all memory, and the limit can be moved', () => {
  const table = { ...wide(501), y: Float64Array.from({ length: 8 }, (_, i) => i) }
  expect(() => fitTable(table, { target: 'y' })).toThrow(
    /at most 500 columns to fit are needed, got 501.*; choose some by .*features.*, or set RLVI_MAX_FEATURES to more/,
  )
  vi.stubEnv('RLVI_MAX_FEATURES', '3')
  expect(() => fitTable({ ...wide(4), y: table.y }, { target: 'y' })).toThrow('at most 3 columns')
})

test('one that is too wide by far is refused by its names alone, before a column is read', () => {
  const names = Array.from({ length: 2001 }, (_, j) => `c${j}`)
  const words: Words = {
    source: 'genes.csv',
    holder: 'file',
    option: (name) => `--${name}`,
    row: String,
    rowsCount: '',
  }
  expect(() => chooseFeatures(names, {}, words)).toThrow(
    'genes.csv: at most 500 columns to fit are needed, got 2001; choose some by --features, or set RLVI_MAX_FEATURES to more',
  )
  expect(chooseFeatures(names, { exclude: ['c7'] }, words)).toHaveLength(2000)
})
