import { extname } from 'node:path'
import { type NewFile, writeAtomic } from '@rlvi/io'
import { RlviError } from 'rlvi'
import { type CsvOptions, csvLines } from './csv.js'
import { writeParquetPieces } from './parquet.js'

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
  return await writePieces(path, ':memory:', table.columns, options, async (add) => await add(table))
}

/**
 * Writes a table that comes in pieces, like `writeTable`. @param aside - a new file in which rows for Parquet wait until all are
 * there, or `:memory:`
 */
export async function writePieces(
  path: string,
  aside: string,
  columns: readonly Pick<OutColumn, 'name' | 'kind'>[],
  options: Pick<CsvOptions, 'spreadsheetSafe'>,
  pieces: (add: (piece: OutTable) => Promise<void>) => Promise<void>,
): Promise<WrittenTable> {
  const ending = extname(path).toLowerCase()
  if (ending !== '.csv' && ending !== '.parquet')
    throw new RlviError(path, 'a file name that ends in .csv or .parquet is needed', ending)
  let formulas = 0
  const onFormula = (): void => void formulas++
  await writeAtomic(path, async (file) => {
    if (ending === '.parquet')
      return await writeParquetPieces(file.path, aside, columns, (add) => pieces(async (piece) => add(piece)))
    const none = columns.map((column) => ({ ...column, at: () => null }))
    await writeCsv(file, { rows: 0, columns: none }, { ...options, onFormula })
    await pieces((piece) => writeCsv(file, piece, { ...options, onFormula, withNames: false }))
  })
  return { formulas }
}

async function writeCsv(file: NewFile, table: OutTable, options: CsvOptions): Promise<void> {
  for (const lines of csvLines(table, options)) await file.write(lines)
}
