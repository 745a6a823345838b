import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { encodingNamed } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'
import type { OtherText, Parted } from '../errors.js'
import { withTabs } from '../sources/parted.js'
import { firstBytes, type InputFile } from './files.js'
import { otherLetters } from './other-letters.js'
import type { TemporaryFiles } from './temporary.js'

/** The encoding of a text file: as it is given, or UTF-16 where its first bytes are of that; undefined for UTF-8. */
export async function encodingOf({ file, format }: InputFile, given?: string): Promise<string | undefined> {
  const named = given === undefined ? undefined : encodingNamed(given)
  if (given !== undefined && named === undefined)
    throw new RlviError('encoding', 'an encoding that is known is needed, such as latin1', given)
  if (format !== 'csv' || named === 'utf-8') return undefined
  const bytes = await firstBytes(file, 64)
  const found = utf16(bytes)
  return named === undefined || named.startsWith('utf-16') ? (found ?? named) : named
}

/** By the mark before it, or by the zeros that it has beside all common letters. */
function utf16(bytes: Buffer): string | undefined {
  const mark = bytes.subarray(0, 2).toString('hex')
  if (mark === 'fffe') return 'utf-16le'
  if (mark === 'feff') return 'utf-16be'
  if (bytes.length < 4) return undefined
  const pairs = Math.floor(bytes.length / 2)
  const zeros = (from: number): number =>
    Array.from({ length: pairs }, (_, i) => bytes[2 * i + from]!).filter((byte) => byte === 0).length
  if (zeros(1) > 0.8 * pairs && zeros(0) === 0) return 'utf-16le'
  return zeros(0) > 0.8 * pairs && zeros(1) === 0 ? 'utf-16be' : undefined
}

/** The same text in UTF-8, with newlines alone at the ends of its lines; where blanks or `::` parted values, with tabs. */
export async function rewritten(
  input: InputFile,
  encoding: string,
  temporary: TemporaryFiles,
  by?: Parted,
): Promise<InputFile> {
  if (/\.zst$/i.test(input.file)) {
    const rule = 'a file of this compression must be in UTF-8, its lines with the same ends'
    throw new RlviError(input.path, rule, phrase('another text'), 'unpack it by unzstd')
  }
  const file = temporary.path('text.csv')
  const bytes = createReadStream(input.file)
  const out = createWriteStream(file, { mode: 0o600 })
  const decode = (source: AsyncIterable<Buffer>): AsyncIterable<string> =>
    by === undefined ? decoded(source, encoding) : parted(decoded(source, encoding), by)
  try {
    if (/\.gz$/i.test(input.file)) await pipeline(bytes, createGunzip(), decode, out)
    else await pipeline(bytes, decode, out)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    const got = phrase('other bytes')
    throw new RlviError(input.path, `text in ${encoding} is needed`, got, 'name another `encoding`')
  }
  return { ...input, rewritten: { file, encoding, parted: by } }
}

/**
 * A file that turned out to have other letters than UTF-8, or lines that end in different ways, in a form that can be
 * read. Such letters are in all probability those that Windows writes in the west.
 */
export async function readable(
  input: InputFile,
  { encoded, parted }: OtherText,
  given: string | undefined,
  temporary: TemporaryFiles,
): Promise<InputFile> {
  if (parted !== undefined && input.rewritten?.parted === undefined)
    return await rewritten(input, input.rewritten?.encoding ?? given ?? 'utf-8', temporary, parted)
  if (input.rewritten !== undefined || (encoded && given !== undefined)) {
    const rule = `text in ${input.rewritten?.encoding ?? given} is needed`
    throw new RlviError(input.path, rule, phrase('other bytes'), 'name another `encoding`')
  }
  if (!encoded) {
    try {
      return await rewritten(input, 'utf-8', temporary)
    } catch (error) {
      if (!(error instanceof RlviError) || given !== undefined) throw error
    }
  }
  const found = await rewritten(input, 'windows-1252', temporary)
  const other = await otherLetters(input.file)
  const remark = `${input.path}: no UTF-8, read as windows-1252 (which has latin-1 in it)${other}; \`encoding\` overrides`
  return { ...found, remarks: [...found.remarks, remark] }
}

/** Tabs in place of what parts values. */
async function* parted(source: AsyncIterable<string>, by: Parted): AsyncIterable<string> {
  const tabs = (line: string): string => withTabs(line, by)
  /** A line that may go on in the next piece. */
  let held = ''
  for await (const text of source) {
    const lines = (held + text).split('\n')
    held = lines.pop()!
    if (lines.length > 0) yield `${lines.map(tabs).join('\n')}\n`
  }
  yield tabs(held)
}

async function* decoded(source: AsyncIterable<Buffer>, encoding: string): AsyncIterable<string> {
  // A sign that stands for broken bytes would be a value that nobody wrote.
  const decoder = new TextDecoder(encoding, { fatal: true })
  /** A return whose newline may be in the next piece. */
  let held = ''
  for await (const bytes of source) {
    const text = held + decoder.decode(bytes, { stream: true })
    held = text.endsWith('\r') ? '\r' : ''
    yield (held === '' ? text : text.slice(0, -1)).replaceAll(/\r\n?/g, '\n')
  }
  yield (held + decoder.decode()).replaceAll(/\r\n?/g, '\n')
}
