import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/** A module whose `work` does one task; what it returns must be plain data. */
export interface WorkModule<Task, Result> {
  work(task: Task): Result
}

const workerFile = new URL('./pool-worker.js', import.meta.url)

/**
 * The results of all tasks, in their order, two at a time. A task draws from streams of its own, so the result does not
 * depend on the number of threads.
 */
export async function workOff<Task, Result>(
  url: string,
  work: (task: Task) => Result,
  tasks: readonly Task[],
): Promise<Result[]> {
  const results = new Array<Result>(tasks.length)
  // Run from source (in tests), there is no compiled file for a thread to load.
  if (!existsSync(fileURLToPath(workerFile))) return tasks.map(work)
  let next = 0
  const serve = (worker: Worker): Promise<void> =>
    new Promise((resolve, reject) => {
      let current = -1
      const feed = (): void => {
        current = next++
        if (current >= tasks.length) resolve()
        else worker.postMessage(tasks[current])
      }
      worker.on('error', reject)
      worker.on('message', (result: Result) => {
        results[current] = result
        feed()
      })
      feed()
    })
  const count = Math.min(2, availableParallelism(), tasks.length)
  const workers = Array.from({ length: count }, () => new Worker(workerFile, { workerData: url }))
  try {
    await Promise.all(workers.map(serve))
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
  return results
}

/** Runs 0 … runs - 1 cut into pieces of `size`. */
export function pieces(runs: number, size: number): Array<{ first: number; last: number }> {
  return Array.from({ length: Math.ceil(runs / size) }, (_, k) => ({
    first: k * size,
    last: Math.min((k + 1) * size, runs),
  }))
}
