import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, test } from 'vitest'
import { withTable } from './table.js'
import { testFolder } from './testing.js'

const folder = testFolder()
const names = async (path: string, table?: string): Promise<string[]> =>
  withTable(path, { table }, async ({ columns }) => columns.map(({ name }) => name))

describe('JSON', () => {
  const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const tooDeep = 'lists and objects in each other, at most 500 deep, are needed, got deeper ones'

  test('lists in lists are refused before they end the process', async () => {
    const path = folder.file('deep.json', deep(40_000))
    await expect(names(path)).rejects.toThrow(`${path} line 1: ${tooDeep}`)
    const zipped = folder.file('deep.json.gz', gzipSync(deep(40_000)))
    await expect(names(zipped)).rejects.toThrow(tooDeep)
    const objects = folder.file('objects.json', `[{"x":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}}]`)
    await expect(names(objects)).rejects.toThrow(tooDeep)
  })

  test('a broken line before them does not hide them', async () => {
    const path = folder.file('hidden.ndjson', `{"x": "open\n{"x":${deep(40_000)}}\n`)
    await expect(names(path)).rejects.toThrow(`${path} line 2: ${tooDeep}`)
  })

  test('brackets in texts are texts, and a few levels are data', async () => {
    const text = JSON.stringify(`${deep(2000)}"\\${'['.repeat(2000)}`)
    const path = folder.file('texts.ndjson', `{"x":${text},"y":[[1]]}\n`.repeat(30))
    expect(await names(path)).toEqual(['x', 'y'])
  })
})

describe('a DuckDB file', () => {
  const path = join(folder.path, 'data.duckdb')
  const secret = folder.file('secret.csv', 'password\nhunter2\n')
  const stolen = join(folder.path, 'stolen.csv')

  beforeAll(async () => {
    const instance = await DuckDBInstance.create(path)
    const connection = await instance.connect()
    await connection.run('create table t as select range as x, 2 * range as y from range(9)')
    await connection.run(`create view spy as select * from read_csv('${secret}')`)
    connection.closeSync()
    instance.closeSync()
  })

  test.each([
    ['closes the parentheses around it', `select x from t); copy t to '${stolen}'; select * from (select 1`],
    ['is two', 'select 1 as x; select 2 as x'],
    ['writes', `copy t to '${stolen}'`],
    ['attaches', `attach '${stolen}'`],
    ['changes the settings', 'set enable_external_access = true'],
  ])('a query that %s is refused', async (_, table) => {
    await expect(names(path, table)).rejects.toThrow(/data\.duckdb: .*(one query that reads|disabled)/)
    expect(existsSync(stolen)).toBe(false)
  })

  test.each(['spy', 'select * from spy', `select * from read_csv('${secret}')`, `select * from '${secret}'`])(
    'no other file is read by %s',
    async (table) => {
      await expect(names(path, table)).rejects.toThrow(/file system operations are disabled/)
    },
  )

  test('one query is one, with a semicolon or a comment behind it', async () => {
    for (const table of ['t', 'select x, y from t', 'from t;', 'with q as (from t) select * from q -- all\n'])
      expect(await names(path, table)).toEqual(['x', 'y'])
  })
})
