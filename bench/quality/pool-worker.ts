import { parentPort, workerData } from 'node:worker_threads'
import type { WorkModule } from './pool.js'

// One thread of `pool.ts`: a task in, its result out.
const loaded = import(workerData as string) as Promise<WorkModule<unknown, unknown>>
parentPort?.on('message', (task) => {
  loaded.then(
    ({ work }) => parentPort?.postMessage(work(task)),
    (error: unknown) => {
      throw error
    },
  )
})
