/**
 * Cells of the paper's tables on a card, some at a time: what `rlvi reproduce --executor cuda --parallel N` does, on threads, for a
 * machine that has only Node.js. Writes the same files of cells, which can then be put into the folder of an experiment.
 *
 *   node cells.mjs DATA OUT PARALLEL PRECISION EPOCHS DATASET NOISE:RATE:METHOD:SEED[:SETTINGS] ...
 *
 * PARALLEL is a number of threads that share the card, each with one run at a time; or THREADSxMEMBERS, where each thread
 * trains as many networks of a method as one program. SETTINGS are for trials: those of `posterior`, such as
 * mixing=0.3,warmUp=5, or of `rlvi`, scaledLosses=1; what comes of them lies in a folder of OUT by that name. Cells that are
 * there already are not run again. SIGTERM ends it after the steps that are under way.
 */

import { join } from 'node:path'
import { isMainThread, threadId, Worker, workerData } from 'node:worker_threads'
import { cudaEnsemble, cudaExecutor, type Executor, type Precision } from '@rlvi/nn'
import { type Method, posterior, rlvi } from '@rlvi/nn/methods'
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
/** A cell, and the settings that it is tried with. */
interface Trial extends Cell {
  readonly settings?: string
}
const asked = wanted.map((text): Trial => {
  const [noise, rate, method, seed, settings] = text.split(':')
  return {
    dataset,
    noise: noise as Cell['noise'],
    rate: Number(rate),
    method: method as Cell['method'],
    seed: Number(seed),
    epochs: Number(epochs),
    ...(settings === undefined ? {} : { settings }),
  }
})
const folderOf = ({ settings = '.' }: Trial): string => join(out, settings)
interface Shared {
  /** The next group, and whether to stop. */
  readonly next: SharedArrayBuffer
  readonly begun: number
  readonly groups: readonly (readonly Trial[])[]
}

async function share(): Promise<Shared> {
  const isThere = async (trial: Trial): Promise<boolean> =>
    (await readCells(folderOf(trial), () => true)).some((result) => sameCell(result.cell, trial))
  const found = await Promise.all(asked.map(isThere))
  const cells = asked.filter((_, k) => !found[k])
  // As many groups as threads where there are few cells, so that none stands idle.
  const most = Math.max(1, Math.min(members, Math.ceil(cells.length / threads)))
  // Mixed images are learned by another program.
  const groups = [cells.filter(isMixed), cells.filter((cell) => !isMixed(cell))].flatMap((own) =>
    groupsOf(own, most),
  )
  return { next: new SharedArrayBuffer(8), begun: Date.now(), groups }
}
function settingsOf(text: string): Readonly<Record<string, number>> {
  return Object.fromEntries(text.split(',').map((each) => [each.split('=')[0], Number(each.split('=')[1])]))
}
function triedWith(method: Cell['method'], settings: string): Method {
  const own = settingsOf(settings)
  if (method === 'rlvi') return rlvi({ ...own, scaledLosses: own.scaledLosses === 1 })
  if (method === 'posterior') return posterior(own)
  throw new Error(`${method} has no settings, got ${settings}`)
}
function isMixed({ method, settings }: Trial): boolean {
  return method === 'posterior' && (settings === undefined || settingsOf(settings).mixing !== 0)
}
const shared = isMainThread ? await share() : (workerData as Shared)
const next = new Int32Array(shared.next)
const seconds = (): string => ((Date.now() - shared.begun) / 1000).toFixed(1)
const nameOf = ({ noise, rate, method, seed, settings }: Trial): string =>
  [noise, rate, method, 'seed', seed, ...(settings === undefined ? [] : [settings])].join(' ')

async function work(): Promise<void> {
  const data = await loadData(folder)
  const options = { precision: precision as Precision }
  const executor = cudaExecutor(options)
  const stop = new AbortController()
  const train = async (trial: Trial, own: Executor): Promise<void> => {
    const started = performance.now()
    const { settings, ...cell } = trial
    try {
      const result = await runCell(data, cell, {
        executor: own,
        ...(settings === undefined ? {} : { method: triedWith(cell.method, settings) }),
        signal: stop.signal,
        onProgress: () => {
          if (Atomics.load(next, 1) > 0) stop.abort()
        },
        onEpoch: ({ epoch, seconds: _, ...line }) => {
          if (epoch % 10 === 0 || epoch === 1)
            console.log(`${seconds()} s: ${nameOf(trial)}: epoch ${epoch} ${JSON.stringify(line)}`)
        },
      })
      await writeCell(folderOf(trial), result)
      const { accuracy, cleanKept, corruptCaught, secondsPerEpoch } = recordOf(result)
      const percent = (share: number | null): string => (100 * (share ?? 0)).toFixed(2)
      const shares =
        cleanKept === null ? '' : `, kept ${percent(cleanKept)}, caught ${percent(corruptCaught)}`
      const level = result.epochs.at(-1)?.level
      console.log(
        `${seconds()} s: ${nameOf(trial)}: ${percent(accuracy)}${shares}${level === undefined ? '' : `, level ${level.toFixed(3)}`}; ${secondsPerEpoch.toFixed(3)} s an epoch, ${((performance.now() - started) / 1000).toFixed(0)} s in all`,
      )
    } catch (error) {
      console.log(`${seconds()} s: ${nameOf(trial)} FAILED: ${(error as Error).message}`)
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
