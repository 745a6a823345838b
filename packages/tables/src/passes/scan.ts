import type { DuckDBDataChunk } from '@duckdb/node-api'
import { type CellRules, type Cells, cells } from '@rlvi/estimator'
import { RlviError } from 'rlvi'
import { collectOften } from '../collect.js'
import { fromDuckDB } from '../errors.js'
import { numbersSql, textSql, wordsSql } from '../numeric.js'
import type { Part, Table } from '../table.js'
import type { ScanCopy } from './scan-copy.js'
import { checkStamp, type Stamp } from './stamps.js'
import { type ColumnTexts, codesSql } from './texts.js'

/** Bytes of rows that may wait to be freed. */
const MOST_WAITING = 2 ** 26
/** Of a column of a chunk of 2048 rows. */
const CHUNK_BYTES = 2 ** 14

/** Columns of a table by how they are scanned. */
export interface Scanned {
  readonly table: Table
  readonly rules: CellRules
  /** Rows of each part of the table, as they were counted. */
  readonly rows: readonly number[]
  /** The columns that hold nothing but numbers. */
  readonly numeric: ReadonlySet<string>
  /** Those of them without any. */
  readonly empty: ReadonlySet<string>
  /** What the others hold. */
  readonly texts: ReadonlyMap<string, ColumnTexts>
  /** Where the columns of the first scan can be read from. */
  readonly copy?: ScanCopy | undefined
  /** The state of each file when its rows were counted. */
  readonly stamps: readonly Stamp[]
}

/** Some rows of a scan. */
export interface ScannedRows {
  /** The place of the first in the table. */
  readonly first: number
  readonly rows: number
  /** Numbers, or codes of texts, NaN where there is none, in the order in which columns were asked for. */
  readonly numbers: readonly Float64Array[]
  /** The text of a row, of the columns that were asked for as texts. */
  text(column: number, row: number): string | null
}

/** DuckDB's vector of doubles; its array is there for reading, but its types keep it private. */
interface DoubleVector {
  readonly items: Float64Array
}

/**
 * One scan of columns, all rows in their order: the next rows are fetched while `use` works on the last ones. Throws where a
 * part has another number of rows than before, or its file was written since. Of the columns that are `marked` numbers say where words are, behind the others.
 */
export async function scan(
  { table, rules, rows, numeric, texts, copy, stamps }: Scanned,
  names: readonly string[],
  asTexts: readonly string[],
  use: (rows: ScannedRows) => void | Promise<void>,
  marked: readonly string[] = [],
): Promise<void> {
  if (asTexts.length + marked.length === 0 && copy?.holds(names))
    return await copy.each((found) => {
      const { first, rows } = found
      return use({ first, rows, numbers: copy.columns(found, names), text: () => null })
    })
  const how = cells(rules)
  const every = Math.max(
    8,
    Math.floor(MOST_WAITING / (CHUNK_BYTES * (names.length + 2 * asTexts.length + 1))),
  )
  let at = 0
  for (const [k, part] of table.parts.entries()) {
    const begin = at
    try {
      const selected = [
        ...names.map((name) => doublesSql(part, name, how, numeric, texts)),
        ...marked.map((name) => wordsSql(part, name, how)),
        ...asTexts.map((name) => textSql(part, name)),
      ]
      const sql = `select ${selected.length === 0 ? '0::double' : selected.join(', ')} from ${part.from}`
      const result = await table.connection.stream(sql)
      let next = result.fetchChunk()
      for (let chunks = 1; ; chunks++) {
        const chunk = await next
        if (chunk === null || chunk.rowCount === 0) break
        next = result.fetchChunk()
        // An error of it is heard when it is waited for, not while these rows are worked on.
        next.catch(() => undefined)
        await ours(() => use(rowsOf(chunk, at, names.length + marked.length)))
        at += chunk.rowCount
        if (chunks % every === 0) collectOften()
      }
    } catch (error) {
      if (error instanceof OfUse) throw error.cause
      throw fromDuckDB(part.path, error, 'could not be read')
    }
    await checkStamp(part.path, stamps[k])
    if (at - begin === rows[k]) continue
    const todo = 'did the file change, or is it damaged? try again'
    throw new RlviError(part.path, `${rows[k]} rows were counted`, at - begin, todo)
  }
}

/** An error of whoever works on the rows is none of the file: a full disk, for one. */
class OfUse extends Error {}

async function ours(use: () => void | Promise<void>): Promise<void> {
  try {
    await use()
  } catch (cause) {
    throw new OfUse('', { cause })
  }
}

function doublesSql(
  part: Part,
  name: string,
  how: Cells,
  numeric: ReadonlySet<string>,
  texts: ReadonlyMap<string, ColumnTexts>,
): string {
  if (numeric.has(name)) return numbersSql(part, name, how)
  return codesSql(part, name, texts.get(name)?.values ?? [])
}

function rowsOf(chunk: DuckDBDataChunk, first: number, doubles: number): ScannedRows {
  return {
    first,
    rows: chunk.rowCount,
    numbers: Array.from(
      { length: doubles },
      (_, j) => (chunk.getColumnVector(j) as unknown as DoubleVector).items,
    ),
    text: (column, row) => chunk.getColumnVector(doubles + column).getItem(row) as string | null,
  }
}
