import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, expect, test } from 'vitest'
import { withRowSource } from './passes/row-source.js'
import { read } from './read.js'
import { type Table, withTable } from './table.js'
import { testFolder } from './testing.js'

// What says which row is which goes by places: no query for rows may have a step in it, such as a join, after which they come in any order.
// DuckDB makes a join of `x in (…)`, where the list is long; large files then come in another order every time.

const folder = testFolder()

/** The table, and all queries for its rows that are made from now on. */
function heard(table: Table): { readonly table: Table; readonly asked: string[] } {
  const asked: string[] = []
  const connection = new Proxy(table.connection, {
    get(own, key: keyof DuckDBConnection) {
      if (key === 'stream')
        return async (sql: string) => {
          asked.push(sql)
          return await own.stream(sql)
        }
      const value = own[key]
      return typeof value === 'function' ? (value as () => unknown).bind(own) : value
    },
  })
  return { table: { ...table, connection }, asked }
}

async function expectOrdered({ connection }: Table, asked: readonly string[]): Promise<void> {
  expect(asked.length).toBeGreaterThan(0)
  for (const sql of asked) {
    const [[, plan] = []] = (await connection.runAndReadAll(`explain ${sql}`)).getRows()
    expect(String(plan)).not.toMatch(/JOIN|AGGREGATE|GROUP|ORDER_BY/)
  }
}

const wanted = { features: ['x', 'name'], target: 'y', missing: ['-1', '-2', '-3', '-4', '-5', '-6'] }
// More different names than are told one by one, so that words among them are marked.
const rows = Array.from({ length: 10_100 }, (_, i) => `${i},name ${i},${i % 7}`)
const path = folder.file('rows.csv', `x,name,y\n${rows.join('\n')}\n`)

test('rows are read into memory in their order, however many signs for missing values there are', async () => {
  await withTable(path, {}, async (own) => {
    const { table, asked } = heard(own)
    await read(table, wanted)
    await expectOrdered(own, asked)
  })
})

test('rows are scanned block by block in their order', async () => {
  await withTable(path, {}, async (own) => {
    const { table, asked } = heard(own)
    await withRowSource(table, wanted, async (source) => {
      await source.rowsAt(new Set([3]), ['x', 'name', 'y'])
    })
    await expectOrdered(own, asked)
  })
})

const database = join(folder.path, 'rows.duckdb')

beforeAll(async () => {
  const instance = await DuckDBInstance.create(database)
  const connection = await instance.connect()
  await connection.run('create table t as select i as x, i % 7 as k, i % 5 as y from range(500) r(i)')
  await connection.run('create table g as select i as k, 10 * i as z from range(7) r(i)')
  await connection.run('create view joined as select * from t join g using (k)')
  connection.closeSync()
  instance.closeSync()
})

test.each([
  'joined',
  'select * from t join g using (k)',
  'select k, x, avg(y) as y from t group by k, x',
  'select distinct x, k, y from t',
  'select * from t order by k',
  'select x, y, random() as k from t',
])('a table whose rows have no order of their own is read in one: %s', async (query) => {
  await withTable(database, { table: query }, async (own) => {
    const { table, asked } = heard(own)
    await read(table, { features: ['x', 'k'], target: 'y' })
    await expectOrdered(own, asked)
    const numbers = async (): Promise<unknown> =>
      (await own.connection.runAndReadAll(`select * from ${own.parts[0]!.from}`)).getRows()
    expect(await numbers()).toEqual(await numbers())
  })
})

test('a table, or a part of it, is scanned where it is', async () => {
  for (const query of ['t', 'select x, y from t where k > 2'])
    await withTable(database, { table: query }, async ({ parts }) => {
      expect(parts[0]!.from).not.toContain('temp.')
    })
})
