/**
 * What networks say of the images of a test set that they were not trained on, kept so that rankings of its labels can be compared without training
 * again: `plain`, a network after its last epoch, asked of each image as it is; and `views`, as an audit asks, by moved images after each epoch of
 * the last quarter.
 *
 *   node test-scores.mjs DATA OUT EXECUTOR EPOCHS METHOD:SEED ...
 *
 * All are trained at the same time, each on a thread. `bench/dist/quality/test-set-errors.js` reads the files.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { cudaExecutor, onnxExecutor, writeSafetensors } from '@rlvi/nn'
import {
  ensemble,
  loadData,
  methodOf,
  type NetworkMethod,
  openLoader,
  openRun,
  settingsFor,
  type Transform,
} from '@rlvi/vision'
import { say } from '../measure.js'

const [folder, out, executor, epochs, ...wanted] = process.argv.slice(2)
/** As many as an audit asks for. */
const VIEWS = 6

async function score(name: string): Promise<void> {
  const [method, seed] = name.split(':')
  const data = await loadData(folder)
  const { test, ...rest } = data
  const settings = {
    ...settingsFor(data.name, data.train),
    epochs: Number(epochs),
    schedule: 'cosine',
  } as const
  const run = await openRun({
    data: rest,
    settings,
    method: methodOf(method as NetworkMethod),
    executor: executor === 'onnx' ? onnxExecutor({ threads: 1 }) : cudaExecutor({ precision: 'bf16' }),
    seed: Number(seed),
  })
  const loader = openLoader(test!, { batch: settings.batch, seed: Number(seed) })
  const order = Int32Array.from(test!.labels, (_, i) => i)
  const ask = async (transform: Transform, epoch: number): Promise<ArrayLike<number>> => {
    const pass = { order, transform, epoch }
    const stored = executor === 'onnx' ? {} : { stored: () => loader.stored(pass)! }
    const rows = { samples: order.length, batches: () => loader.batches(pass), ...stored }
    return (await run.training.evaluate(rows)).probabilities
  }
  const asked = ensemble(order.length, data.classes.length)
  const begun = performance.now()
  for await (const { epoch } of run.training.epochs()) {
    if (epoch <= (3 * settings.epochs) / 4) continue
    for (let view = 0; view < VIEWS; view++) asked.add(order, await ask(data.preparation.train, view))
  }
  const plain = Float32Array.from(await ask(data.preparation.test, 0))
  const views = Float32Array.from(
    asked.sums,
    (sum, at) => sum / asked.counts[Math.floor(at / data.classes.length)],
  )
  const shape = [order.length, data.classes.length]
  const tensors = new Map(Object.entries({ plain, views }).map(([key, values]) => [key, { shape, values }]))
  writeFileSync(
    join(out, `${method}-${seed}.safetensors`),
    writeSafetensors(tensors, { labels: test!.labels.join(' ') }),
  )
  say(`${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  await loader.close()
  await run.close()
}

if (isMainThread) {
  if (wanted.length === 0)
    throw new Error('usage: node test-scores.mjs DATA OUT EXECUTOR EPOCHS METHOD:SEED ...')
  mkdirSync(out, { recursive: true })
  for (const name of wanted)
    new Worker(new URL(import.meta.url), { argv: process.argv.slice(2), workerData: name })
} else {
  await score(workerData as string)
}
