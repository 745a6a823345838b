import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createGunzip } from 'node:zlib'
import { unreadable } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'

const BLOCK = 512
const damaged = 'get it again: it is damaged or was cut off'

/**
 * Unpacks the files of a .tar.gz for which `place` gives a path, and returns their names. Names that could lead out of a
 * folder are refused, wherever `place` would put them. Folders are made as files need them; links are not followed or made.
 */
export async function unpack(
  archive: string,
  place: (name: string) => string | undefined,
): Promise<string[]> {
  const source = createReadStream(archive)
  const gunzip = createGunzip()
  source.on('error', (error) => gunzip.destroy(error))
  const blocks = new Blocks(archive, source.pipe(gunzip)[Symbol.asyncIterator]())
  const names: string[] = []
  let longName: string | undefined
  try {
    for (let header = await blocks.header(); header !== undefined; header = await blocks.header()) {
      const { name, size, type } = parseHeader(archive, header)
      if (type === 'x' || type === 'L') {
        // A name too long for the header comes as a member of its own, before the file.
        longName = longNameIn(await blocks.take(archive, size), type) ?? longName
        continue
      }
      const full = safeName(archive, longName ?? name)
      if (type !== 'g') longName = undefined
      const path = type === '0' ? place(full) : undefined
      if (path === undefined) await blocks.skip(size)
      else {
        await blocks.write(path, size)
        names.push(full)
      }
    }
  } catch (error) {
    if (error instanceof RlviError) throw error
    const { code, message } = error as { code?: string; message: string }
    if (code?.startsWith('Z_'))
      throw new RlviError(archive, 'a whole .tar.gz is needed', phrase(message), damaged)
    throw unreadable(archive, error)
  } finally {
    source.destroy()
    gunzip.destroy()
  }
  return names
}

/** A relative name without a way up, with forward slashes. */
export function safeName(archive: string, name: string): string {
  const parts = name.split('/')
  if (
    name === '' ||
    name.includes('\0') ||
    name.includes('\\') ||
    /^\/|^[a-z]:/i.test(name) ||
    parts.includes('..')
  )
    throw new RlviError(archive, 'names inside the folder are needed', name, 'do not unpack this archive')
  return parts.filter((part) => part !== '' && part !== '.').join('/')
}

function parseHeader(archive: string, block: Uint8Array): { name: string; size: number; type: string } {
  const text = (from: number, length: number): string =>
    Buffer.from(block.subarray(from, from + length))
      .toString('utf8')
      .replace(/\0.*$/s, '')
  const octal = (from: number, length: number): number => {
    const digits = text(from, length).trim()
    return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN
  }
  // The sum of the header's bytes, its own eight taken as spaces.
  let sum = 8 * 32
  for (const [i, byte] of block.entries()) if (i < 148 || i >= 156) sum += byte
  const size = octal(124, 12)
  if (octal(148, 8) !== sum || Number.isNaN(size))
    throw new RlviError(archive, 'a tar archive is needed', phrase('a header that is none'), damaged)
  const prefix = text(257, 5) === 'ustar' ? text(345, 155) : ''
  const name = text(0, 100)
  const type = text(156, 1)
  return { name: prefix === '' ? name : `${prefix}/${name}`, size, type: type === '' ? '0' : type }
}

/** From a pax header, or GNU's. */
function longNameIn(content: Uint8Array, type: 'x' | 'L'): string | undefined {
  const text = Buffer.from(content).toString('utf8')
  return type === 'L' ? text.replace(/\0.*$/s, '') : /^\d+ path=(.*)$/m.exec(text)?.[1]
}

/** A stream of bytes, read in pieces of the sizes that tar asks for. */
class Blocks {
  private piece: Uint8Array = new Uint8Array()
  private readonly archive: string
  private readonly bytes: AsyncIterator<Uint8Array>

  constructor(archive: string, bytes: AsyncIterator<Uint8Array>) {
    this.archive = archive
    this.bytes = bytes
  }

  /** The next header, or undefined at the end: a block of zeros, or no more bytes. */
  async header(): Promise<Uint8Array | undefined> {
    if (!(await this.more())) return undefined
    const block = await this.take(this.archive, BLOCK, BLOCK)
    return block.some((byte) => byte !== 0) ? block : undefined
  }

  /** A whole member in memory. */
  async take(where: string, size: number, most = 2 ** 16): Promise<Uint8Array> {
    if (size > most)
      throw new RlviError(where, `at most ${most} bytes are expected in a header`, size, damaged)
    const out = new Uint8Array(size)
    let at = 0
    await this.each(size, async (part) => {
      out.set(part, at)
      at += part.length
    })
    return out
  }

  async skip(size: number): Promise<void> {
    await this.each(size, async () => undefined)
  }

  async write(path: string, size: number): Promise<void> {
    await mkdir(dirname(path), { recursive: true })
    let file: FileHandle | undefined
    try {
      // Never over a file that is there: an archive that has a name twice is refused.
      file = await open(path, 'wx')
      const out = file
      await this.each(size, async (part) => {
        await out.writeFile(part)
      })
    } finally {
      await file?.close()
    }
  }

  /** The next `size` bytes, part by part, and past what fills the last block. */
  private async each(size: number, use: (part: Uint8Array) => Promise<void>): Promise<void> {
    await this.consume(size, use)
    await this.consume((BLOCK - (size % BLOCK)) % BLOCK, async () => undefined)
  }

  private async consume(size: number, use: (part: Uint8Array) => Promise<void>): Promise<void> {
    for (let left = size; left > 0; ) {
      if (!(await this.more()))
        throw new RlviError(this.archive, 'a whole archive is needed', phrase('its beginning'), damaged)
      const part = this.piece.subarray(0, left)
      this.piece = this.piece.subarray(part.length)
      left -= part.length
      await use(part)
    }
  }

  private async more(): Promise<boolean> {
    while (this.piece.length === 0) {
      const next = await this.bytes.next()
      if (next.done === true) return false
      this.piece = next.value
    }
    return true
  }
}
