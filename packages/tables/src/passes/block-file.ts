import { type FileHandle, open, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Left free on the disk, whatever the file needs. */
const SPARE = 2 ** 30

/** Rows of one block: enough for the kernels to be busy, few enough to stay in a cache. */
export const COPY_ROWS = 16_384

/** What is done with each block: its numbers, good until the next but one comes, its rows, and the place of the first. */
export type EachRead = (values: Float64Array, rows: number, first: number) => void | Promise<void>

/**
 * Numbers of rows in a file, block by block, as they lie in memory: to read it again costs a fraction of what parsing or
 * unpacking a table does. It is removed when it is closed.
 */
export class BlockFile {
  private readonly path: string
  private readonly file: FileHandle
  private readonly perRow: number
  private rows = 0
  private writing: Promise<unknown> = Promise.resolve()
  private failed = false

  constructor(path: string, file: FileHandle, perRow: number) {
    this.path = path
    this.file = file
    this.perRow = 8 * perRow
  }

  /**
   * The same file for what is made of its own rows, block by block: what is written lies behind what was read, so that it takes no
   * room. Undefined where rows get longer. The new one is to be closed in place of this one.
   */
  over(perRow: number): BlockFile | undefined {
    return 8 * perRow <= this.perRow ? new BlockFile(this.path, this.file, perRow) : undefined
  }

  /** Writes a block, full but for the last one; its arrays may be used again once the next block is written. */
  async write(rows: number, parts: readonly Float64Array[]): Promise<void> {
    await this.writing
    let at = this.rows * this.perRow
    this.rows += rows
    this.writing = (async () => {
      for (const { buffer, byteOffset, byteLength } of parts) {
        await writeAll(this.file, new Uint8Array(buffer, byteOffset, byteLength), at)
        at += byteLength
      }
    })().catch(() => {
      // A full disk, for instance: the rows are where they were.
      this.failed = true
    })
  }

  /** The number of the open file, by which other threads read it. */
  get fd(): number {
    return this.file.fd
  }

  /** Whether all that was written is there. */
  async finish(): Promise<boolean> {
    await this.writing
    return !this.failed
  }

  /** All blocks in order: the next one is read while `use` works on the last. */
  async each(use: EachRead): Promise<void> {
    const rooms = [this.room(), this.room()] as const
    const fetch = async (first: number): Promise<number> => {
      const rows = Math.min(COPY_ROWS, this.rows - first)
      if (rows <= 0) return 0
      const bytes = new Uint8Array(this.roomAt(rooms, first).buffer, 0, rows * this.perRow)
      await readAll(this.file, bytes, first * this.perRow)
      return rows
    }
    let next = fetch(0)
    for (let first = 0; ; first += COPY_ROWS) {
      const rows = await next
      if (rows === 0) return
      next = fetch(first + COPY_ROWS)
      next.catch(() => undefined)
      await use(this.roomAt(rooms, first).subarray(0, (rows * this.perRow) / 8), rows, first)
    }
  }

  private roomAt(rooms: readonly [Float64Array, Float64Array], first: number): Float64Array {
    return rooms[(first / COPY_ROWS) % 2]!
  }

  private room(): Float64Array {
    return new Float64Array(new SharedArrayBuffer(COPY_ROWS * this.perRow))
  }

  async close(): Promise<void> {
    await this.writing
    await this.file.close()
    await rm(this.path, { force: true })
  }
}

/** A new file for so many rows at most, of so many numbers each; undefined where the disk has no room. */
export async function createBlockFile(
  path: string,
  rows: number,
  perRow: number,
): Promise<BlockFile | undefined> {
  const { bavail, bsize } = await statfs(dirname(path))
  if (bavail * bsize < rows * perRow * 8 + SPARE) return undefined
  return new BlockFile(path, await open(path, 'wx+'), perRow)
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}

async function readAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, position + done)
    if (bytesRead === 0) throw new Error('the working copy of the rows ended too early')
    done += bytesRead
  }
}
