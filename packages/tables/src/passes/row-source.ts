import { availableParallelism } from 'node:os'
import type { RowPlan, RowSource } from '@rlvi/estimator'
import { RlviError } from 'rlvi'
import { SAMPLE_ROWS } from 'rlvi/passes'
import { fromDuckDB } from '../errors.js'
import { lookThrough } from '../numeric.js'
import type { Wanted } from '../read.js'
import type { Table } from '../table.js'
import { eachInputRows, type InputRows } from './input-rows.js'
import { openRows } from './open-rows.js'
import { PassThreads } from './pass-threads.js'
import { codedColumns, sampleOf } from './sample.js'
import { type Scanned, scan } from './scan.js'
import { ScanCopy } from './scan-copy.js'
import { stampsOf } from './stamps.js'
import { type ColumnTexts, textsIn } from './texts.js'
import { CopiedRows } from './working-copy.js'

/**
 * A table as `fitSource` reads it: never more of it in memory than some rows. What its columns hold is found out from all
 * rows, by the database.
 *
 * @example
 * const wanted = { features: ['log_temperature'], target: 'log_light' }
 * const { params } = await withTable('stars.parquet', {}, (table) =>
 *   withRowSource(table, wanted, (source) => fitSource(source, { target: 'log_light' })),
 * )
 */
export async function withRowSource<T>(
  table: Table,
  wanted: Wanted & SourceOptions,
  use: (source: TableSource) => Promise<T>,
): Promise<T> {
  const source = await openSource(table, wanted)
  try {
    return await use(source)
  } finally {
    await source.close()
  }
}

/** How a table is scanned. */
export interface SourceOptions {
  /** Bytes that the database may take for itself; without it, what it takes by default. */
  readonly memory?: number | undefined
  /** Columns whose values are categories, though they look like numbers. */
  readonly categories?: readonly string[] | undefined
  /** About so many rows, evenly from all, stand for the table where a fit begins (default 30,000). */
  readonly sampleRows?: number | undefined
  /** How many of the rows that a fit trusts least it keeps; left out, a few. */
  readonly worstRows?: number | undefined
}

/** A table whose rows can also be had as they are, in their order, once a fit has opened them. */
export interface TableSource extends RowSource {
  /** One scan of all rows, with the named columns by their texts. */
  eachRows(names: readonly string[], use: (rows: InputRows) => void | Promise<void>): Promise<void>
  /** Some rows with all columns that were named, by their texts or as numbers, by one scan. */
  rowsAt(
    places: ReadonlySet<number>,
    names: readonly string[],
  ): Promise<ReadonlyMap<number, readonly OwnCell[]>>
}

/** A value as it is in the file; null where there is none. */
export type OwnCell = number | string | null

async function openSource(
  table: Table,
  wanted: Wanted & SourceOptions,
): Promise<TableSource & { close(): Promise<void> }> {
  const { features, target, memory, sampleRows = SAMPLE_ROWS, worstRows, categories = [], ...rules } = wanted
  const names = target === undefined ? [...features] : [...features, target]
  if (memory !== undefined) {
    const limit = Math.max(LEAST_MEMORY, Math.floor(memory / 2 ** 20))
    await table.connection.run(`set memory_limit = '${limit}MiB'`)
    const threads = Math.floor(limit / unpacked(names.length))
    if (threads < availableParallelism()) await table.connection.run(`set threads = ${Math.max(1, threads)}`)
  }
  const looked = await scannedOf(table, names, categories, rules)
  const inputRows = looked.rows.reduce((sum, count) => sum + count, 0)
  checkNumbers(table.path, inputRows)
  const coded = codedColumns(looked, names)
  const shape = {
    features: coded.filter((name) => name !== target),
    target: coded.find((name) => name === target),
  }
  const copy = await ScanCopy.create(table.temporary('scanned'), inputRows, shape)
  const scanned = { ...looked, copy }
  const texts = new Map<string, readonly string[]>()
  for (const [name, { values, names: called = values }] of scanned.texts)
    if (called !== undefined) texts.set(name, called)
  const copies: CopiedRows[] = []
  const threads = new PassThreads()
  const close = async (): Promise<void> => {
    for (const rows of copies.splice(0)) await rows.close()
  }
  let last: RowPlan | undefined
  const looking = async (ignored: readonly string[]): Promise<Looked> => {
    const { columns, ...found } = await sampleOf(scanned, names, target, sampleRows, ignored)
    return { sample: columns, ...found, ignored }
  }
  const first = await looking([]).catch(async (error) => {
    await copy?.close()
    throw error
  })
  const source: TableSource & { close(): Promise<void> } = {
    ...first,
    texts,
    worstRows,
    ignoring: async (columns) => ({
      ...source,
      ...(await looking(columns)),
    }),
    async open(plan) {
      // A plan takes the place of the one before, and its copies those of the others.
      await close()
      last = plan
      const path = table.temporary('working-copy')
      const rows = new CopiedRows(openRows(scanned, plan), path, plan.target !== undefined, copy, threads)
      copies.push(rows)
      return rows
    },
    eachRows: (names, use) => eachInputRows(scanned, last!, names, use),
    rowsAt: (places, names) => rowsAt(scanned, places, names),
    async close() {
      await threads.close()
      await close()
      await copy?.close()
    },
  }
  return source
}

/** What was found by a look at all rows. */
type Looked = Pick<RowSource, 'sample' | 'places' | 'even' | 'whole' | 'ignored'>

/** The results of a fit hold numbers of rows in 32 bits. */
const MOST_ROWS = 2 ** 31 - 1

/** A table with more rows than can be numbered is refused before anything is read. */
export function checkNumbers(path: string, rows: number): void {
  if (rows <= MOST_ROWS) return
  const todo = 'fit a part of it by a query, or the whole of it in a database'
  throw new RlviError(path, `a file may have ${MOST_ROWS} rows at most`, rows, todo)
}

/** With less (MiB) the database cannot unpack a file. */
const LEAST_MEMORY = 128
/** The rows of a group of a Parquet file, as DuckDB writes them; each of its threads unpacks one, with some room about it. */
const GROUP_ROWS = 122_880
const ROOM = 1.3
/** What that takes of so many columns, in MiB. */
const unpacked = (columns: number): number => (ROOM * 8 * GROUP_ROWS * columns) / 2 ** 20

async function scannedOf(
  table: Table,
  names: readonly string[],
  categories: readonly string[],
  rules: Scanned['rules'],
): Promise<Scanned> {
  try {
    const stamps = await stampsOf(table)
    const { rows, numeric: numbers, empty } = await lookThrough(table, names, rules)
    const numeric = new Set([...numbers].filter((name) => !categories.includes(name)))
    const texts = new Map<string, ColumnTexts>()
    for (const name of names) {
      if (numeric.has(name)) continue
      const found = await textsIn(table, name)
      texts.set(name, numbers.has(name) ? { ...found, names: found.values?.map(asNumber) ?? [] } : found)
    }
    return { table, rules, rows, numeric, empty, texts, stamps }
  } catch (error) {
    throw fromDuckDB(table.path, error, 'could not be read')
  }
}

async function rowsAt(
  scanned: Scanned,
  places: ReadonlySet<number>,
  names: readonly string[],
): Promise<ReadonlyMap<number, readonly OwnCell[]>> {
  const numbers = names.filter((name) => scanned.numeric.has(name))
  const texts = names.filter((name) => !scanned.numeric.has(name))
  const sorted = Float64Array.from(places).sort()
  const out = new Map<number, readonly OwnCell[]>()
  let next = 0
  await scan(scanned, numbers, texts, (rows) => {
    for (; next < sorted.length && sorted[next]! < rows.first + rows.rows; next++) {
      const i = sorted[next]! - rows.first
      const cell = (name: string): OwnCell => {
        if (!scanned.numeric.has(name)) return plain(rows.text(texts.indexOf(name), i))
        const value = rows.numbers[numbers.indexOf(name)]![i]!
        return Number.isNaN(value) ? null : value
      }
      out.set(sorted[next]!, names.map(cell))
    }
  })
  return out
}

/** A number as it is called wherever it is a category: 1, and not 1.0. */
function asNumber(text: string): string {
  const number = Number(text)
  return Number.isFinite(number) && text.trim() !== '' ? String(number) : text
}

/** A text that is a number as anybody would write it, as such. */
function plain(text: string | null): OwnCell {
  return text !== null && String(Number(text)) === text ? Number(text) : text
}
