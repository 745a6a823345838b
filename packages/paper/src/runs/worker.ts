import { parentPort } from 'node:worker_threads'
import { perform, type Task } from './tasks.js'

// One thread of `threads.ts`: a task in, its numbers out.
parentPort?.on('message', (task: Task) => {
  const numbers = perform(task)
  parentPort?.postMessage(numbers, [numbers.buffer as ArrayBuffer])
})
