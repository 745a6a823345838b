import { phrase, RlviError, show } from 'rlvi'
import type { Below } from './sources/below.js'

/** What parts values that no single sign does: blanks, so that they stand below each other, two colons, carets between texts in tildes, or the places where columns begin. */
export type Parted = 'blanks' | '::' | '^' | readonly number[]

/**
 * The bytes of a text file are not what its reader takes: no UTF-8, lines that end in different ways, or values that
 * blanks or `::` part. The remedy is to write it anew, in UTF-8, with newlines alone and tabs between values, and to read that.
 */
export class OtherText extends Error {
  override readonly name: string = 'OtherText'
  readonly path: string
  /** Whether the letters are in another encoding than UTF-8. */
  readonly encoded: boolean
  readonly parted: Parted | undefined

  constructor(path: string, encoded: boolean, parted?: Parted) {
    super(`${path}: ${encoded ? 'other letters than UTF-8' : 'lines of another form'}`)
    this.path = path
    this.encoded = encoded
    this.parted = parted
  }
}

/** Notes stand below a table, which its reader would take for rows. The remedy is to read a copy without them. */
export class NotesBelow extends Error {
  override readonly name: string = 'NotesBelow'
  readonly path: string
  readonly below: Below

  constructor(path: string, below: Below) {
    super(`${path}: notes below the table`)
    this.path = path
    this.below = below
  }
}

/** The names of columns stand among their values: files were put together, each with its header. The remedy is to read a copy in which it stands once. */
export class HeaderAgain extends RlviError {
  override readonly name: string = 'HeaderAgain'

  constructor(path: string) {
    const got = phrase('the names of the columns among their values, too')
    super(path, 'one header is needed, above the rows', got, 'take the lines out that repeat it')
  }
}

/** DuckDB's errors as ours: by line where it knows one, without its class, and no query of ours in it. */
export function fromDuckDB(path: string, error: unknown, rule: string): Error {
  if (error instanceof RlviError || error instanceof OtherText || error instanceof NotesBelow) return error
  const message = error instanceof Error ? error.message : String(error)
  if (/not utf-8 encoded/i.test(message)) return new OtherText(path, true)
  if (message.includes('state machine reached an invalid state')) return new OtherText(path, false)
  // Of Parquet a whole group of rows is unpacked at once, and each thread has one.
  const full = /Out of Memory Error.*\(([\d.]+ \w+\/[\d.]+ \w+) used\)/s.exec(message)?.[1]
  if (full !== undefined)
    return new RlviError(
      path,
      rule,
      phrase(`no memory left (${full})`),
      'allow more `memory`, or write the file in smaller groups of rows',
    )
  const alike = /Duplicate name "(.*)" in struct/.exec(message)?.[1]
  if (alike !== undefined) return keysAlike(path, alike)
  if (/No magic bytes found at end of file|too small to be a Parquet file/.test(message)) {
    const todo = 'it was cut off on its way, or is a file of another kind: get it anew'
    return new RlviError(path, rule, phrase('no end of a Parquet file'), todo)
  }
  return inLine(path, message) ?? new RlviError(path, rule, phrase(firstWords(message)))
}

/** DuckDB does not tell capitals from other letters in names. */
export function keysAlike(path: string, key: string): RlviError {
  return new RlviError(
    path,
    'keys of an object must differ in more than capitals',
    key,
    'rename one of the two',
  )
}

/** What is wrong with a line of CSV. */
function inLine(path: string, message: string): RlviError | undefined {
  const line = /^Invalid Input Error: CSV Error on Line: (\d+)/.exec(message)?.[1]
  if (line === undefined) return undefined
  const where = `${path} line ${line}`
  const [, wanted, got] = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message) ?? []
  if (wanted !== undefined) {
    const rule = `every line must have ${wanted} values like the header`
    const [, line1 = ''] = /^Original Line:\s*(.+)$/m.exec(message) ?? []
    // DuckDB counts no further than the first that is too many.
    const count = Number(got) > Number(wanted) ? phrase('more') : Number(got)
    // Where the header has one value it may be a title, far above the table.
    const isAbove = line === '2' || wanted === '1'
    const skip =
      line === '2'
        ? '; if the first line is no header, `skip` 1 leaves it out'
        : `; if the table begins in that line, \`skip\` ${Number(line) - 1} leaves out what is above it`
    if (got !== '1' || !/\p{L}/u.test(line1))
      return new RlviError(where, rule, count, `fix that line${isAbove ? skip : ''}`)
    const todo = 'fix that line; if it is a note below the table, take it out with all that follows'
    return new RlviError(where, rule, phrase(`1, ${show(line1.trim())}`), todo)
  }
  if (!/unterminated quote/.test(message)) return undefined
  const got2 = phrase('one that does not, or text behind it')
  return new RlviError(where, 'a quote must end, and the value with it', got2, 'fix that line')
}

function firstWords(message: string): string {
  const lines = message
    .replace(/^([A-Z]\w+ )+Error: /, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('Original Line'))
  const [first = '', second = ''] = lines
  const line = /^CSV Error on Line/.test(first) ? `${first.replace('CSV Error on ', '')}: ${second}` : first
  return line.replace(/ in file '.*'$/, '').trim()
}
