import type { Supervised } from 'rlvi'
import type { Blocks, EachBlock } from 'rlvi/passes'
import { type BlockFile, createBlockFile } from './block-file.js'
import type { ScanCopy } from './scan-copy.js'

/**
 * Rows of a design that write themselves to a working copy on the first pass over them, and are read from there on all
 * others. Without room for it on the disk there is none.
 */
export class CopiedRows implements Blocks<Supervised> {
  readonly cols: number
  readonly centre: Float64Array
  private readonly blocks: Blocks<Supervised>
  private readonly path: string
  private readonly hasResponse: boolean
  private readonly scanned: ScanCopy | undefined
  private copy: BlockFile | undefined
  private state: 'none' | 'whole' | 'no room' = 'none'

  /** @param scanned - where `blocks` are read from: once all rows are copied nobody asks for it, and the copy may take its place */
  constructor(blocks: Blocks<Supervised>, path: string, hasResponse: boolean, scanned: ScanCopy | undefined) {
    this.blocks = blocks
    this.path = path
    this.hasResponse = hasResponse
    this.scanned = scanned
    this.cols = blocks.cols
    this.centre = blocks.centre
  }

  get rows(): number {
    return this.blocks.rows
  }

  async each(use: EachBlock<Supervised>): Promise<void> {
    const { cols, hasResponse } = this
    if (this.state === 'whole')
      return await this.copy!.each((values, rows, first) => {
        const end = rows * cols
        return use({ x: { rows, cols, values: values.subarray(0, end) }, y: values.subarray(end) }, first)
      })
    const perRow = cols + (hasResponse ? 1 : 0)
    const over = this.state === 'none' ? this.scanned?.over(perRow) : undefined
    if (this.state === 'none') this.copy = over ?? (await createBlockFile(this.path, this.rows, perRow))
    const { copy } = this
    await this.blocks.each(async (block, first) => {
      await use(block, first)
      await copy?.write(block.x.rows, hasResponse ? [block.x.values, block.y] : [block.x.values])
    })
    this.state = copy !== undefined && (await copy.finish()) ? 'whole' : 'no room'
    if (this.state === 'whole' || over !== undefined) await this.scanned?.close()
    if (this.state === 'no room') await this.close()
  }

  async close(): Promise<void> {
    await this.copy?.close()
    this.copy = undefined
  }
}
