/**
 * Cells of the paper's tables on a card, some at a time: what `rlvi reproduce --executor cuda --parallel N` does, on threads, for a
 * machine that has only Node.js. Writes the same files of cells, which can then be put into the folder of an experiment.
 *
 *   node cells.mjs DATA OUT PARALLEL PRECISION EPOCHS DATASET NOISE:RATE:METHOD:SEED ...
 *
 * PARALLEL is a number of threads that share the card, each with one run at a time; or THREADSxMEMBERS, where each thread
 * trains as many networks of a method as one program. Cells that are there already are not run again. SIGTERM ends it after the
 * steps that are under way.
 */

import { isMainThread, threadId, Worker, workerData } from 'node:worker_threads'
import { cudaEnsemble, cudaExecutor, type Executor, type Precision } from '@rlvi/nn'
import {
  type Cell,
  groupsOf,
  readCells,
  recordOf,
  runCell,
  sameCell,
  trainTogether,
  writeCell,
} from '@rlvi/paper'
import { loadData } from '@rlvi/vision'

const [folder, out, parallel, precision, epochs, dataset, ...wanted] = process.argv.slice(2)
const [threads, members = 1] = parallel.split('x').map(Number)
const asked = wanted.map((text): Cell => {
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
  /** The next group, and whether to stop. */
  readonly next: SharedArrayBuffer
  readonly begun: number
  readonly groups: readonly (readonly Cell[])[]
}

async function share(): Promise<Shared> {
  const there = await readCells(out, () => true)
  const cells = asked.filter((cell) => !there.some((result) => sameCell(result.cell, cell)))
  // As many groups as threads where there are few cells, so that none stands idle.
  const most = Math.max(1, Math.min(members, Math.ceil(cells.length / threads)))
  return { next: new SharedArrayBuffer(8), begun: Date.now(), groups: groupsOf(cells, most) }
}
const shared = isMainThread ? await share() : (workerData as Shared)
const next = new Int32Array(shared.next)
const seconds = (): string => ((Date.now() - shared.begun) / 1000).toFixed(1)
const nameOf = ({ noise, rate, method, seed }: Cell): string => `${noise} ${rate} ${method} seed ${seed}`

async function work(): Promise<void> {
  const data = await loadData(folder)
  const options = { precision: precision as Precision }
  const executor = cudaExecutor(options)
  const stop = new AbortController()
  const train = async (cell: Cell, own: Executor): Promise<void> => {
    const started = performance.now()
    try {
      const result = await runCell(data, cell, {
        executor: own,
        signal: stop.signal,
        onProgress: () => {
          if (Atomics.load(next, 1) > 0) stop.abort()
        },
        onEpoch: ({ epoch, seconds: _, ...line }) => {
          if (epoch % 10 === 0 || epoch === 1)
            console.log(`${seconds()} s: ${nameOf(cell)}: epoch ${epoch} ${JSON.stringify(line)}`)
        },
      })
      await writeCell(out, result)
      const { accuracy, cleanKept, corruptCaught, secondsPerEpoch } = recordOf(result)
      const percent = (share: number | null): string => (100 * (share ?? 0)).toFixed(2)
      const shares =
        cleanKept === null ? '' : `, kept ${percent(cleanKept)}, caught ${percent(corruptCaught)}`
      const level = result.epochs.at(-1)?.level
      console.log(
        `${seconds()} s: ${nameOf(cell)}: ${percent(accuracy)}${shares}${level === undefined ? '' : `, level ${level.toFixed(3)}`}; ${secondsPerEpoch.toFixed(3)} s an epoch, ${((performance.now() - started) / 1000).toFixed(0)} s in all`,
      )
    } catch (error) {
      console.log(`${seconds()} s: ${nameOf(cell)} FAILED: ${(error as Error).message}`)
    }
  }
  for (;;) {
    const group = shared.groups[Atomics.add(next, 0, 1)]
    if (group === undefined || stop.signal.aborted) break
    if (group.length === 1) await train(group[0], executor)
    else await trainTogether(group, cudaEnsemble(group.length, options), train)
  }
}
if (isMainThread) {
  process.once('SIGTERM', () => Atomics.store(next, 1, 1))
  const workers = Array.from(
    { length: Math.min(threads, shared.groups.length) },
    () => new Worker(new URL(import.meta.url), { argv: process.argv.slice(2), workerData: shared }),
  )
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve))))
  console.log(`all done after ${seconds()} s`)
} else {
  await work()
  console.log(`thread ${threadId} done after ${seconds()} s`)
}
