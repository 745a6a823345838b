import { parentPort, workerData } from 'node:worker_threads'
import { plainError } from '@rlvi/io'
import type { Samples } from '../image-set.js'
import type { Answer, Question } from './pool.js'
import { prepare } from './prepare.js'

// One thread of `pool.ts`: the samples of a batch in, their values out.
const set = workerData as Samples

parentPort?.on('message', async ({ id, samples, x, ...context }: Question) => {
  try {
    await prepare(set, samples, context, x)
    parentPort?.postMessage({ id, x } satisfies Answer, [x.buffer as ArrayBuffer])
  } catch (error) {
    parentPort?.postMessage({ id, failure: plainError(error) } satisfies Answer)
  }
})
