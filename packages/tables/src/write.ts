import { extname } from 'node:path'
import { type NewFile, writeAtomic } from '@rlvi/io'
import { RlviError } from 'rlvi'
import { csvLines } from './csv.js'
import { writeParquet } from './parquet.js'

/** A value to write. */
export type Cell = number | boolean | string | null

/** A column to write: its value in each row, null (or NaN) where there is none. */
export interface OutColumn {
  readonly name: string
  readonly kind: 'integer' | 'number' | 'boolean' | 'text'
  at(row: number): Cell
}

/** A table to write, column by column. */
export interface OutTable {
  readonly rows: number
  readonly columns: readonly OutColumn[]
}

/** Writes CSV or Parquet, by the ending of the name; all of it or nothing. */
export async function writeTable(path: string, table: OutTable): Promise<void> {
  const ending = extname(path).toLowerCase()
  if (ending !== '.csv' && ending !== '.parquet')
    throw new RlviError(path, 'a file name that ends in .csv or .parquet is needed', ending)
  const isParquet = ending === '.parquet'
  await writeAtomic(path, (file) => (isParquet ? writeParquet(file.path, table) : writeCsv(file, table)))
}

async function writeCsv(file: NewFile, table: OutTable): Promise<void> {
  for (const lines of csvLines(table)) await file.write(lines)
}
