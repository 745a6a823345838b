import type { OpenRows } from '@rlvi/estimator'
import type { Supervised } from 'rlvi'
import type { EachBlock, PassTask } from 'rlvi/passes'
import { type BlockFile, createBlockFile } from './block-file.js'
import type { openRows } from './open-rows.js'
import type { FileTask } from './pass-part.js'
import type { PassThreads } from './pass-threads.js'
import type { ScanCopy } from './scan-copy.js'

/**
 * Rows of a design that write themselves to a working copy on the first pass over them, unless they lie in a file already, and are read from there
 * on all others, by several threads. Without room for it on the disk there is none.
 */
export class CopiedRows implements OpenRows {
  readonly cols: number
  readonly centre: Float64Array
  readonly inputRows: number
  private readonly open: ReturnType<typeof openRows>
  private readonly path: string
  private readonly hasResponse: boolean
  private readonly scanned: ScanCopy | undefined
  private readonly threads: PassThreads
  private copy: BlockFile | undefined
  private state: 'none' | 'whole' | 'no room' = 'none'

  /** @param scanned - where rows are read from: once all of them are copied nobody asks for it, and the copy may take its place */
  constructor(
    open: ReturnType<typeof openRows>,
    path: string,
    hasResponse: boolean,
    scanned: ScanCopy | undefined,
    threads: PassThreads,
  ) {
    this.open = open
    this.path = path
    this.hasResponse = hasResponse
    this.scanned = scanned
    this.threads = threads
    this.cols = open.cols
    this.centre = open.centre
    this.inputRows = open.inputRows
    if (open.file !== undefined) this.state = 'whole'
  }

  get rows(): number {
    return this.open.rows
  }

  get missing(): ReadonlyMap<string, number> {
    return this.open.missing
  }

  inputPlaces(places: Float64Array): Float64Array {
    return this.open.inputPlaces(places)
  }

  async each(use: EachBlock<Supervised>): Promise<void> {
    const { cols, hasResponse } = this
    if (this.state === 'whole')
      return await this.file.each((values, rows, first) => {
        const end = rows * cols
        return use({ x: { rows, cols, values: values.subarray(0, end) }, y: values.subarray(end) }, first)
      })
    const perRow = cols + (hasResponse ? 1 : 0)
    const over = this.state === 'none' ? this.scanned?.over(perRow) : undefined
    if (this.state === 'none') this.copy = over ?? (await createBlockFile(this.path, this.inputRows, perRow))
    const { copy } = this
    await this.open.each(async (block, first) => {
      await use(block, first)
      await copy?.write(block.x.rows, hasResponse ? [block.x.values, block.y] : [block.x.values])
    })
    this.state = copy !== undefined && (await copy.finish()) ? 'whole' : 'no room'
    if (this.state === 'whole' || over !== undefined) await this.scanned?.close()
    if (this.state === 'no room') await this.close()
  }

  async parts(task: PassTask, merge: (part: unknown, rows: number) => void): Promise<boolean> {
    if (this.state !== 'whole') return false
    const { rows, cols, hasResponse } = this
    return await this.threads.run(task as FileTask, { fd: this.file.fd, rows, cols, hasResponse }, merge)
  }

  private get file(): BlockFile {
    return this.open.file ?? this.copy!
  }

  async close(): Promise<void> {
    await this.copy?.close()
    this.copy = undefined
  }
}
