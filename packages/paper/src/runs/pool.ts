import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type PlainError, revivedError } from '@rlvi/io'
import { Tinypool } from 'tinypool'

/** A function that threads can be asked to call: they load it by itself. */
export interface Work<Task, Result> {
  /** The module that exports it. */
  readonly module: string
  readonly name: string
  readonly call: (task: Task) => Result
}

export interface PoolOptions<Task> {
  /** Default: as many as there are cores. With 1, all happens on the calling thread. */
  readonly threads?: number
  /** Called when a task is done. */
  readonly onDone?: (task: Task) => void
}

export type Answer = { readonly result: unknown } | { readonly failure: PlainError }

const workerFile = new URL('./worker.js', import.meta.url)

/**
 * The results of all tasks, in their order. Tasks and results are plain data. A task draws from a generator of its own, so
 * that the results are the same for any number of threads.
 */
export async function performAll<Task, Result>(
  work: Work<Task, Result>,
  tasks: readonly Task[],
  { threads = availableParallelism(), onDone }: PoolOptions<Task> = {},
): Promise<Result[]> {
  const count = Math.min(threads, tasks.length)
  if (count <= 1 || !isCompiled(work.module)) return performHere(work, tasks, onDone)
  const pool = new Tinypool({
    filename: workerFile.href,
    workerData: { module: work.module, name: work.name },
    minThreads: count,
    maxThreads: count,
  })
  let dead = false
  try {
    return await new Promise<Result[]>((resolve, reject) => {
      pool.on('error', reject)
      // The pool itself would wait for a thread that has ended.
      for (const thread of pool.threads) {
        // A thread tells what it died of before it ends; the pool may pass it on only after that.
        thread.once('error', reject)
        thread.once('exit', (code) => {
          dead = true
          reject(new Error(`a thread ended before its work was done, with code ${code}`))
        })
      }
      const ask = async (task: Task): Promise<Result> => {
        const answer = (await pool.run(task)) as Answer
        if ('failure' in answer) throw revivedError(answer.failure)
        onDone?.(task)
        return answer.result as Result
      }
      Promise.all(tasks.map(ask)).then(resolve, reject)
    })
  } finally {
    const ended = pool.destroy()
    // It would wait for a dead thread, too.
    if (!dead) await ended
  }
}

/** Run from source (in tests), there is no compiled file for a thread to load. */
function isCompiled(module: string): boolean {
  return module.endsWith('.js') && [module, workerFile].every((file) => existsSync(fileURLToPath(file)))
}

async function performHere<Task, Result>(
  { call }: Work<Task, Result>,
  tasks: readonly Task[],
  onDone?: (task: Task) => void,
): Promise<Result[]> {
  const results: Result[] = []
  for (const task of tasks) {
    results.push(call(task))
    onDone?.(task)
    await setImmediate()
  }
  return results
}
