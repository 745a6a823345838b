import type { DuckDBDataChunk } from '@duckdb/node-api'
import { type Matrix, RlviError, sharedMatrix } from 'rlvi'
import { collect } from './collect.js'
import { fromDuckDB } from './errors.js'
import { type Labels, LabelsBuilder } from './labels.js'
import type { Table } from './table.js'

/** Which columns to read, by name, and as what. */
export interface Wanted {
  /** Numeric columns that become one matrix. */
  readonly matrix: readonly string[]
  /** Numeric columns, each an array of its own. */
  readonly numbers?: readonly string[]
  /** Text, boolean or any other columns by their text. */
  readonly labels?: readonly string[]
}

/** All rows of a file, in its order. A missing number is NaN, a missing text has the code -1. */
export interface Read {
  readonly rows: number
  readonly matrix: Matrix
  readonly numbers: ReadonlyMap<string, Float64Array>
  readonly labels: ReadonlyMap<string, Labels>
}

/** Chunks of 2048 rows that may wait to be freed. */
const COLLECT_EVERY = 32

/** Reads columns into typed arrays, chunk by chunk. */
export async function read(table: Table, wanted: Wanted): Promise<Read> {
  try {
    const reader = new RowReader(wanted, await countRows(table))
    const sql = `select ${selection(table, wanted)} from ${table.from}`
    const result = await table.connection.stream(sql)
    for (let chunks = 1; ; chunks++) {
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) break
      reader.add(chunk)
      if (chunks % COLLECT_EVERY === 0) collect()
    }
    return reader.finish(table.path)
  } catch (error) {
    throw fromDuckDB(table.path, error, 'could not be read')
  }
}

/** How many rows the table has, by a scan of its own. */
async function countRows(table: Table): Promise<number> {
  const counted = await table.connection.runAndReadAll(`select count(*) from ${table.from}`)
  return Number(counted.getRows()[0]?.[0])
}

function selection(table: Table, wanted: Wanted): string {
  const alias = (name: string): string => `c${table.columns.findIndex((column) => column.name === name)}`
  // A missing number is NaN from here on: no validity masks in the inner loop.
  const asNumber = (name: string): string => `coalesce(${alias(name)}::double, 'nan'::double)`
  const asText = (name: string): string => `${alias(name)}::varchar`
  const all = [
    ...wanted.matrix.map(asNumber),
    ...(wanted.numbers ?? []).map(asNumber),
    ...(wanted.labels ?? []).map(asText),
  ]
  return all.length === 0 ? '0::double' : all.join(', ')
}

/** DuckDB's vector of doubles; its array is there for reading, but its types keep it private. */
interface DoubleVector {
  readonly items: Float64Array
}

class RowReader {
  private readonly rows: number
  private readonly wanted: Wanted
  private readonly matrix: Matrix
  private readonly numbers: readonly Float64Array[]
  private readonly labels: readonly LabelsBuilder[]
  private at = 0

  constructor(wanted: Wanted, rows: number) {
    this.rows = rows
    this.wanted = wanted
    this.matrix = sharedMatrix(rows, wanted.matrix.length)
    this.numbers = (wanted.numbers ?? []).map(() => new Float64Array(rows))
    this.labels = (wanted.labels ?? []).map(() => new LabelsBuilder(rows))
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
    this.labels.forEach((column, k) => {
      const texts = chunk.getColumnVector(cols + this.numbers.length + k)
      for (let i = 0; i < count; i++) column.set(start + i, texts.getItem(i) as string | null)
    })
    this.at += count
  }

  finish(path: string): Read {
    const { rows, wanted } = this
    if (this.at !== rows) {
      throw new RlviError(path, `${rows} rows were counted`, this.at, 'did the file change? try again')
    }
    return {
      rows,
      matrix: this.matrix,
      numbers: new Map(this.numbers.map((column, k) => [wanted.numbers![k]!, column])),
      labels: new Map(this.labels.map((column, k) => [wanted.labels![k]!, column.finish()])),
    }
  }
}

function doubles(chunk: DuckDBDataChunk, column: number): Float64Array {
  return (chunk.getColumnVector(column) as unknown as DoubleVector).items
}
