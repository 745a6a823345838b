import { columnSums } from '../kernels/gram.js'
import type { Params, Supervised, Unsupervised } from '../likelihoods/likelihood.js'
import { rowVector } from '../matrix.js'
import type { PassModel } from './models.js'

const NONE = new Float64Array(0)

/**
 * Rows that come in blocks, always the same and in the same order. What a block holds is good until the next
 * but one comes: the last one may still be on its way to a file.
 */
export interface Blocks<D> {
  readonly rows: number
  readonly cols: number
  /** Nearly the mean of each column. */
  readonly centre: Float64Array
  each(use: EachBlock<D>): Promise<void>
}

/** What is done with each block; `first` is the place of its first row. */
export type EachBlock<D> = (block: D, first: number) => void | Promise<void>

/** Rows of one block: so many fit caches, and keep all cores busy. */
export const BLOCK_ROWS = 16_384

/** Rows in memory as blocks, without a copy. */
export function memoryBlocks<P extends Params>(
  { likelihood }: PassModel<P>,
  data: Unsupervised | Supervised,
  blockRows: number = BLOCK_ROWS,
): Blocks<Supervised> {
  const y = 'y' in data ? data.y : NONE
  likelihood.check({ x: data.x, y })
  const { rows, cols, values } = data.x
  const centre = new Float64Array(cols)
  const total = columnSums(data.x, rowVector(rows).fill(1), centre)
  return {
    rows,
    cols,
    centre: centre.map((sum) => sum / total),
    async each(use) {
      for (let from = 0; from < rows; from += blockRows) {
        const to = Math.min(rows, from + blockRows)
        const x = { rows: to - from, cols, values: values.subarray(from * cols, to * cols) }
        await use({ x, y: y.subarray(from, to) }, from)
      }
    },
  }
}
