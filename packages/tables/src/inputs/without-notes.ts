import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { show } from 'rlvi'
import type { NotesBelow } from '../errors.js'
import { copied, type InputFile } from './files.js'
import type { TemporaryFiles } from './temporary.js'

/** A copy of a file that ends where its table does. */
export async function withoutNotes(
  input: InputFile,
  { below: { end, notes } }: NotesBelow,
  temporary: TemporaryFiles,
): Promise<InputFile> {
  const file = temporary.path('table.csv')
  const whole = input.rewritten?.file ?? input.file
  await pipeline(createReadStream(whole, { end: end - 1 }), createWriteStream(file, { mode: 0o600 }))
  const many = notes.length === 1 ? 'line' : `${notes.length} lines`
  // The first that has words says more than a line that is drawn.
  const telling = notes.find((note) => /\p{L}/u.test(note)) ?? notes[0]!
  const which = `${show(telling.replace(/^"([^"]*)"$/, '$1'))}${notes.length > 1 ? ', …' : ''}`
  return copied(input, file, `left out the last ${many}, a note below the table (${which})`)
}
