import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { copied, type InputFile } from './files.js'
import type { TemporaryFiles } from './temporary.js'

/** A copy of a text file in which its header stands once; undefined where it does so already, or the file is packed. */
export async function withoutHeaders(
  input: InputFile,
  header: string,
  temporary: TemporaryFiles,
): Promise<InputFile | undefined> {
  const whole = input.rewritten?.file ?? input.file
  if (/\.(?:gz|zst)$/i.test(whole) || header.trim() === '') return undefined
  const file = temporary.path('table.csv')
  let found = 0
  const isKept = (line: string): boolean => line.trim() !== header.trim() || found++ === 0
  // Only line feeds part lines: any other sign may stand in a value, and is kept as it is.
  const once = async function* (): AsyncIterable<string> {
    let rest = ''
    for await (const chunk of createReadStream(whole, 'utf8')) {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop()!
      yield lines.flatMap((line) => (isKept(line) ? [line, '\n'] : [])).join('')
    }
    if (isKept(rest)) yield rest
  }
  await pipeline(once, createWriteStream(file, { mode: 0o600 }))
  if (found < 2) return undefined
  const many = found === 2 ? 'a line that repeats' : `${found - 1} lines that repeat`
  return copied(input, file, `left out ${many} the header; rows are counted without them`)
}
