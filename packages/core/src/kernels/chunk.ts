import type { Simd } from './simd.js'
import { type Partition, SPARE_ROWS, type Task } from './task.js'

/** Runs a task on one chunk of its rows and leaves the chunk's sums in `partials`. Calls `beat` after every block. */
export function runChunk(
  simd: Simd,
  task: Task,
  cut: Partition,
  chunk: number,
  partials: Float64Array,
  beat?: () => void,
): void {
  const { arrays, params, sums } = task
  const kernel = simd.kernel(task.kernel)
  const cols = arrays[0].cols
  const from = chunk * cut.chunkRows
  const to = Math.min(task.rows, from + cut.chunkRows)

  // Rows that lie in the kernels' memory are worked on where they are.
  const isThere = !inPairs(task) && simd.holds(arrays[0].values)
  const there = isThere ? arrays[0].values.byteOffset / 8 : 0
  // Memory: the arrays of one block, each with a few rows to spare, which kernels may overwrite; parameters; sums twice; scratch.
  const at: number[] = []
  let free = simd.free
  for (const [k, array] of arrays.entries()) {
    at.push(free)
    if (!isThere || k > 0) free += (cut.blockRows + SPARE_ROWS) * array.cols
  }
  const paramsAt = free
  const sumsAt = paramsAt + params.length + 1
  const tailAt = sumsAt + sums
  const scratchAt = tailAt + sums
  simd.reserve(scratchAt + task.scratch)
  const memory = simd.numbers
  memory.set(params, paramsAt)
  memory.fill(0, sumsAt, scratchAt)
  const call = (rows: number, skip: number, sumsTo: number): void =>
    kernel(
      rows,
      cols,
      8 * (at[0] + skip),
      8 * ((at[1] ?? 0) + skip),
      8 * ((at[2] ?? 0) + skip),
      8 * paramsAt,
      8 * sumsTo,
      8 * scratchAt,
    )

  for (let first = from; first < to; first += cut.blockRows) {
    const rows = Math.min(cut.blockRows, to - first)
    if (isThere) at[0] = there + first * cols
    for (let k = isThere ? 1 : 0; k < arrays.length; k++) {
      const { values, cols: width, use } = arrays[k]
      if (use !== 'write') memory.set(values.subarray(first * width, (first + rows) * width), at[k])
    }
    if (rows % 2 === 0 || !inPairs(task)) call(rows, 0, sumsAt)
    else {
      // The last row of an odd number is given twice and its sums count half, which is exact.
      for (let k = 0; k < arrays.length; k++) memory[at[k] + rows] = memory[at[k] + rows - 1]
      call(rows - 1, 0, sumsAt)
      call(2, rows - 1, tailAt)
      for (let k = 0; k < sums; k++) memory[sumsAt + k] += memory[tailAt + k] / 2
    }
    for (let k = isThere ? 1 : 0; k < arrays.length; k++) {
      const { values, cols: width, use } = arrays[k]
      if (use !== 'read') values.set(memory.subarray(at[k], at[k] + rows * width), first * width)
    }
    beat?.()
  }
  partials.set(memory.subarray(sumsAt, sumsAt + sums), chunk * sums)
}

/** The kernels over single numbers take two rows at a time; those over a matrix go row by row. */
function inPairs(task: Task): boolean {
  return !['checksum', 'columnSums', 'gram', 'norms', 'predictor', 'rescale', 'softmax'].includes(task.kernel)
}
