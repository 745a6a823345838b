import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import zlib, { createGunzip } from 'node:zlib'
import { phrase, RlviError } from 'rlvi'

/** Lists and objects of a table's values lie in each other a few deep; DuckDB's reader ends the process at some ten thousand. */
const DEEPEST = 500

/**
 * Looks through a JSON file for lists and objects that lie in each other too deep, before DuckDB sees it: its reader goes down
 * by calling itself, and a small file would end the process.
 */
export async function checkDepth(file: string, path: string): Promise<void> {
  let tooDeep: number | undefined
  const look = async (source: AsyncIterable<Buffer>): Promise<void> => {
    const depth = new Depth()
    for await (const bytes of source) tooDeep ??= depth.take(bytes)
  }
  const bytes = createReadStream(file, { highWaterMark: 1 << 20 })
  if (/\.gz$/i.test(path)) await pipeline(bytes, createGunzip(), look)
  else if (/\.zst$/i.test(path)) await pipeline(bytes, unzstd(path), look)
  else await pipeline(bytes, look)
  if (tooDeep === undefined) return
  const rule = `lists and objects in each other, at most ${DEEPEST} deep, are needed`
  throw new RlviError(`${path} line ${tooDeep}`, rule, phrase('deeper ones'), 'fix that line')
}

/** Node has it from 22.15 on. */
function unzstd(path: string): ReturnType<typeof createGunzip> {
  const { createZstdDecompress } = zlib as { createZstdDecompress?: typeof createGunzip }
  if (createZstdDecompress !== undefined) return createZstdDecompress()
  const rule = 'JSON of this compression is read from Node 22.15 on'
  throw new RlviError(path, rule, phrase(process.version), 'unpack it by unzstd')
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const NEWLINE = 0x0a

/** Counts brackets outside of texts. */
class Depth {
  private depth = 0
  private line = 1
  private inText = false
  private escaped = false

  /** The line in which it is too deep. */
  take(bytes: Buffer): number | undefined {
    let { depth, line, inText, escaped } = this
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!
      if (byte === NEWLINE) {
        // No text has a newline in it: what a broken line leaves open must not hide the brackets of the next one.
        line++
        inText = false
        escaped = false
      } else if (inText) {
        if (escaped) escaped = false
        else if (byte === BACKSLASH) escaped = true
        else if (byte === QUOTE) inText = false
      } else if (byte === QUOTE) inText = true
      // [ and {, and what closes them, are two apart.
      else if (byte === 0x5b || byte === 0x7b) {
        if (++depth > DEEPEST) return line
      } else if ((byte === 0x5d || byte === 0x7d) && depth > 0) depth--
    }
    this.depth = depth
    this.line = line
    this.inText = inText
    this.escaped = escaped
    return undefined
  }
}
