import { runChunk } from './chunk.js'
import { forkJoin } from './pool.js'
import { simd } from './simd.js'
import { partition, type RowArray, type Task } from './task.js'

/** Below so many entries the plain loops are done before a block is even copied. */
const SIMD_FROM = 4096
/** Below so many entries waking another thread costs more than it saves. */
const THREADS_FROM = 100_000

/** Whether a pass over so many entries should run as a task. */
export function worthwhile(entries: number): boolean {
  return entries >= SIMD_FROM && simd() !== null
}

/** Runs a task, on all cores where its arrays are in shared memory, and returns the sums over all rows. */
export function run(
  kernel: Task['kernel'],
  rows: number,
  arrays: readonly RowArray[],
  params: ArrayLike<number>,
  sums: number,
  scratch = 0,
): Float64Array {
  const task: Task = { kernel, rows, arrays, params: Float64Array.from(params), sums, scratch }
  const cut = partition(task)
  let partials: Float64Array | undefined
  if (rows * arrays[0].cols >= THREADS_FROM && cut.chunks > 1 && arrays.every(isShared)) {
    partials = forkJoin(task, cut)
  }
  if (partials === undefined) {
    partials = new Float64Array(cut.chunks * sums)
    for (let chunk = 0; chunk < cut.chunks; chunk++) runChunk(simd()!, task, cut, chunk, partials)
  }
  const total = partials.slice(0, sums)
  for (let k = sums; k < partials.length; k++) total[k % sums] += partials[k]
  return total
}

function isShared(array: RowArray): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && array.values.buffer instanceof SharedArrayBuffer
}
