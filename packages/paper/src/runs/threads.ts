import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { perform, type Task } from './tasks.js'

export interface ThreadOptions {
  /** Default: as many as there are cores. With 1, all happens on the calling thread. */
  readonly threads?: number
  readonly onProgress?: (done: number, total: number) => void
}

const workerFile = new URL('./worker.js', import.meta.url)

/**
 * The numbers of every task, in their order. A run draws from a stream of its own, so the result is the same for any
 * number of threads and any cut into tasks.
 */
export async function runTasks(tasks: readonly Task[], options: ThreadOptions = {}): Promise<Float64Array[]> {
  const wanted = Math.min(options.threads ?? availableParallelism(), tasks.length)
  const total = tasks.reduce((sum, task) => sum + task.last - task.first, 0)
  const results = new Array<Float64Array>(tasks.length)
  let next = 0
  let done = 0
  const finish = (k: number, task: Task, errors: Float64Array): void => {
    results[k] = errors
    done += task.last - task.first
    options.onProgress?.(done, total)
  }

  // Run from source (in tests), there is no compiled file for a thread to load.
  if (wanted <= 1 || !existsSync(fileURLToPath(workerFile))) {
    for (const [k, task] of tasks.entries()) {
      finish(k, task, perform(task))
      await setImmediate()
    }
    return results
  }

  const workOff = (worker: Worker): Promise<void> =>
    new Promise((resolve, reject) => {
      let current = -1
      const feed = (): void => {
        current = next++
        const task = tasks[current]
        if (task === undefined) resolve()
        else worker.postMessage(task)
      }
      worker.on('error', reject)
      worker.on('exit', (code) =>
        reject(new Error(`a thread of the experiment ended early, with code ${code}`)),
      )
      worker.on('message', (errors: Float64Array) => {
        const task = tasks[current]
        if (task !== undefined) finish(current, task, errors)
        feed()
      })
      feed()
    })
  const workers = Array.from({ length: wanted }, () => new Worker(workerFile))
  try {
    await Promise.all(workers.map(workOff))
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
  return results
}
