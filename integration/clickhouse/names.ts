import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { type Column, fitTable } from '@rlvi/estimator'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { run, testFolder } from '../../packages/cli/src/testing/run.js'
import { quoteName } from '../../packages/tables/src/sql/duckdb.js'
import type { Cluster } from './cluster.js'
import { addressOf, type Cell, load, put, rowsOf, type TestTable } from './tables.js'

/** What breaks out of a careless query, page, terminal or path. */
const hostile = [
  `'`,
  `''`,
  `"`,
  '`',
  '``',
  '\\',
  "\\'",
  '\\`',
  '\n',
  '\r\n',
  '\t',
  '; DROP TABLE x; --',
  "'; DROP TABLE x; --",
  '/*',
  '--',
  '#',
  '$1',
  '{x:String}',
  '%s',
  '?',
  '*',
  'select',
  'NULL',
  'from',
  'rlvi_x0',
  'clean',
  'row',
  '<script>alert(1)</script>',
  '</script>',
  '&amp;',
  '日本語',
  'é',
  'e\u0301',
  '👩‍🔬',
  '\u202e',
  '\u0001',
  ' ',
  '.',
  ',',
  '=',
  '(',
  '[0]',
  '__proto__',
  'constructor',
]
const piece = fc.oneof(
  { arbitrary: fc.constantFrom(...hostile), weight: 4 },
  { arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }), weight: 1 },
)
/** Blanks around a name on a command line, and commas in it, have a meaning of their own; letters are the same large and small to DuckDB. */
const name = fc
  .array(piece, { minLength: 1, maxLength: 3 })
  .map((parts) => `n${parts.join('')}n`)
  .filter((text) => !text.includes(',') && Buffer.from(text).toString() === text && !text.includes('\0'))
const different = (count: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(name, { minLength: count, maxLength: count, selector: (text) => text.toLowerCase() })

interface Hostile {
  /** A number, a text, the target, and the row's own number. */
  readonly columns: readonly string[]
  readonly categories: readonly string[]
  readonly table: string
  readonly rows: string
}

const hostileTable: fc.Arbitrary<Hostile> = fc.record({
  columns: different(4),
  categories: different(3),
  table: name,
  rows: name.map((text) => `rows ${text}`),
})

function tableOf({ columns, categories }: Hostile, n: number): TestTable {
  const rows = Array.from({ length: n }, (_, i): Cell[] => {
    const k = (i * 7) % 3
    return [
      Math.sin(i),
      categories[k]!,
      2 * Math.sin(i) + k + 0.1 * Math.cos(13 * i) + (i % 10 === 0 ? 9 : 0),
      i,
    ]
  })
  return { names: columns, kinds: ['number', 'text', 'number', 'number'], rows }
}

/** What the library makes of the same columns. */
function wantedOf({ columns: [x, kind, y] }: Hostile, { rows }: TestTable) {
  const column = (j: number): Cell[] => rows.map((row) => row[j]!)
  return fitTable(
    new Map<string, Column>([
      [x!, column(0) as number[]],
      [kind!, column(1) as string[]],
      [y!, column(2) as number[]],
    ]),
    { target: y!, method: 'paper', model: 'linear' },
  )
}

/** Flags that name them all. */
function flagsOf({ columns: [x, kind, y] }: Hostile): string[] {
  return [
    `--target=${y}`,
    `--features=${x}`,
    `--features=${kind}`,
    '--model',
    'linear',
    '--method',
    'paper',
    '--json',
  ]
}

function expectFit(out: string, wanted: ReturnType<typeof wantedOf>): void {
  const got = JSON.parse(out)
  expect(got.features).toEqual(wanted.design.names)
  const { coefficients } = wanted.params as { coefficients: Record<string, number> }
  expect(Object.keys(got.params.coefficients)).toEqual(Object.keys(coefficients))
  for (const [key, value] of Object.entries(coefficients))
    expect(got.params.coefficients[key]).toBeCloseTo(value, 8)
}

/** Names and categories of any kind come through fit and rows unharmed, in both engines. */
export function names(cluster: () => Cluster): void {
  const folder = testFolder()
  let count = 0

  describe('hostile names', () => {
    // Few rows are fitted in memory; more by SQL.
    it.each([
      { rows: 30, times: 12 },
      { rows: 2001, times: 4 },
    ])('come through ClickHouse with $rows rows', async ({ rows, times }) => {
      await fc.assert(
        fc.asyncProperty(hostileTable, async (named) => {
          const [node] = cluster().nodes
          const own = { ...named, table: `${++count} ${named.table}`, rows: `${count} ${named.rows}` }
          const made = tableOf(own, rows)
          await (rows > 2000 ? load(cluster(), own.table, made) : put(node!, own.table, made))
          const table = rows > 2000 ? `${own.table}_three` : own.table
          const address = addressOf(node!, table)
          const { status, out, remarks } = await run(
            'fit',
            address,
            ...flagsOf(own),
            `--rows-table=${own.rows}`,
          )
          expect({ status, remarks: status === 0 ? [] : remarks }).toEqual({ status: 0, remarks: [] })
          const wanted = wantedOf(own, made)
          expectFit(out, wanted)
          const [there] = await rowsOf(
            node!,
            `SELECT hex(name) FROM system.tables WHERE hex(name) = '${hex(own.rows)}'`,
          )
          expect(there).toEqual([hex(own.rows)])
          const columns = await rowsOf(
            node!,
            `SELECT name FROM system.columns WHERE hex(table) = '${hex(own.rows)}'`,
          )
          expect(columns.flat().slice(0, 4)).toEqual(own.columns)
          const kind = columns[1]![0] as string
          const id = columns[3]![0] as string
          const judged = await rowsOf(
            node!,
            `SELECT ${quoted(kind)}, clean, predicted FROM ${quoted(own.rows)} ORDER BY ${quoted(id)}`,
          )
          judged.forEach(([category, clean, predicted], i) => {
            expect(category).toBe(made.rows[i]![1])
            expect(clean).toBeCloseTo(wanted.clean[i]!, 8)
            expect(predicted).toBeCloseTo(wanted.predicted![i]!, 8)
          })
        }),
        { numRuns: times, seed: 14 },
      )
    })

    it.each(['2GB', '1kB'])('come through DuckDB with %s', async (memory) => {
      await fc.assert(
        fc.asyncProperty(hostileTable, async (named) => {
          const made = tableOf(named, 200)
          const file = join(folder.path, `${++count}.duckdb`)
          const instance = await DuckDBInstance.create(file)
          const connection = await instance.connect()
          const types = made.kinds.map(
            (kind, j) => `${quoteName(made.names[j]!)} ${kind === 'text' ? 'varchar' : 'double'}`,
          )
          await connection.run(`create table ${quoteName(named.table)} (${types.join(', ')})`)
          const appender = await connection.createAppender(named.table)
          for (const row of made.rows) {
            for (const cell of row)
              if (typeof cell === 'string') appender.appendVarchar(cell)
              else appender.appendDouble(cell!)
            appender.endRow()
          }
          appender.closeSync()
          connection.closeSync()
          instance.closeSync()
          const out = join(folder.path, `${count}.parquet`)
          const ran = await run(
            'fit',
            file,
            `--table=${named.table}`,
            ...flagsOf(named),
            '--memory',
            memory,
            '--rows',
            out,
            '--keep',
          )
          expect({ status: ran.status, remarks: ran.status === 0 ? [] : ran.remarks }).toEqual({
            status: 0,
            remarks: [],
          })
          const wanted = wantedOf(named, made)
          expectFit(ran.out, wanted)
          const reader = await (await DuckDBInstance.create(':memory:')).connect()
          const judged = await reader.runAndReadAll(`select * from '${out}'`)
          expect(judged.columnNames().slice(0, 4)).toEqual(named.columns)
          const at = judged.columnNames().findIndex((own, j) => j > 3 && own.endsWith('clean'))
          judged.getRows().forEach((row, i) => {
            expect(row[1]).toBe(made.rows[i]![1])
            expect(row[at]).toBeCloseTo(wanted.clean[i]!, 8)
          })
        }),
        { numRuns: 6, seed: 14 },
      )
    })
  })
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase()
}

/** By another way than the code under test: every byte by its number. */
function quoted(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
  return `\`${bytes.join('')}\``
}
