import type { RowPlan, RowSource } from '@rlvi/estimator'
import type { Supervised } from 'rlvi'
import { type Blocks, SAMPLE_ROWS } from 'rlvi/passes'
import { fromDuckDB } from '../errors.js'
import { lookThrough } from '../numeric.js'
import type { Wanted } from '../read.js'
import type { Table } from '../table.js'
import { eachInputRows, type InputRows } from './input-rows.js'
import { openRows } from './open-rows.js'
import { sampleOf } from './sample.js'
import { type Scanned, scan } from './scan.js'
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
  if (memory !== undefined)
    await table.connection.run(
      `set memory_limit = '${Math.max(LEAST_MEMORY, Math.floor(memory / 2 ** 20))}MiB'`,
    )
  const names = target === undefined ? [...features] : [...features, target]
  const scanned = await scannedOf(table, names, categories, rules)
  const texts = new Map<string, readonly string[]>()
  for (const [name, { values, names: called = values }] of scanned.texts)
    if (called !== undefined) texts.set(name, called)
  const copies: CopiedRows[] = []
  const close = async (): Promise<void> => {
    for (const copy of copies.splice(0)) await copy.close()
  }
  let last: RowPlan | undefined
  let hasResponse = false
  const copied = (blocks: Blocks<Supervised>, rows: number): CopiedRows => {
    const copy = new CopiedRows(blocks, table.temporary('working-copy'), hasResponse, rows)
    copies.push(copy)
    return copy
  }
  const looking = async (ignored: readonly string[]): Promise<Looked> => {
    const { columns, ...found } = await sampleOf(scanned, names, target, sampleRows, ignored)
    return { sample: columns, ...found, ignored }
  }
  const source: TableSource & { close(): Promise<void> } = {
    ...(await looking([])),
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
      hasResponse = plan.target !== undefined
      const opened = openRows(scanned, plan)
      if (!isParsed(scanned)) return opened
      // Texts cost more to parse than to copy.
      const own = copied(opened, opened.inputRows)
      return {
        ...opened,
        get rows() {
          return opened.rows
        },
        get missing() {
          return opened.missing
        },
        each: (use) => own.each(use),
      }
    },
    copied: (blocks) => copied(blocks, blocks.rows),
    eachRows: (names, use) => eachInputRows(scanned, last!, names, use),
    rowsAt: (places, names) => rowsAt(scanned, places, names),
    close,
  }
  return source
}

/** What was found by a look at all rows. */
type Looked = Pick<RowSource, 'sample' | 'places' | 'even' | 'whole' | 'ignored'>

/** With less (MiB) the database cannot unpack a file. */
const LEAST_MEMORY = 128

/** Whether numbers come from texts. */
function isParsed({ table, numeric }: Scanned): boolean {
  return table.parts.some(({ columns }) =>
    columns.some(({ name, kind }) => kind === 'text' && numeric.has(name)),
  )
}

async function scannedOf(
  table: Table,
  names: readonly string[],
  categories: readonly string[],
  rules: Scanned['rules'],
): Promise<Scanned> {
  try {
    const { rows, numeric: numbers, empty } = await lookThrough(table, names, rules)
    const numeric = new Set([...numbers].filter((name) => !categories.includes(name)))
    const texts = new Map<string, ColumnTexts>()
    for (const name of names) {
      if (numeric.has(name)) continue
      const found = await textsIn(table, name)
      texts.set(name, numbers.has(name) ? { ...found, names: found.values?.map(asNumber) ?? [] } : found)
    }
    return { table, rules, rows, numeric, empty, texts }
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
