import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { awaitChunks } from './pool.js'

const TAKEN = 0
const DONE = 1
const BEATS = 3

/** A thread that takes a chunk, does some blocks of it, and then ends or is done. */
function thread(counters: Int32Array, blocks: number, ending: 'dies' | 'is done'): Worker {
  const source = `
    const { workerData: { counters, blocks, ending } } = require('node:worker_threads')
    Atomics.add(counters, ${TAKEN}, 1)
    for (let k = 0; k < blocks; k++) {
      Atomics.wait(counters, ${TAKEN}, 1, 150)
      Atomics.add(counters, ${BEATS}, 1)
    }
    if (ending === 'dies') process.exit(1)
    Atomics.add(counters, ${DONE}, 1)
    Atomics.notify(counters, ${DONE})
  `
  return new Worker(source, { eval: true, workerData: { counters, blocks, ending } })
}

async function begun(counters: Int32Array): Promise<void> {
  while (Atomics.load(counters, TAKEN) === 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('a thread that dies in its chunk is an error, not a wait for ever', async () => {
  const counters = new Int32Array(new SharedArrayBuffer(16))
  const worker = thread(counters, 2, 'dies')
  await begun(counters)
  expect(() => awaitChunks(counters, 1, 400)).toThrow(
    /^threads: every part of the work should be done within 0.4 seconds, got a thread that has died/,
  )
  await worker.terminate()
})

test('a slow one is waited for as long as it gives signs of life', async () => {
  const counters = new Int32Array(new SharedArrayBuffer(16))
  const worker = thread(counters, 10, 'is done')
  await begun(counters)
  awaitChunks(counters, 1, 600)
  expect(Atomics.load(counters, BEATS)).toBe(10)
  await worker.terminate()
})
