import { type FileHandle, open, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Supervised } from 'rlvi'
import type { Blocks, EachBlock } from 'rlvi/passes'

/** Left free on the disk, whatever the copy needs. */
const SPARE = 2 ** 30

/** Rows of one block of a copy: enough for the kernels to be busy, few enough to stay in a cache. */
export const COPY_ROWS = 16_384

/**
 * The rows of a design in a file, block by block, as they lie in memory: to read it again costs a fraction of what parsing
 * or unpacking the table does. Without room for it on the disk there is none.
 */
export class WorkingCopy {
  private readonly file: FileHandle
  private readonly cols: number
  private readonly hasResponse: boolean
  private rows = 0
  private writing: Promise<unknown> = Promise.resolve()
  private failed = false

  private constructor(file: FileHandle, cols: number, hasResponse: boolean) {
    this.file = file
    this.cols = cols
    this.hasResponse = hasResponse
  }

  /** A new copy for so many rows at most; undefined where the disk has no room. */
  static async create(
    path: string,
    rows: number,
    cols: number,
    hasResponse: boolean,
  ): Promise<WorkingCopy | undefined> {
    const { bavail, bsize } = await statfs(dirname(path))
    if (bavail * bsize < rows * (cols + (hasResponse ? 1 : 0)) * 8 + SPARE) return undefined
    return new WorkingCopy(await open(path, 'wx+'), cols, hasResponse)
  }

  private get perRow(): number {
    return 8 * (this.cols + (this.hasResponse ? 1 : 0))
  }

  /** Writes a block, full but for the last one; its arrays may be used again once the next block is written. */
  async write({ x, y }: Supervised): Promise<void> {
    await this.writing
    const at = this.rows * this.perRow
    this.rows += x.rows
    const bytes = (values: Float64Array): Uint8Array =>
      new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    this.writing = (async () => {
      await writeAll(this.file, bytes(x.values), at)
      if (this.hasResponse) await writeAll(this.file, bytes(y), at + x.values.byteLength)
    })().catch(() => {
      // A full disk, for instance: the rows are where they were.
      this.failed = true
    })
  }

  /** Whether all that was written is there. */
  async finish(): Promise<boolean> {
    await this.writing
    return !this.failed
  }

  /** All blocks in order: the next one is read while `use` works on the last. */
  async each(use: EachBlock<Supervised>): Promise<void> {
    const rooms = [this.room(), this.room()] as const
    const fetch = async (first: number): Promise<Supervised | undefined> => {
      const rows = Math.min(COPY_ROWS, this.rows - first)
      if (rows <= 0) return undefined
      const room = rooms[(first / COPY_ROWS) % 2]!
      const bytes = rows * this.perRow
      await readAll(this.file, new Uint8Array(room.buffer, 0, bytes), first * this.perRow)
      const end = rows * this.cols
      const y = this.hasResponse ? room.subarray(end, end + rows) : NONE
      return { x: { rows, cols: this.cols, values: room.subarray(0, end) }, y }
    }
    let next = fetch(0)
    for (let first = 0; ; first += COPY_ROWS) {
      const block = await next
      if (block === undefined) return
      next = fetch(first + COPY_ROWS)
      next.catch(() => undefined)
      await use(block, first)
    }
  }

  private room(): Float64Array {
    return new Float64Array(new SharedArrayBuffer(COPY_ROWS * this.perRow))
  }

  async close(): Promise<void> {
    await this.file.close()
  }
}

const NONE = new Float64Array(0)

/** Rows that write themselves to a working copy on the first pass over them, and are read from there on all others. */
export class CopiedRows implements Blocks<Supervised> {
  readonly cols: number
  readonly centre: Float64Array
  private readonly blocks: Blocks<Supervised>
  private readonly path: string
  private readonly hasResponse: boolean
  private copy: WorkingCopy | undefined
  private state: 'none' | 'whole' | 'no room' = 'none'

  /** @param most - that there are no more rows than these is known before they are read */
  constructor(blocks: Blocks<Supervised>, path: string, hasResponse: boolean, most: number) {
    this.blocks = blocks
    this.path = path
    this.hasResponse = hasResponse
    this.cols = blocks.cols
    this.centre = blocks.centre
    this.most = most
  }

  private readonly most: number

  get rows(): number {
    return this.blocks.rows
  }

  async each(use: EachBlock<Supervised>): Promise<void> {
    if (this.state === 'whole') return await this.copy!.each(use)
    if (this.state === 'none')
      this.copy = await WorkingCopy.create(this.path, this.most, this.cols, this.hasResponse)
    const { copy } = this
    await this.blocks.each(async (block, first) => {
      await use(block, first)
      await copy?.write(block)
    })
    this.state = copy !== undefined && (await copy.finish()) ? 'whole' : 'no room'
    if (this.state === 'no room') await this.close()
  }

  async close(): Promise<void> {
    await this.copy?.close()
    this.copy = undefined
    await rm(this.path, { force: true })
  }
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
