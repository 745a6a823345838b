import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { COPY_ROWS } from './block-file.js'
import { type FileRows, type FileTask, partOf } from './pass-part.js'
import type { Found, Some } from './pass-worker.js'

/** Numbers of a table from which on threads are worth their start, and that a thread is given at a time, about; tests lower them. */
export const sizes = { least: 4e6, given: 4e6 }
/** More threads wait for memory, and take too much of it. */
const MOST_THREADS = 8

/**
 * Passes over the rows of a file by several threads, each of which reads its own rows. Which rows are summed together depends on the
 * shape of the table alone, and their sums are added in order: the answer is the same, to the last bit, on any number of threads.
 */
export class PassThreads {
  private readonly count: number
  private workers: Worker[] | undefined
  private asked = 0

  constructor(count: number = Math.min(MOST_THREADS, availableParallelism())) {
    this.count = count
  }

  /** `merge` gets what was found of the first rows, then of the next, and so on; false where the table is too small. */
  async run(task: FileTask, file: FileRows, merge: (part: unknown, rows: number) => void): Promise<boolean> {
    const { rows, cols } = file
    if (rows * cols < sizes.least) return false
    const each = COPY_ROWS * Math.max(1, Math.floor(sizes.given / (COPY_ROWS * Math.max(1, cols))))
    this.workers ??= startWorkers(this.count)
    const workers = [...this.workers]
    const count = Math.ceil(rows / each)
    const found = new Map<number, unknown>()
    let [given, merged] = [0, 0]
    /** What lies between is kept until all before it is there. */
    const add = (k: number, part: unknown): void => {
      found.set(k, part)
      for (; found.has(merged); merged++) {
        const first = merged * each
        merge(found.get(merged), Math.min(rows, first + each) - first)
        found.delete(merged)
      }
    }
    const here = (k: number): void => add(k, partOf(task, file, k * each, Math.min(rows, (k + 1) * each)))
    await Promise.all(
      workers.map(async (worker) => {
        worker.ref()
        try {
          worker.postMessage({ task, file })
          while (given < count) {
            const k = given++
            const some = { id: this.asked++, from: k * each, to: Math.min(rows, (k + 1) * each) }
            const part = await answerOf(worker, some)
            if (part === undefined) here(k)
            else add(k, part)
          }
        } finally {
          worker.unref()
        }
      }),
    )
    // Without any thread that works.
    while (given < count) here(given++)
    return true
  }

  async close(): Promise<void> {
    const workers = this.workers ?? []
    this.workers = undefined
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

/** What a thread finds; undefined where it fails, or is gone: for want of memory, for instance. */
function answerOf(worker: Worker, some: Some): Promise<unknown> {
  return new Promise((resolve) => {
    const end = (part: unknown): void => {
      worker.off('message', message)
      worker.off('exit', gone)
      resolve(part)
    }
    // An answer to what was given up is none to this.
    const message = ({ id, part }: Found): void => (id === some.id ? end(part) : undefined)
    const gone = (): void => end(undefined)
    if (isGone(worker)) return resolve(undefined)
    worker.on('message', message)
    worker.on('exit', gone)
    worker.postMessage(some)
  })
}

const isGone = ({ threadId }: Worker): boolean => threadId === -1

function startWorkers(count: number): Worker[] {
  return Array.from({ length: count }, () => {
    const worker = new Worker(workerFile(), { execArgv: [] })
    // What comes after it, its end, says enough.
    worker.on('error', () => undefined)
    worker.unref()
    return worker
  })
}

/** The compiled worker, also when this file runs from source, as it does in tests. */
function workerFile(): URL {
  const here = import.meta.url.replace('/src/passes/', '/dist/passes/')
  return new URL(here.replace(/[^/]*$/, 'pass-worker.js'))
}
