import type { DuckDBDataChunk } from '@duckdb/node-api'
import { type CellRules, type Column, cells } from '@rlvi/estimator'
import { type Matrix, RlviError, sharedMatrix } from 'rlvi'
import { collect } from './collect.js'
import { fromDuckDB, HeaderAgain } from './errors.js'
import { LabelsBuilder } from './labels.js'
import { isNamedSql, namesIn, type SomeNames } from './names.js'
import { lookThrough, numbersSql, textSql } from './numeric.js'
import type { Part, Table } from './table.js'

/** Which columns to read, by name, and how their values are written. */
export interface Wanted extends CellRules {
  readonly features: readonly string[]
  /** A column that is read for itself, and lies in no matrix. */
  readonly target?: string | undefined
  /** Features of which the texts are needed only where they may be categories: of names some stand for all. */
  readonly unnamed?: readonly string[] | undefined
}

/** Chunks of 2048 rows that may wait to be freed. */
const COLLECT_EVERY = 32

/**
 * Reads columns chunk by chunk, all rows in their order. A column whose values are all numbers, in every row of the file, is
 * one of numbers, NaN where there is none; all others come by their texts. The features that are numbers are the columns of
 * one matrix, so that a fit can work on it without a copy.
 */
export async function read(table: Table, wanted: Wanted): Promise<Map<string, Column>> {
  const { features, target } = wanted
  const all = target === undefined ? features : [...features, target]
  let path = table.path
  try {
    const { rows, numeric } = await lookThrough(table, all, wanted)
    const matrix = features.filter((name) => numeric.has(name))
    const numbers = target !== undefined && numeric.has(target) ? [target] : []
    const words = all.filter((name) => !numeric.has(name))
    const total = rows.reduce((sum, count) => sum + count, 0)
    const open = words.filter((name) => name !== target && wanted.unnamed?.includes(name) === true)
    const names = await namesIn(table, open, total, cells(wanted))
    const texts = words.filter((name) => !names.has(name))
    const reader = new RowReader({ matrix, numbers, texts, names }, total)
    for (const [k, part] of table.parts.entries()) {
      path = part.path
      await readPart(table, part, wanted, reader)
      reader.checkRows(part.path, rows[k]!)
    }
    const found = reader.finish()
    if (
      numeric.size === 0 &&
      table.parts.some(({ header }) => header !== undefined) &&
      areNamed(texts, found)
    )
      throw new HeaderAgain(table.path)
    return new Map(all.map((name) => [name, marked(found.get(name)!, isText(table, name))]))
  } catch (error) {
    throw fromDuckDB(path, error, 'could not be read')
  }
}

/** Whether each of several columns has its own name among its values. */
function areNamed(texts: readonly string[], found: ReadonlyMap<string, Column>): boolean {
  const hasName = (name: string): boolean => {
    const column = found.get(name)!
    return 'codes' in column && column.values.some((text) => text.trim() === name)
  }
  return texts.length > 1 && texts.every(hasName)
}

function isText({ parts }: Table, name: string): boolean {
  return parts.every(({ columns }) => columns.some((column) => column.name === name && column.asText))
}

function marked(column: Column, asText: boolean): Column {
  return asText && 'codes' in column ? { ...column, asText } : column
}

async function readPart(table: Table, part: Part, rules: CellRules, reader: RowReader): Promise<void> {
  const { matrix, numbers, texts, names } = reader.names
  const how = cells(rules)
  // A missing number is NaN from here on: no validity masks in the inner loop.
  const selected = [
    ...[...matrix, ...numbers].map((name) => numbersSql(part, name, how)),
    ...[...names.keys()].map((name) => isNamedSql(part, name, how)),
    ...texts.map((name) => textSql(part, name)),
  ]
  const sql = `select ${selected.length === 0 ? '0::double' : selected.join(', ')} from ${part.from}`
  const result = await table.connection.stream(sql)
  for (let chunks = 1; ; chunks++) {
    const chunk = await result.fetchChunk()
    if (chunk === null || chunk.rowCount === 0) break
    reader.add(chunk)
    if (chunks % COLLECT_EVERY === 0) collect()
  }
}

/** DuckDB's vector of doubles; its array is there for reading, but its types keep it private. */
interface DoubleVector {
  readonly items: Float64Array
}

/** Columns by how they are kept. */
interface Names {
  readonly matrix: readonly string[]
  readonly numbers: readonly string[]
  readonly texts: readonly string[]
  /** Those whose texts are not brought. */
  readonly names: ReadonlyMap<string, SomeNames>
}

class RowReader {
  readonly names: Names
  private readonly rows: number
  private readonly matrix: Matrix
  private readonly numbers: readonly Float64Array[]
  private readonly labels: readonly LabelsBuilder[]
  private readonly named: readonly Int32Array[]
  private at = 0
  private partsBegin = 0

  constructor(names: Names, rows: number) {
    this.names = names
    this.rows = rows
    this.matrix = sharedMatrix(rows, names.matrix.length)
    this.numbers = names.numbers.map(() => new Float64Array(rows))
    this.labels = names.texts.map(() => new LabelsBuilder(rows))
    this.named = [...names.names.keys()].map(() => new Int32Array(rows))
  }

  add(chunk: DuckDBDataChunk): void {
    const count = chunk.rowCount
    const start = this.at
    if (start + count > this.rows) throw new Error('the file grew while it was read')
    const { cols, values } = this.matrix
    for (let j = 0; j < cols; j++) {
      const items = doubles(chunk, j)
      for (let i = 0; i < count; i++) values[(start + i) * cols + j] = items[i]!
    }
    this.numbers.forEach((column, k) => {
      const items = doubles(chunk, cols + k)
      for (let i = 0; i < count; i++) column[start + i] = items[i]!
    })
    const named = [...this.names.names.values()]
    this.named.forEach((codes, k) => {
      const items = doubles(chunk, cols + this.numbers.length + k)
      // Some texts stand for all, each for as many rows: no fit asks which row has which.
      const { length } = named[k]!.values
      for (let i = 0; i < count; i++) codes[start + i] = items[i] === 1 ? (start + i) % length : -1
    })
    this.labels.forEach((column, k) => {
      const texts = chunk.getColumnVector(cols + this.numbers.length + this.named.length + k)
      for (let i = 0; i < count; i++) column.set(start + i, texts.getItem(i) as string | null)
    })
    this.at += count
  }

  /** After a part: all rows that were counted have come. */
  checkRows(path: string, counted: number): void {
    const got = this.at - this.partsBegin
    if (got !== counted)
      throw new RlviError(
        path,
        `${counted} rows were counted`,
        got,
        'did the file change, or is it damaged? try again',
      )
    this.partsBegin = this.at
  }

  finish(): Map<string, Column> {
    const { matrix, numbers, texts, names } = this.names
    return new Map<string, Column>([
      ...matrix.map((name, column): [string, Column] => [name, { matrix: this.matrix, column }]),
      ...numbers.map((name, k): [string, Column] => [name, this.numbers[k]!]),
      ...texts.map((name, k): [string, Column] => [name, this.labels[k]!.finish()]),
      ...[...names].map(([name, some], k): [string, Column] => [name, { codes: this.named[k]!, ...some }]),
    ])
  }
}

function doubles(chunk: DuckDBDataChunk, column: number): Float64Array {
  return (chunk.getColumnVector(column) as unknown as DoubleVector).items
}
