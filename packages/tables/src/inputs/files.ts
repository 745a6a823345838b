import { createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { systemError } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'
import type { Parted } from '../errors.js'
import { quoteText } from '../sql/duckdb.js'
import { type Format, formatOf } from './format.js'
import type { TemporaryFiles } from './temporary.js'
import { checkUnpacked, unpackTo } from './unpacked.js'

/** A file to read. */
export interface InputFile {
  /** What the user calls it. */
  readonly path: string
  /** Where its bytes are. */
  readonly file: string
  /** Where its text is in UTF-8, with newlines alone, and tabs where blanks or `::` parted values: it had to be written anew, from this encoding. */
  readonly rewritten?: {
    readonly file: string
    readonly encoding: string
    readonly parted?: Parted | undefined
  }
  readonly format: Format
  /** Whether it was a sheet of a spreadsheet. */
  readonly isSheet?: boolean
  /** Whether it was a table whose columns have names. */
  readonly isTable?: boolean
  readonly remarks: readonly string[]
}

/** A file that is read from a copy without some of its lines, as the remark says. */
export function copied(input: InputFile, file: string, remark: string): InputFile {
  const remarks = [...input.remarks, `${input.path}: ${remark}`]
  if (input.rewritten === undefined) return { ...input, file, remarks }
  return { ...input, rewritten: { ...input.rewritten, file }, remarks }
}

/** The files that are meant: `-` is stdin, and a pattern stands for all files that match it, in the order of their names. */
export async function inputFiles(
  paths: readonly string[],
  connection: DuckDBConnection,
  temporary: TemporaryFiles,
): Promise<InputFile[]> {
  if (paths.filter((path) => path === '-').length > 1)
    throw new RlviError('-', 'stdin can be read once', phrase('it twice'))
  const found: InputFile[] = []
  for (const path of paths) {
    if (path === '-') found.push(await fromStdin(temporary))
    else
      for (const name of await matches(path, connection)) {
        found.push(await fromDisk(name))
        await checkUnpacked(name)
      }
  }
  return found
}

async function matches(path: string, connection: DuckDBConnection): Promise<string[]> {
  if (/^(https?|s3|gs|ftp):\/\//i.test(path)) {
    const todo = `fetch it first: curl -o FILE.csv ${path}`
    throw new RlviError(path, 'a file on this machine is needed', phrase('an address'), todo)
  }
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (isThere || !/[*?[]/.test(path)) return [path]
  const found = await connection.runAndReadAll(`select file from glob(${quoteText(path)}) order by file`)
  const names = found.getRows().map(([name]) => String(name))
  if (names.length > 0) return names
  throw new RlviError(path, 'files that match are needed', phrase('none'), 'check the pattern')
}

async function fromDisk(path: string): Promise<InputFile> {
  try {
    const found = await stat(path)
    if (!found.isFile())
      throw new RlviError(path, 'a file is needed', found.isDirectory() ? 'a folder' : 'a device')
    if (found.size === 0) {
      throw new RlviError(path, 'a header and rows are needed', 'an empty file', 'was it written completely?')
    }
  } catch (error) {
    if (error instanceof RlviError) throw error
    const got = phrase(systemError(error))
    throw new RlviError(path, 'a file that can be read is needed', got, 'check the name')
  }
  return { path, file: path, format: formatOf(path), remarks: [] }
}

/** All that comes, kept in a file, since it is read more than once. Its first bytes say what it is. */
async function fromStdin(temporary: TemporaryFiles): Promise<InputFile> {
  let file = temporary.path('stdin')
  await pipeline(process.stdin, createWriteStream(file, { mode: 0o600 }))
  if ((await firstBytes(file, 2)).toString('hex') === '1f8b') {
    const unpacked = temporary.path('stdin')
    await unpackTo(file, 'stdin', createWriteStream(unpacked, { mode: 0o600 }))
    file = unpacked
  }
  const first = await firstBytes(file, 64)
  if (first.length === 0)
    throw new RlviError(
      'stdin',
      'a header and rows are needed',
      phrase('nothing'),
      'did the program before it fail?',
    )
  const text = first.toString('latin1')
  return { path: 'stdin', file, format: formatBy(text), remarks: [] }
}

/** What a file is, by its beginning. */
function formatBy(text: string): Format {
  if (text.startsWith('PAR1')) return 'parquet'
  if (text.startsWith('PK\x03\x04')) return 'excel'
  if (text.startsWith('ARROW1')) return 'arrow'
  return /^(?:ï»¿)?\s*[[{]/.test(text) ? 'json' : 'csv'
}

/** The first bytes of a file, fewer where it has no more. */
export async function firstBytes(file: string, count: number): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(count), 0, count, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
