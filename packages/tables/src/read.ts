import type { DuckDBDataChunk } from '@duckdb/node-api'
import { type Matrix, matrix, RlviError, sharedMatrix } from 'rlvi'
import { collect } from './collect.js'
import { fromDuckDB } from './errors.js'
import { type Labels, LabelsBuilder } from './labels.js'
import type { Table } from './table.js'

/** Which columns to read, by name, and as what. */
export interface Wanted {
  /** Numeric columns that become one matrix. A row without one of these is missing. */
  readonly matrix: readonly string[]
  /** Numeric columns, each an array of its own. A row without one of these is missing. */
  readonly numbers?: readonly string[]
  /** Text, boolean or any other columns by their text. A row without one of these is missing. */
  readonly labels?: readonly string[]
  /** Those of `numbers` and `labels` that may be empty: NaN or code -1 then. */
  readonly optional?: readonly string[]
  /** A missing value is an error. */
  readonly strict?: boolean
}

export interface Read {
  /** Rows of the file. */
  readonly inputRows: number
  /** The number in the file, from 0, of each row that was read. */
  readonly rows: Int32Array
  readonly matrix: Matrix
  readonly numbers: ReadonlyMap<string, Float64Array>
  readonly labels: ReadonlyMap<string, Labels>
  /** Rows left out because of a missing value, and for each column how many values it misses. */
  readonly dropped: number
  readonly missing: ReadonlyMap<string, number>
}

/** Chunks of 2048 rows that may wait to be freed. */
const COLLECT_EVERY = 32

/**
 * Reads columns into typed arrays, chunk by chunk, in the file's order. NULL and NaN are missing: such rows are left
 * out and counted. An infinity is an error, because it is neither a number to fit nor a gap that someone left.
 */
export async function read(table: Table, wanted: Wanted): Promise<Read> {
  try {
    const inputRows = await countRows(table)
    const reader = new RowReader(wanted, inputRows)
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

export async function countRows(table: Table): Promise<number> {
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
  readonly inputRows: number
  private readonly wide: number
  private readonly names: readonly string[]
  private readonly optional: readonly boolean[]
  private readonly strict: boolean
  private readonly matrix: Matrix
  private readonly numbers: readonly Float64Array[]
  private readonly labels: readonly LabelsBuilder[]
  private readonly rows: Int32Array
  private readonly missing: Int32Array
  private input = 0
  private to = 0

  constructor(wanted: Wanted, inputRows: number) {
    this.inputRows = inputRows
    this.wide = wanted.matrix.length
    const numbers = wanted.numbers ?? []
    const labels = wanted.labels ?? []
    this.names = [...wanted.matrix, ...numbers, ...labels]
    this.optional = this.names.map((name, j) => j >= this.wide && (wanted.optional ?? []).includes(name))
    this.strict = wanted.strict ?? false
    this.matrix = sharedMatrix(inputRows, this.wide)
    this.numbers = numbers.map(() => new Float64Array(inputRows))
    this.labels = labels.map(() => new LabelsBuilder(inputRows))
    this.rows = new Int32Array(inputRows)
    this.missing = new Int32Array(this.names.length)
  }

  add(chunk: DuckDBDataChunk): void {
    const { wide, numbers, labels } = this
    const count = chunk.rowCount
    if (this.input + count > this.inputRows) throw new Error('the file grew while it was read')
    const items: Float64Array[] = []
    for (let j = 0; j < wide + numbers.length; j++) {
      items.push((chunk.getColumnVector(j) as unknown as DoubleVector).items)
    }
    const texts = labels.map((_, k) => chunk.getColumnVector(wide + numbers.length + k))
    const values = this.matrix.values
    for (let i = 0; i < count; i++) {
      let whole = true
      for (let j = 0; j < items.length; j++) {
        const value = items[j]![i]!
        if (j < wide) values[this.to * wide + j] = value
        else numbers[j - wide]![this.to] = value
        if (value - value !== 0 && !this.allows(j, value)) whole = false
      }
      for (let k = 0; k < labels.length; k++) {
        const text = texts[k]!.getItem(i) as string | null
        if (text === null && !this.allows(items.length + k, null)) whole = false
        labels[k]!.set(this.to, text)
      }
      if (whole) this.rows[this.to++] = this.input
      this.input++
    }
  }

  /** A value that is no finite number: counted, and an error where it must be. Whether its row can still be used. */
  private allows(j: number, value: number | null): boolean {
    const where = `row ${this.input}, column ${JSON.stringify(this.names[j])}`
    if (value !== null && !Number.isNaN(value)) {
      const todo = 'fix the value, or leave it empty for missing'
      throw new RlviError(where, 'a finite number is needed', value, todo)
    }
    this.missing[j]!++
    if (this.optional[j]) return true
    if (this.strict) {
      throw new RlviError(
        where,
        'a value is needed',
        'none',
        'fix the row, or drop such rows: leave `strict` out',
      )
    }
    return false
  }

  finish(path: string): Read {
    const n = this.to
    if (this.input !== this.inputRows) {
      throw new RlviError(
        path,
        `${this.inputRows} rows were counted`,
        this.input,
        'did the file change? try again',
      )
    }
    const own = this.matrix.values
    const firstNumber = this.wide
    const firstLabel = this.wide + this.numbers.length
    return {
      inputRows: this.inputRows,
      rows: this.rows.subarray(0, n),
      matrix: matrix(n, this.wide, own.subarray(0, n * this.wide)),
      numbers: new Map(this.numbers.map((all, k) => [this.names[firstNumber + k]!, all.subarray(0, n)])),
      labels: new Map(this.labels.map((all, k) => [this.names[firstLabel + k]!, all.finish(n)])),
      dropped: this.inputRows - n,
      missing: new Map(this.names.map((name, j) => [name, this.missing[j]!])),
    }
  }
}
