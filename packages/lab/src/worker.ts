import { parentPort } from 'node:worker_threads'
import { simulate, type Task } from './standard/simulate.js'

// One thread of `threads.ts`: a task in, its errors out.
parentPort?.on('message', (task: Task) => {
  const errors = simulate(task)
  parentPort?.postMessage(errors, [errors.buffer as ArrayBuffer])
})
