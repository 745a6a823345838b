import { open } from 'node:fs/promises'
import { isTotal } from '@rlvi/estimator'
import { fields } from '@rlvi/io'
import { isRule } from './above.js'

/** Notes are short: what goes on for longer is a table of another form, unless a line is drawn above it. */
const MOST_LINES = 20
const TAIL = 16_384

/** Notes below a table of CSV: where the table ends, in bytes, and what they are. */
export interface Below {
  readonly end: number
  readonly notes: readonly string[]
}

interface Line {
  readonly text: string
  readonly start: number
}

/**
 * Finds notes below the last row: a line that is drawn, lines without a delimiter behind an empty line, or which say that they are notes, as
 * `Source: …` and psql's `(250 rows)` do, or several lines with one value each. The beginning of a row, where a file was cut off, is none.
 */
export async function linesBelow(file: string, delimiter: string, width: number): Promise<Below | undefined> {
  if (width < 2 || /\.(?:gz|zst)$/i.test(file)) return undefined
  const lines = await lastLines(file)
  const isBlank = ({ text }: Line): boolean => fields(text, delimiter).every((cell) => cell.trim() === '')
  // Quotes that are not in pairs end a value that goes over several lines, or begin one.
  const isNote = ({ text }: Line): boolean =>
    isDrawn(text) ||
    (fields(text, delimiter).length < Math.max(2, width / 2) &&
      /\p{L}/u.test(text) &&
      text.split('"').length % 2 === 1)
  let first = lines.length
  while (first > 0 && (isBlank(lines[first - 1]!) || isNote(lines[first - 1]!))) first--
  const below = lines.slice(first)
  const notes = below.filter((line) => !isBlank(line))
  const [note] = notes
  if (note === undefined || first === 0) return undefined
  if (notes.length > MOST_LINES && !isDrawn(note.text)) return undefined
  if (fields(lines[first - 1]!.text, delimiter).length !== width) return undefined
  // A file that was cut off ends in one line that is too short, not in several.
  const areLines = notes.length > 1 && notes.every(({ text }) => fields(text, delimiter).length === 1)
  const isApart = isBlank(below[0]!) || saysNote.test(note.text) || isDrawn(note.text) || areLines
  return isApart ? { end: below[0]!.start, notes: notes.map(({ text }) => text.trim()) } : undefined
}

/** A line that is drawn, also in quotes, as programs have it that quote all they write. */
function isDrawn(text: string): boolean {
  return isRule(text.trim().replace(/^"(.*)"$/, '$1'))
}

/** What the last rows begin with, where that says that they sum up the others: of a column of names no fit sees it. */
export async function sumsBelow(file: string, delimiter: string): Promise<readonly string[]> {
  if (/\.(?:gz|zst)$/i.test(file)) return []
  const lines = (await lastLines(file)).filter(({ text }) => text.trim() !== '')
  const names = lines.map(({ text }) => fields(text, delimiter)[0]!.trim())
  return names.slice(names.findLastIndex((name) => !isTotal(name)) + 1)
}

const saysNote = /^\s*(?:[#*©†]|(?:data )?source|quelle|fuente|fonte|notes?\b|anmerkung|\(\d+ rows?\))/i

/** By bytes, of which each is a sign: so places in a line are places in the file. */
async function lastLines(file: string): Promise<Line[]> {
  const opened = await open(file)
  try {
    const { size } = await opened.stat()
    const from = Math.max(0, size - TAIL)
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(size - from), 0, size - from, from)
    const text = buffer.toString('latin1', 0, bytesRead)
    const lines = [...text.matchAll(/([^\r\n]*)(?:\r\n|\n|\r|$)/g)].map((found) => ({
      text: Buffer.from(found[1]!, 'latin1').toString('utf8'),
      start: from + found.index,
    }))
    // The first may be the end of a line, and the last is what follows the last end.
    return from > 0 ? lines.slice(1) : lines
  } finally {
    await opened.close()
  }
}
