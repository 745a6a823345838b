import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { phrase, RlviError, show } from 'rlvi'
import type { Entry } from 'unzipper-esm'
import type { InputFile } from './files.js'
import type { SheetsFound } from './sheets.js'
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
  const file = temporary.path('sheet.csv')
  const memory = MEMORY_BESIDES + MEMORY_TIMES * (await unpackedSize(input, most))
  const found = await readSheets(input.file, file, memory, wanted)
  if (found === 'memory') {
    const rule = `cells that take at most ${Math.ceil(memory / 2 ** 20)} MiB of memory, for a file of its size, are needed`
    const got = phrase('cells that take more: some may be far from the others')
    throw new RlviError(path, rule, got, 'save it as CSV')
  }
  if ('error' in found) throw unreadable(path, found.error)
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

function unreadable(path: string, why: string): RlviError {
  return new RlviError(path, 'could not be read as a spreadsheet', phrase(why), 'save it as CSV')
}

/** All that is in the archive: as it says itself, for so much room will be made, and as it is. */
async function unpackedSize({ file, path }: InputFile, most: number): Promise<number> {
  const { Parse } = await import('unzipper-esm')
  const source = createReadStream(file)
  let said = 0
  let unpacked = 0
  return new Promise<number>((resolve, reject) => {
    const size = (): number => Math.max(said, unpacked)
    const failed = ({ message }: Error): void => reject(unreadable(path, message))
    const check = (): void => {
      if (size() > most) reject(tooMuch(path, most))
    }
    source
      .on('error', failed)
      .pipe(Parse())
      .on('error', failed)
      .on('finish', () => resolve(size()))
      .on('entry', (entry: Entry) => {
        said += (entry.vars as { uncompressedSize?: number }).uncompressedSize ?? 0
        check()
        entry.on('error', failed).on('data', (piece: Buffer) => {
          unpacked += piece.length
          check()
        })
      })
  }).finally(() => source.destroy())
}

/** By a process of its own, which may run out of memory: this one must not. */
function readSheets(
  file: string,
  out: string,
  memory: number,
  wanted: string | undefined,
): Promise<SheetsFound | 'memory'> {
  const limit = `--max-old-space-size=${Math.ceil(memory / 2 ** 20)}`
  const argv = [limit, program(), file, out, ...(wanted === undefined ? [] : [wanted])]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, argv, { encoding: 'utf8', maxBuffer: 2 ** 26 }, (error, printed, said) => {
      if (error === null) resolve(JSON.parse(printed) as SheetsFound)
      else if (/out of memory|invalid (array|table) (size|length)/i.test(said)) resolve('memory')
      else reject(error)
    })
  })
}

/** The compiled program, also when this file runs from source, as it does in tests. */
function program(): string {
  return fileURLToPath(new URL('sheets.js', import.meta.url.replace('/src/inputs/', '/dist/inputs/')))
}
