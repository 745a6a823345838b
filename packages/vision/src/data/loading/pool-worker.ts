import { parentPort, workerData } from 'node:worker_threads'
import { RlviError } from 'rlvi'
import type { Samples } from '../image-set.js'
import type { Answer, Failure, Question } from './pool.js'
import { prepare } from './prepare.js'

// One thread of `pool.ts`: the samples of a batch in, their values out.
const set = workerData as Samples

parentPort?.on('message', async ({ id, samples, x, ...moment }: Question) => {
  try {
    await prepare(set, samples, moment, x)
    parentPort?.postMessage({ id, x } satisfies Answer, [x.buffer as ArrayBuffer])
  } catch (error) {
    parentPort?.postMessage({ id, failure: described(error) } satisfies Answer)
  }
})

function described(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof RlviError)) return { message }
  return { message, where: error.where, rule: error.rule, got: String(error.got) }
}
