import { Worker } from 'node:worker_threads'
import { type PlainError, revivedError } from '@rlvi/io'
import { type Samples, sharedBytes } from '../image-set.js'
import type { PassContext } from './prepare.js'

/** What a thread is asked: the values of a batch, in a buffer that travels with the question and comes back. */
export interface Question extends PassContext {
  readonly id: number
  readonly samples: Int32Array
  readonly x: Float32Array
}

export type Answer =
  | { readonly id: number; readonly x: Float32Array }
  | { readonly id: number; readonly failure: PlainError }

/**
 * Threads that prepare batches. Not a pool for tasks of any kind: batches wait at each thread, so that none is idle between
 * two of them, and the buffers travel to the thread and back without being copied or made anew.
 */
export interface Pool {
  prepare(samples: Int32Array, context: PassContext, x: Float32Array): Promise<Float32Array>
  close(): Promise<void>
}

interface Waiting {
  readonly resolve: (x: Float32Array) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, Waiting>
}

export function startPool(set: Samples, count: number, file: URL): Pool {
  const workerData = shareable(set)
  const threads: Thread[] = Array.from({ length: count }, () => startThread(new Worker(file, { workerData })))
  let id = 0
  return {
    prepare(samples, context, x) {
      const thread = threads.reduce((least, each) => (each.waiting.size < least.waiting.size ? each : least))
      return new Promise((resolve, reject) => {
        id++
        thread.waiting.set(id, { resolve, reject })
        // A thread with work keeps the process going, one without does not.
        thread.worker.ref()
        const question: Question = { ...context, id, samples, x }
        thread.worker.postMessage(question, [x.buffer as ArrayBuffer])
      })
    },
    async close() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
}

function startThread(worker: Worker): Thread {
  const waiting = new Map<number, Waiting>()
  const failAll = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on('error', failAll)
  worker.on('exit', (code) => failAll(new Error(`a thread that prepares batches ended, with code ${code}`)))
  worker.on('message', (answer: Answer) => {
    const asked = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) worker.unref()
    if ('failure' in answer) asked?.reject(revivedError(answer.failure))
    else asked?.resolve(answer.x)
  })
  worker.unref()
  return { worker, waiting }
}

/** Threads look at the same pixels; a set that is not in shared memory is copied there once. */
function shareable(set: Samples & { readonly pixels?: Uint8Array }): Samples {
  const { pixels } = set
  if (pixels === undefined || pixels.buffer instanceof SharedArrayBuffer) return set
  const shared = sharedBytes(pixels.length)
  shared.set(pixels)
  return { ...set, pixels: shared } as Samples
}
