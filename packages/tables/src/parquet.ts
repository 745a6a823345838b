import type { DuckDBValue } from '@duckdb/node-api'
import { duckdb } from './duckdb.js'
import { quoteName, quoteText } from './sql/duckdb.js'
import type { OutColumn, OutTable } from './write.js'

const ROWS_AT_ONCE = 2048
const { BIGINT, BOOLEAN, DOUBLE, DuckDBDataChunk, DuckDBInstance, VARCHAR } = duckdb
const types = { integer: BIGINT, number: DOUBLE, boolean: BOOLEAN, text: VARCHAR } as const

/** Rows that come in pieces, put aside in a database until all are there. */
export async function writeParquetPieces(
  path: string,
  aside: string,
  columns: readonly Pick<OutColumn, 'name' | 'kind'>[],
  pieces: (add: (piece: OutTable) => void) => Promise<void>,
): Promise<void> {
  const instance = await DuckDBInstance.create(aside)
  try {
    const connection = await instance.connect()
    const definitions = columns.map((column) => `${quoteName(column.name)} ${types[column.kind]}`)
    await connection.run(`create table out (${definitions.join(', ')})`)
    const appender = await connection.createAppender('out')
    const logical = columns.map((column) => types[column.kind])
    await pieces((piece) => {
      for (let from = 0; from < piece.rows; from += ROWS_AT_ONCE) {
        const count = Math.min(ROWS_AT_ONCE, piece.rows - from)
        const chunk = DuckDBDataChunk.create(logical, count)
        piece.columns.forEach((column, j) => {
          chunk.setColumnValues(j, cells(column, from, count))
        })
        appender.appendDataChunk(chunk)
      }
    })
    appender.closeSync()
    // The file is there, as a draft: one more beside it would not be known to its writer.
    await connection.run(`copy out to ${quoteText(path)} (format parquet, use_tmp_file false)`)
  } finally {
    instance.closeSync()
  }
}

function cells(column: OutColumn, from: number, count: number): DuckDBValue[] {
  return Array.from({ length: count }, (_, i) => {
    const value = column.at(from + i)
    if (value === null || Number.isNaN(value)) return null
    return column.kind === 'integer' ? BigInt(value as number) : value
  })
}
