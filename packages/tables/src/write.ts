import { extname } from 'node:path'
import { type NewFile, writeAtomic } from '@rlvi/io'
import { RlviError } from 'rlvi'
import { type CsvOptions, csvLines } from './csv.js'
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

/** What was written. */
export interface WrittenTable {
  /** Texts in CSV that a spreadsheet program would take for formulas, made harmless or not. */
  readonly formulas: number
}

/** Writes CSV or Parquet, by the ending of the name; all of it or nothing. */
export async function writeTable(
  path: string,
  table: OutTable,
  options: Pick<CsvOptions, 'spreadsheetSafe'> = {},
): Promise<WrittenTable> {
  const ending = extname(path).toLowerCase()
  if (ending !== '.csv' && ending !== '.parquet')
    throw new RlviError(path, 'a file name that ends in .csv or .parquet is needed', ending)
  const isParquet = ending === '.parquet'
  let formulas = 0
  const count = (): void => void formulas++
  await writeAtomic(path, (file) =>
    isParquet ? writeParquet(file.path, table) : writeCsv(file, table, { ...options, onFormula: count }),
  )
  return { formulas }
}

async function writeCsv(file: NewFile, table: OutTable, options: CsvOptions): Promise<void> {
  for (const lines of csvLines(table, options)) await file.write(lines)
}
