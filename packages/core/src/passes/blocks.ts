import { columnSums } from '../kernels/gram.js'
import type { Params, Supervised, Unsupervised } from '../likelihoods/likelihood.js'
import { rowVector } from '../matrix.js'
import { modelOf, type PassModel, type PassModelSpec } from './models.js'
import { type PassAnswers, type PassAsks, type PassSum, passSum } from './pass-sum.js'

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
  /**
   * Has a pass done elsewhere, by several threads for instance: `merge` gets what was found of some rows after the other, in the order of rows,
   * and how many they were. False, and nothing is merged, where that cannot be had. Left out where rows come from one place.
   */
  parts?(task: PassTask, merge: (part: unknown, rows: number) => void): Promise<boolean>
}

/** A pass in plain data. `sums` are those of `passSum`; other kinds are known to those who ask for them. */
export interface PassTask {
  readonly by: string
  readonly model: PassModelSpec
}

/** A pass for sums. */
export interface SumsTask extends PassTask {
  readonly by: 'sums'
  readonly asks: readonly {
    readonly what: keyof PassAnswers
    readonly ask: PassAsks<Params>[keyof PassAnswers]
  }[]
  readonly centre: Float64Array
}

/** The rows of such a task are added to these. */
export function sumsOfTask({ model, asks, centre }: SumsTask): PassSum<unknown, unknown>[] {
  const own = modelOf(model)
  return asks.map(({ what, ask }) => passSum(own, what, ask, centre))
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
