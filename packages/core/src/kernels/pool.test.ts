import { spawnSync } from 'node:child_process'
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
      Atomics.wait(counters, ${TAKEN}, 1, 200)
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
  // Ten blocks take longer than it waits for one.
  awaitChunks(counters, 1, 1900)
  expect(Atomics.load(counters, BEATS)).toBe(10)
  await worker.terminate()
})

const built = (file: string): string => JSON.stringify(new URL(`../../dist/${file}`, import.meta.url).href)
/**
 * Fits with a pool of one thread, which ends in the middle of its first chunk: the thread of the pool itself, after a beginning that
 * ends it at its second sign of life.
 */
const dying = `
  const threads = process.getBuiltinModule('node:worker_threads')
  process.getBuiltinModule('node:os').availableParallelism = () => 2
  const beginning = (file) => \`
    const { add } = Atomics
    let beats = 0
    Atomics.add = (counters, at, by) => (at === ${BEATS} && ++beats === 2 ? process.exit(1) : add(counters, at, by))
    import(\${JSON.stringify(String(file))})
  \`
  threads.Worker = class extends threads.Worker {
    constructor(file, options) {
      super(beginning(file), { ...options, eval: true })
    }
  }
  const { fit, linear, sharedMatrix } = await import(${built('index.js')})
  const { patience } = await import(${built('kernels/pool.js')})
  patience.ms = 1500
  const x = sharedMatrix(20_000, 20)
  for (let k = 0; k < x.values.length; k++) x.values[k] = Math.sin(k * k)
  const y = Float64Array.from({ length: x.rows }, (_, i) => x.values[20 * i] + Math.cos(i * i))
  // Some fits may be done before the thread has started.
  try {
    for (const started = Date.now(); Date.now() - started < 40_000; ) fit(linear(), { x, y })
    console.log('went on without its thread')
  } catch (error) {
    console.log(error.message)
  }
  process.exit()
`

test('a thread of the pool that dies in the middle of a fit ends it with an error', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', dying], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(stdout).toBe(
    'threads: every part of the work should be done within 1.5 seconds, got a thread that has died, or is stopped; is there memory enough? try again, or with limitThreads(1)\n',
  )
})
