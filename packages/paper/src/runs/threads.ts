import { performAll } from './pool.js'
import { perform, type Task } from './tasks.js'

export interface ThreadOptions {
  /** Default: as many as there are cores. With 1, all happens on the calling thread. */
  readonly threads?: number
  readonly onProgress?: (done: number, total: number) => void
}

const work = { module: new URL('./tasks.js', import.meta.url).href, name: 'perform', call: perform }

/**
 * The numbers of every task, in their order. A run draws from a generator of its own, so the result is the same for any
 * number of threads and any cut into tasks.
 */
export function runTasks(tasks: readonly Task[], options: ThreadOptions = {}): Promise<Float64Array[]> {
  const { threads, onProgress } = options
  const total = tasks.reduce((sum, task) => sum + task.last - task.first, 0)
  let done = 0
  return performAll(work, tasks, {
    ...(threads === undefined ? {} : { threads }),
    onDone(task) {
      done += task.last - task.first
      onProgress?.(done, total)
    },
  })
}
