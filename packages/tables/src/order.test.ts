import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test } from 'vitest'
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
    expect(String(plan)).not.toMatch(/JOIN|AGGREGATE|GROUP/)
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
