import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { atomically } from '@rlvi/io'
import { exportOnnx, reportedEpoch } from '@rlvi/nn'
import { writeTable } from '@rlvi/tables'
import {
  assumedLevel,
  checkpointFile,
  type DataSet,
  type EpochLine,
  lineOf,
  methodOf,
  methodTitles,
  openRun,
  type Run,
  type Settings,
} from '@rlvi/vision'
import { RlviError } from 'rlvi'
import { checkOutputs } from '../outputs.js'
import type { Io } from '../terminal/io.js'
import { printable, printableJson } from '../terminal/printable.js'
import { type ProgressBar, progressBar } from '../terminal/progress.js'
import { writeBytes } from '../write-bytes.js'
import { executorOf, isSmall, loadImages, settingsOf, weightsOf } from './learn.js'
import { lineWriter, logTable } from './lines.js'
import { type TrainFlags, type TrainOptions, trainOptions } from './options.js'
import { stopOnInterrupt } from './stop.js'

/** `rlvi train`: a network that learns from the good labels of a data set. */
export async function trainCommand(what: string, flags: TrainFlags, io: Io): Promise<void> {
  const options = trainOptions(flags)
  await checkOutputs([], { '--save': options.save, '--log': options.log })
  await checkCheckpoint(options, io)
  const data = await loadImages(what, options, io)
  const settings = settingsOf(data, options)
  const { noise, checkpoint, seed } = options
  const told = options.assume ?? (noise === undefined ? undefined : assumedLevel(noise.type, noise.rate))
  const method = methodOf(options.method, told)
  const bar = progressBar(printable(data.name))
  const stop = checkpoint === undefined ? undefined : stopOnInterrupt()
  try {
    const run = await openRun({
      data,
      settings,
      method,
      executor: executorOf(options.executor, options.threads),
      warmUp: isSmall(data, options),
      seed,
      ...(noise === undefined ? {} : { noise }),
      ...(await weightsOf(options.weights)),
      ...(checkpoint === undefined ? {} : { checkpoint: checkpointFile(checkpoint), resume: options.resume }),
      ...(stop === undefined ? {} : { signal: stop.signal }),
      onProgress: ({ epoch, step, steps }) =>
        bar.update((epoch - 1 + step / steps) / settings.epochs, `epoch ${epoch} of ${settings.epochs}`),
    })
    try {
      const lines = await goThrough(run, options, bar, headOf(data, settings, options, run), io)
      if (lines.length < settings.epochs) throw stopped(lines.length, settings.epochs)
      if (options.save !== undefined) await save(options.save, run, data)
      const reported = reportedEpoch(method, run.training.state.history)!.epoch
      await tell(data, settings, options, run, lines, reported, io)
    } finally {
      await run.close()
    }
  } finally {
    bar.hide()
    stop?.release()
  }
}

/** The epochs, a line for each as it comes; the log is whole after every one. */
async function goThrough(
  { training }: Run,
  { json, log }: TrainOptions,
  bar: ProgressBar,
  head: string,
  io: Io,
): Promise<EpochLine[]> {
  const write = lineWriter()
  const lines = training.state.history.map(lineOf)
  if (!json) await io.out(`${printable(head)}\n${lines.map(write).join('')}`)
  for await (const metrics of training.epochs()) {
    const line = lineOf(metrics)
    lines.push(line)
    bar.hide()
    if (!json) await io.out(write(line))
    if (log !== undefined) await writeTable(log, logTable(lines))
  }
  bar.hide()
  // Of a run that was finished before, the log may still be wanted.
  if (log !== undefined) await writeTable(log, logTable(lines))
  return lines
}

function headOf(data: DataSet, { network }: Settings, options: TrainOptions, { splits }: Run): string {
  const { noise } = options
  const labels = noise === undefined ? '' : `, ${noise.type} noise ${Number((100 * noise.rate).toFixed(2))} %`
  const counts = `${splits.indices.train.length} images to train on, ${splits.indices.validation.length} to validate`
  const test = splits.test === undefined ? '' : `, ${splits.test.samples} to test`
  return `${data.name}: ${network}, ${methodTitles[options.method]}${labels}, seed ${options.seed}; ${counts}${test}`
}

async function checkCheckpoint({ checkpoint, resume }: TrainOptions, io: Io): Promise<void> {
  if (checkpoint === undefined) return
  const there = await stat(join(checkpoint, 'checkpoint.safetensors')).catch(() => undefined)
  if (there !== undefined && !resume) {
    const todo = 'add --resume to go on with it, or choose another folder'
    throw new RlviError(checkpoint, 'a folder without a checkpoint is needed', 'one of an earlier run', todo)
  }
  if (there === undefined && resume) io.remark(`no checkpoint in ${checkpoint} yet: starting anew`)
}

/** The network, with what must be known to use it, as a file for any ONNX runtime. */
async function save(
  path: string,
  { model, training }: Run,
  { classes, preparation }: DataSet,
): Promise<void> {
  const { mean, sd } = preparation.test
  const file = exportOnnx(model, await training.weights(), { classes, normalisation: { mean, sd } })
  await atomically(path, (to) => writeBytes(to, file))
}

function stopped(done: number, epochs: number): RlviError {
  const rule = `stopped before all ${epochs} epochs were done`
  return new RlviError('rlvi train', rule, done, 'the same command with --resume goes on')
}

async function tell(
  data: DataSet,
  settings: Settings,
  options: TrainOptions,
  { splits, training }: Run,
  lines: readonly EpochLine[],
  reported: number,
  io: Io,
): Promise<void> {
  const line = lines[reported - 1]!
  const accuracy = line.test ?? line.validation
  if (options.json) {
    const { noise, method, seed } = options
    const result = {
      dataset: data.name,
      network: settings.network,
      method,
      noise: noise?.type ?? null,
      rate: noise?.rate ?? null,
      seed,
      images: {
        train: splits.indices.train.length,
        validation: splits.indices.validation.length,
        test: splits.test?.samples ?? 0,
      },
      accuracy,
      measuredOn: line.test === undefined ? 'validation' : 'test',
      level: training.state.level ?? null,
      epochs: lines,
    }
    await io.out(printableJson(result))
    return
  }
  const on = line.test === undefined ? 'validation' : 'test'
  const best = reported === lines.length ? '' : ` (after epoch ${reported}, which validates best)`
  await io.out(`${on} accuracy ${(100 * accuracy).toFixed(2)} %${best}\n`)
  if (options.save !== undefined) await io.out(`saved: ${printable(options.save)}\n`)
}
