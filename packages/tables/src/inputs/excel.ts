import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { phrase, RlviError, show } from 'rlvi'
import type { InputFile } from './files.js'
import type { SheetWritten } from './sheets.js'
import type { TemporaryFiles } from './temporary.js'
import { givenMost, tooMuch } from './unpacked.js'

/** A spreadsheet is held in memory: that takes some seven times what it unpacks to, and something for the program. */
const MOST = 2 ** 28
const MEMORY_TIMES = 8
const MEMORY_BESIDES = 2 ** 28

/** A sheet of a spreadsheet as CSV: the one that is named, or the first. */
export async function sheetAsCsv(
  input: InputFile,
  wanted: string | undefined,
  temporary: TemporaryFiles,
): Promise<InputFile> {
  const { path } = input
  const most = givenMost() ?? MOST
  const size = await apart<number>(path, MEMORY_BESIDES, ['size', input.file, String(most)])
  if (size > most) throw tooMuch(path, most)
  const file = temporary.path('sheet.csv')
  const argv = ['csv', input.file, file, ...(wanted === undefined ? [] : [wanted])]
  const found = await apart<SheetWritten>(path, MEMORY_BESIDES + MEMORY_TIMES * size, argv)
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

/** What the process of its own prints. */
function apart<Printed>(path: string, memory: number, argv: readonly string[]): Promise<Printed> {
  const mebibytes = Math.ceil(memory / 2 ** 20)
  const node = [`--max-old-space-size=${mebibytes}`, program(), ...argv]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, node, { encoding: 'utf8', maxBuffer: 2 ** 26 }, (failure, printed, said) => {
      if (failure === null) {
        const found = JSON.parse(printed) as Printed | { readonly error: string }
        const error =
          typeof found === 'object' && found !== null && 'error' in found ? found.error : undefined
        if (error === undefined) resolve(found as Printed)
        else reject(unreadable(path, error))
      } else if (/out of memory|invalid (array|table) (size|length)/i.test(said)) {
        const rule = `cells that take at most ${mebibytes} MiB of memory, for a file of its size, are needed`
        const got = phrase('cells that take more: some may be far from the others')
        reject(new RlviError(path, rule, got, 'save it as CSV'))
      } else reject(failure.code === NO_END ? unreadable(path, 'an archive without an end') : failure)
    })
  })
}

/** How Node ends where nothing more can happen, though something is waited for. */
const NO_END = 13

function unreadable(path: string, why: string): RlviError {
  return new RlviError(path, 'could not be read as a spreadsheet', phrase(why), 'save it as CSV')
}

/** The compiled program, also when this file runs from source, as it does in tests. */
function program(): string {
  return fileURLToPath(new URL('sheets.js', import.meta.url.replace('/src/inputs/', '/dist/inputs/')))
}
