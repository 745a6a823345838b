/**
 * Cells of the paper's tables on a card, some at a time: what `rlvi reproduce --executor cuda --parallel N` does, for a machine that
 * has only Node.js. Writes the same files of cells, which can then be put into the folder of an experiment.
 *
 *   node cells.mjs DATA OUT PARALLEL PRECISION EPOCHS DATASET NOISE:RATE:METHOD:SEED ...
 *
 * Each of the PARALLEL runs has a thread of its own, and all share the card.
 */

import { isMainThread, threadId, Worker, workerData } from 'node:worker_threads'
import { cudaExecutor, type Precision } from '@rlvi/nn'
import { type Cell, recordOf, runCell, writeCell } from '@rlvi/paper'
import { loadData } from '@rlvi/vision'

const [folder, out, parallel, precision, epochs, dataset, ...wanted] = process.argv.slice(2)
const cells = wanted.map((text): Cell => {
  const [noise, rate, method, seed] = text.split(':')
  return {
    dataset,
    noise: noise as Cell['noise'],
    rate: Number(rate),
    method: method as Cell['method'],
    seed: Number(seed),
    epochs: Number(epochs),
  }
})
interface Shared {
  readonly next: SharedArrayBuffer
  readonly begun: number
}
const shared: Shared = isMainThread
  ? { next: new SharedArrayBuffer(4), begun: Date.now() }
  : (workerData as Shared)
const next = new Int32Array(shared.next)
const seconds = (): string => ((Date.now() - shared.begun) / 1000).toFixed(1)
async function work(): Promise<void> {
  const data = await loadData(folder)
  const executor = cudaExecutor({ precision: precision as Precision })
  for (let cell = cells[Atomics.add(next, 0, 1)]; cell; cell = cells[Atomics.add(next, 0, 1)]) {
    const started = performance.now()
    try {
      let reported = 0
      const result = await runCell(data, cell, {
        executor,
        onProgress: ({ epoch, step, steps }) => {
          if (step !== steps || epoch < reported + 20) return
          reported = epoch
          console.log(
            `${seconds()} s: ${cell.noise} ${cell.rate} ${cell.method} seed ${cell.seed}: epoch ${epoch}`,
          )
        },
      })
      await writeCell(out, result)
      const { accuracy, cleanKept, corruptCaught, secondsPerEpoch } = recordOf(result)
      const shares =
        cleanKept === null
          ? ''
          : `, kept ${(100 * cleanKept).toFixed(2)}, caught ${(100 * (corruptCaught ?? 0)).toFixed(2)}`
      console.log(
        `${seconds()} s: ${cell.noise} ${cell.rate} ${cell.method} seed ${cell.seed}: ${(100 * accuracy).toFixed(2)}${shares}; ${secondsPerEpoch.toFixed(3)} s an epoch, ${((performance.now() - started) / 1000).toFixed(0)} s in all`,
      )
    } catch (error) {
      console.log(
        `${cell.noise} ${cell.rate} ${cell.method} seed ${cell.seed} FAILED: ${(error as Error).message}`,
      )
    }
  }
}
if (isMainThread) {
  const workers = Array.from(
    { length: Number(parallel) },
    () => new Worker(new URL(import.meta.url), { argv: process.argv.slice(2), workerData: shared }),
  )
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve))))
  console.log(`all done after ${seconds()} s`)
} else {
  await work()
  console.log(`thread ${threadId} done after ${seconds()} s`)
}
