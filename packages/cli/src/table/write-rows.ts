import { type OutTable, writeTable } from '@rlvi/tables'
import type { Io } from '../terminal/io.js'

/** Writes a table that was asked for; a remark says where a spreadsheet program would take texts of it for formulas. */
export async function writeRows(
  path: string,
  table: OutTable,
  { spreadsheetSafe }: { readonly spreadsheetSafe: boolean },
  io: Io,
): Promise<void> {
  const { formulas } = await writeTable(path, table, { spreadsheetSafe })
  formulasRemark(path, formulas, { spreadsheetSafe }, io)
}

export function formulasRemark(
  path: string,
  formulas: number,
  { spreadsheetSafe }: { readonly spreadsheetSafe: boolean },
  io: Io,
): void {
  if (formulas === 0 || spreadsheetSafe) return
  const texts = formulas === 1 ? '1 text begins' : `${formulas} texts begin`
  io.remark(
    `${path}: ${texts} like a formula (= + - @), which a spreadsheet program would run; --spreadsheet-safe prevents that`,
  )
}
