import type { KernelName } from './simd.js'

/** An array with `cols` numbers for each row, and what the kernel does with it. */
export interface RowArray {
  readonly values: Float64Array
  readonly cols: number
  readonly use: 'read' | 'write' | 'update'
}

/** One pass of a kernel over all rows. */
export interface Task {
  readonly kernel: KernelName
  readonly rows: number
  /** At most three; only the first may have more than one column. */
  readonly arrays: readonly RowArray[]
  readonly params: Float64Array
  /** How many sums the kernel makes. */
  readonly sums: number
  /** How many numbers it needs besides. */
  readonly scratch: number
}

/**
 * How a task is cut: into blocks of rows, which are copied to the kernel's memory one after the other and fit a
 * second-level cache, and into chunks of whole blocks, each with sums of its own. The cut depends on the shape alone and
 * the chunks' sums are added in order, so the result is the same, bit for bit, on any number of threads.
 */
export interface Partition {
  readonly blockRows: number
  readonly chunkRows: number
  readonly chunks: number
}

const BLOCK_ENTRIES = 16384
export const MAX_BLOCK_ROWS = 4096
/** Kernels may write so many rows past the end of a block. */
export const SPARE_ROWS = 4
const MAX_CHUNKS = 64

export function partition(task: Task): Partition {
  const cols = Math.max(1, task.arrays[0].cols)
  // Even, because most kernels take two rows at a time.
  const fitting = 2 * Math.floor(BLOCK_ENTRIES / (2 * cols))
  const blockRows = Math.min(MAX_BLOCK_ROWS, Math.max(16, fitting))
  const blocks = Math.ceil(task.rows / blockRows)
  // All chunks' sums together take at most half the memory of the data.
  const affordable = Math.floor((task.rows * cols) / (2 * Math.max(1, task.sums)))
  const most = Math.max(1, Math.min(MAX_CHUNKS, affordable))
  const chunkRows = blockRows * Math.max(1, Math.ceil(blocks / most))
  return { blockRows, chunkRows, chunks: Math.ceil(task.rows / chunkRows) }
}
