import { phrase, RlviError, show } from 'rlvi'
import { apart } from './apart.js'
import type { InputFile } from './files.js'
import type { SheetWritten } from './sheet-file.js'
import type { TemporaryFiles } from './temporary.js'
import { givenMost, tooMuch } from './unpacked.js'

/** A spreadsheet is held in memory: that takes some seven times what it unpacks to, and something for the program. */
const MOST = 2 ** 28
const MEMORY_TIMES = 8
const MEMORY_BESIDES = 2 ** 28
const WHAT = 'a spreadsheet'

/** A sheet of a spreadsheet as CSV: the one that is named, or the first. */
export async function sheetAsCsv(
  input: InputFile,
  wanted: string | undefined,
  temporary: TemporaryFiles,
): Promise<InputFile> {
  const { path } = input
  const most = givenMost() ?? MOST
  const size = await apart<number>('sheets', path, WHAT, MEMORY_BESIDES, ['size', input.file, String(most)])
  if (size > most) throw tooMuch(path, most)
  const file = temporary.path('sheet.csv')
  const argv = ['csv', input.file, file, ...(wanted === undefined ? [] : [wanted])]
  const found = await apart<SheetWritten>('sheets', path, WHAT, MEMORY_BESIDES + MEMORY_TIMES * size, argv)
  const names = found.names.map(show).join(', ')
  if (found.written === undefined) {
    const todo = `choose \`table\`, one of: ${names}`
    throw new RlviError(path, 'a sheet of that name is needed', wanted, todo)
  }
  if (found.isEmpty)
    throw new RlviError(path, 'a header and rows are needed', phrase(`an empty sheet ${show(found.written)}`))
  const remark = `${path}: read sheet ${show(found.written)} of ${names}; \`table\` chooses another`
  return {
    ...input,
    format: 'csv',
    isSheet: true,
    rewritten: { file, encoding: 'utf-8' },
    remarks: wanted === undefined && found.names.length > 1 ? [...input.remarks, remark] : input.remarks,
  }
}
