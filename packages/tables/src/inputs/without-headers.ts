import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import type { InputFile } from './files.js'
import type { TemporaryFiles } from './temporary.js'

/** A copy of a text file in which its header stands once; undefined where it does so already, or the file is packed. */
export async function withoutHeaders(
  input: InputFile,
  header: string,
  temporary: TemporaryFiles,
): Promise<InputFile | undefined> {
  const whole = input.rewritten?.file ?? input.file
  if (/\.(?:gz|zst)$/i.test(whole)) return undefined
  const file = temporary.path('table.csv')
  let found = 0
  const once = async function* (): AsyncIterable<string> {
    for await (const line of createInterface({ input: createReadStream(whole), crlfDelay: 2 }))
      if (line.trim() !== header.trim() || found++ === 0) yield `${line}\n`
  }
  await pipeline(once, createWriteStream(file, { mode: 0o600 }))
  if (found < 2) return undefined
  const many = found === 2 ? 'a line that repeats' : `${found - 1} lines that repeat`
  const remarks = [
    ...input.remarks,
    `${input.path}: left out ${many} the header; rows are counted without them`,
  ]
  if (input.rewritten === undefined) return { ...input, file, remarks }
  return { ...input, rewritten: { ...input.rewritten, file }, remarks }
}
