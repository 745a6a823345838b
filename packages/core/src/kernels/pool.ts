import type * as Os from 'node:os'
import type * as Threads from 'node:worker_threads'
import { phrase, RlviError } from '../errors.js'
import { runChunk } from './chunk.js'
import { simd } from './simd.js'
import type { Partition, Task } from './task.js'

/**
 * Synchronous fork and join over worker threads, so that a fit stays an ordinary function. Threads take chunks of a
 * task by counting up a number in shared memory, and the caller takes its part too: it never waits for a thread that
 * has not begun, only for chunks under way. Every task has its own counters, so a late thread finds it done.
 */
export interface Job {
  readonly task: Task
  readonly cut: Partition
  readonly partials: Float64Array
  /** Chunks taken, chunks done, whether a thread failed, blocks done (a sign of life). */
  readonly counters: Int32Array
}

const TAKEN = 0
const DONE = 1
const FAILED = 2
const BEATS = 3
const COUNTERS = 4
/**
 * A block takes milliseconds; so long without one, while chunks are missing, a thread has died or is stopped (ms). Tests shorten
 * it; nothing else may.
 */
export const patience = { ms: 60_000 }
/** More threads than this wait for memory, not for each other. */
const MAX_WORKERS = 15

interface Pool {
  readonly workers: Set<Threads.Worker>
  /** Rung (counted up) for each task. */
  readonly bell: Int32Array
}

let pool: Pool | undefined
let limit = Number.POSITIVE_INFINITY

/**
 * At most so many threads, the caller's included, from now on; 1 keeps all work in the caller. For a program that has
 * workers of its own. Results do not depend on it.
 *
 * @example
 * limitThreads(1)
 */
export function limitThreads(threads: number): void {
  limit = threads
}

/** The sums of all chunks, or undefined where there are no threads to share the work with. */
export function forkJoin(task: Task, cut: Partition): Float64Array | undefined {
  if (limit <= 1) return undefined
  pool ??= startPool()
  if (pool.workers.size === 0) return undefined
  const partials = new Float64Array(new SharedArrayBuffer(8 * Math.max(1, cut.chunks * task.sums)))
  const counters = new Int32Array(new SharedArrayBuffer(4 * COUNTERS))
  const job: Job = { task, cut, partials: partials.subarray(0, cut.chunks * task.sums), counters }
  let called = 1
  for (const worker of pool.workers) if (called++ < limit) worker.postMessage(job)
  Atomics.add(pool.bell, 0, 1)
  Atomics.notify(pool.bell, 0)
  work(job)
  awaitChunks(counters, cut.chunks)
  if (Atomics.load(counters, FAILED) !== 0) throw new Error(`a worker thread failed in ${task.kernel}`)
  return job.partials
}

/**
 * Waits until all chunks are done. A thread that dies, for want of memory or by a signal, takes its chunk with it: where no
 * block is finished for a long time, that is an error, not a reason to wait for ever.
 */
export function awaitChunks(counters: Int32Array, chunks: number, wait: number = patience.ms): void {
  for (;;) {
    const done = Atomics.load(counters, DONE)
    if (done >= chunks) return
    const beats = Atomics.load(counters, BEATS)
    if (Atomics.wait(counters, DONE, done, wait) === 'timed-out' && Atomics.load(counters, BEATS) === beats)
      throw new RlviError(
        'threads',
        `every part of the work should be done within ${wait / 1000} seconds`,
        phrase('a thread that has died, or is stopped'),
        'is there memory enough? try again, or with limitThreads(1)',
      )
  }
}

/** Takes chunks until none is left; runs in the caller and in every worker. */
export function work(job: Job): void {
  const { task, cut, partials, counters } = job
  const beat = (): void => void Atomics.add(counters, BEATS, 1)
  for (;;) {
    const chunk = Atomics.add(counters, TAKEN, 1)
    if (chunk >= cut.chunks) return
    try {
      runChunk(simd()!, task, cut, chunk, partials, beat)
    } catch {
      Atomics.store(counters, FAILED, 1)
    }
    if (Atomics.add(counters, DONE, 1) === cut.chunks - 1) Atomics.notify(counters, DONE)
  }
}

/** One worker for each further core; none in a browser, or inside somebody else's worker. */
function startPool(): Pool {
  const started: Pool = { workers: new Set(), bell: new Int32Array(new SharedArrayBuffer(4)) }
  const builtin = (name: string): unknown => globalThis.process?.getBuiltinModule?.(name)
  const threads = builtin('node:worker_threads') as typeof Threads | undefined
  const os = builtin('node:os') as typeof Os | undefined
  if (threads === undefined || os === undefined || !threads.isMainThread) return started
  const count = Math.min(MAX_WORKERS, os.availableParallelism() - 1)
  for (let k = 0; k < count; k++) {
    const worker = new threads.Worker(workerFile(), { workerData: started.bell, execArgv: [] })
    started.workers.add(worker)
    // Without its file (a bundle, an unbuilt checkout) a worker ends at once, and we do its part.
    worker.on('error', () => started.workers.delete(worker))
    worker.on('exit', () => started.workers.delete(worker))
    worker.unref()
  }
  return started
}

/** The compiled worker, also when this file runs from source, as it does in tests. */
function workerFile(): URL {
  const here = import.meta.url.replace('/src/kernels/', '/dist/kernels/')
  return new URL(here.replace(/[^/]*$/, 'worker.js'))
}
