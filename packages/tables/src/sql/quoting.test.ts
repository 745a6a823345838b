import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quoteName, quoteText } from './duckdb.js'

const evil = [
  'a"b',
  "'; drop table x; --",
  '"; drop table x; --',
  '日本語',
  'new\nline',
  ' ',
  '"',
  "''",
  'a\\',
  '%s',
]

test('any name and any text comes back from the database as it was', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const check = async (text: string): Promise<void> => {
    const result = await connection.run(`select ${quoteText(text)} as ${quoteName(text)}`)
    expect(result.columnName(0)).toBe(text)
    expect(await result.getRows()).toEqual([[text]])
  }
  for (const text of evil) await check(text)
  const anyText = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\0'))
  await fc.assert(fc.asyncProperty(anyText, check), { numRuns: 50 })
  instance.closeSync()
})

test('what SQL cannot name is refused', () => {
  expect(() => quoteName('')).toThrow('column name: SQL has no empty names, got ""')
  expect(() => quoteName('a\0b')).toThrow('zero byte')
  expect(() => quoteText('a\0b')).toThrow('zero byte')
})
