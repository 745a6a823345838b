import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { type Job, work } from './pool.js'

/** A thread of the pool: sleeps until the bell rings, then takes its part of the tasks that were posted. */
const bell = workerData as Int32Array

for (;;) {
  const rung = Atomics.load(bell, 0)
  const posted = receiveMessageOnPort(parentPort!)
  if (posted === undefined) Atomics.wait(bell, 0, rung)
  else work(posted.message as Job)
}
