import { readFile } from 'node:fs/promises'
import { systemError } from '@rlvi/io'
import { type Classifier, onnxClassifier } from '@rlvi/nn'
import { csvLines, type OutColumn, type OutTable } from '@rlvi/tables'
import {
  isFlat,
  type LoadOptions,
  listFlat,
  loadData,
  openLoader,
  type Samples,
  type Transform,
} from '@rlvi/vision'
import { inFile, phrase, RlviError } from 'rlvi'
import { numberColumn } from '../table/number-column.js'
import { writeRows } from '../table/write-rows.js'
import type { Io } from '../terminal/io.js'
import { checkOutputs } from '../terminal/outputs.js'
import { printable, printableJson } from '../terminal/printable.js'
import { progressBar } from '../terminal/progress.js'
import type { PredictOptions } from './options.js'

const BATCH = 128

/** `rlvi predict model.onnx`: what a saved network says of images. */
export async function predictImages(
  path: string,
  what: string,
  options: PredictOptions,
  io: Io,
): Promise<void> {
  checkOutputs([path], { '--rows': options.rows })
  try {
    await predictBy(path, what, options, io)
  } catch (error) {
    throw inFile(path, 'onnx file', error)
  }
}

async function predictBy(path: string, what: string, options: PredictOptions, io: Io): Promise<void> {
  const { rows, split = 'test' } = options
  const classifier = await open(path)
  try {
    const { samples, transform } = await images(what, split, classifier)
    const predictions = await ask(samples, transform, classifier)
    const table = tableOf(samples, predictions, classifier.info.classes)
    const accuracy = accuracyOf(samples, predictions, classifier.info.classes)
    if (rows !== undefined) await writeRows(rows, table, options, io)
    if (accuracy !== undefined)
      io.remark(`accuracy ${(100 * accuracy).toFixed(2)} % on ${samples.labels.length} images`)
    const summary = {
      network: classifier.info.network,
      images: samples.labels.length,
      accuracy: accuracy ?? null,
    }
    if (options.json) {
      await io.out(printableJson(rows === undefined ? { ...summary, predictions: listed(table) } : summary))
    } else if (rows === undefined) {
      // On a terminal every control character is made visible; a file or a pipe gets CSV as it is.
      for (const lines of csvLines(table, options))
        await io.out(io.terminal ? lines.split('\n').map(printable).join('\n') : lines)
    }
  } finally {
    await classifier.dispose()
  }
}

async function open(path: string): Promise<Classifier> {
  let file: Uint8Array
  try {
    file = await readFile(path)
  } catch (error) {
    throw new RlviError(path, 'could not be read', phrase(systemError(error)), 'check the path')
  }
  return onnxClassifier(file)
}

/** The images as the network takes them, and how their values are scaled. */
async function images(
  what: string,
  part: 'train' | 'test',
  { info }: Classifier,
): Promise<{ samples: Samples; transform: Transform }> {
  const [channels, height, width] = info.image
  if (channels !== 1 && channels !== 3)
    throw new RlviError(
      'model',
      'images of 1 or 3 channels can be read',
      channels,
      'use it in another program',
    )
  const { mean, sd } = info.normalisation
  const options: LoadOptions = { size: height, channels }
  const bar = progressBar('images')
  try {
    if (height === width && (await isFlat(what)))
      return { samples: await listFlat(what, options), transform: { mean, sd } }
    const data = await loadData(what, { ...options, onProgress: (done, total) => bar.update(done / total) })
    const samples = part === 'test' ? (data.test ?? data.train) : data.train
    if (samples.channels !== channels || samples.height !== height || samples.width !== width) {
      const rule = `the network needs images of ${info.image.join(' x ')}`
      throw new RlviError(what, rule, `${samples.channels} x ${samples.height} x ${samples.width}`)
    }
    return { samples, transform: { ...data.preparation.test, mean, sd } }
  } finally {
    bar.hide()
  }
}

interface NetworkPredictions {
  readonly suggested: Int32Array
  readonly probability: Float32Array
  /** -log P(label), where all of the set's classes are the network's. */
  readonly loss?: Float32Array
}

/** Smaller probabilities are 0 in float32. */
const LEAST = 2 ** -149

async function ask(
  samples: Samples,
  transform: Transform,
  classifier: Classifier,
): Promise<NetworkPredictions> {
  const n = samples.labels.length
  const k = classifier.info.classes.length
  const suggested = new Int32Array(n)
  const probability = new Float32Array(n)
  const known = knownLabels(samples, classifier.info.classes)
  const loss = known === undefined ? undefined : new Float32Array(n)
  const bar = progressBar('predict')
  const loader = openLoader(samples, { batch: BATCH, seed: 0 })
  let at = 0
  try {
    const order = Int32Array.from({ length: n }, (_, i) => i)
    for await (const { x, y } of loader.batches({ order, transform })) {
      const all = await classifier.probabilities(x)
      for (let i = 0; i < y.length; i++) {
        const row = all.subarray(i * k, (i + 1) * k)
        const best = row.indexOf(Math.max(...row))
        suggested[at + i] = best
        probability[at + i] = row[best]!
        if (loss !== undefined) loss[at + i] = -Math.log(Math.max(row[known![y[i]!]!]!, LEAST))
      }
      at += y.length
      bar.update(at / n)
    }
  } finally {
    bar.hide()
    await loader.close()
  }
  return { suggested, probability, ...(loss === undefined ? {} : { loss }) }
}

/** A line for each image: its number, its file if it has one, its label if it has one, and what the network says. */
function tableOf(samples: Samples, predictions: NetworkPredictions, classes: readonly string[]): OutTable {
  const { paths, labels } = samples
  const columns: OutColumn[] = [numberColumn]
  if (paths !== undefined) columns.push({ name: 'file', kind: 'text', at: (row) => paths[row]! })
  if (isLabelled(samples))
    columns.push({ name: 'label', kind: 'text', at: (row) => samples.classes[labels[row]!]! })
  columns.push({ name: 'predicted', kind: 'number', at: (row) => predictions.probability[row]! })
  columns.push({ name: 'suggested', kind: 'text', at: (row) => classes[predictions.suggested[row]!]! })
  const { loss } = predictions
  if (loss !== undefined) columns.push({ name: 'loss', kind: 'number', at: (row) => loss[row]! })
  return { rows: labels.length, columns }
}

function isLabelled({ classes }: Samples): boolean {
  return classes.length > 1 || classes[0] !== ''
}

/** The network's class of each class of the set, by name, where it has all of them. */
function knownLabels(samples: Samples, classes: readonly string[]): readonly number[] | undefined {
  const known = samples.classes.map((name) => classes.indexOf(name))
  return !isLabelled(samples) || known.includes(-1) ? undefined : known
}

function accuracyOf(
  samples: Samples,
  { suggested }: NetworkPredictions,
  classes: readonly string[],
): number | undefined {
  const known = knownLabels(samples, classes)
  if (known === undefined) return undefined
  let right = 0
  for (const [i, label] of samples.labels.entries()) if (known[label] === suggested[i]) right++
  return right / samples.labels.length
}

function listed(table: OutTable): object[] {
  return Array.from({ length: table.rows }, (_, row) =>
    Object.fromEntries(table.columns.map(({ name, at }) => [name, at(row)])),
  )
}
