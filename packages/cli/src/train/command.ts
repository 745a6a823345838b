import { hearSignals, writeAtomic } from '@rlvi/io'
import { exportOnnx, reportedEpoch } from '@rlvi/nn'
import { writeTable } from '@rlvi/tables'
import {
  assumedLevel,
  checkpointFile,
  type DataSet,
  type EpochLine,
  lineOf,
  methodOf,
  openRun,
  type Run,
} from '@rlvi/vision'
import { RlviError } from 'rlvi'
import type { Io } from '../terminal/io.js'
import { checkOutputs } from '../terminal/outputs.js'
import { printable, printableJson } from '../terminal/printable.js'
import { type ProgressBar, progressBar } from '../terminal/progress.js'
import { alone, checkCheckpoint } from './checkpoint.js'
import { toJson } from './json.js'
import { executorOf, isSmall, loadImages, settingsOf, weightFiles, weightsOf } from './learn.js'
import { levelRemarks } from './level-remarks.js'
import { lineWriter, logTable } from './lines.js'
import type { TrainOptions } from './options.js'
import { headText, toText } from './text.js'
import { seenBy } from './trained.js'

/** `rlvi train`: a network that learns from the good labels of a data set. */
export async function trainCommand(what: string, options: TrainOptions, io: Io): Promise<void> {
  const { checkpoint, save, log } = options
  checkOutputs(weightFiles(options), { '--save': save, '--log': log })
  await alone(checkpoint, () => train(what, options, io))
}

async function train(what: string, options: TrainOptions, io: Io): Promise<void> {
  const { noise, checkpoint, save, seed } = options
  await checkCheckpoint(options, 'checkpoint.safetensors', io)
  const { data } = await loadImages(what, options, io.remark)
  const settings = settingsOf(data, options)
  const assumed = options.assumed ?? (noise === undefined ? undefined : assumedLevel(noise.type, noise.rate))
  const method = methodOf(options.method, assumed)
  const bar = progressBar(printable(data.name))
  const stop = checkpoint === undefined ? undefined : hearSignals()
  try {
    const run = await openRun({
      data,
      settings,
      method,
      executor: executorOf(options),
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
      const head = headText({ data, settings, options, run })
      const lines = await goThrough(run, options, bar, head, io)
      if (lines.length < settings.epochs) throw stopped(lines.length, settings.epochs)
      if (save !== undefined) await saveNetwork(save, run, data)
      const reported = reportedEpoch(method, run.training.state.history)!.epoch
      const trained = { data, settings, options, run, lines, reported }
      await io.out(options.json ? printableJson(toJson(trained)) : toText(trained))
      for (const line of levelRemarks(run.training.state.level, seenBy(trained))) io.remark(line)
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
  if (!json) await io.out(`${head}${lines.map(write).join('')}`)
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

/** The network, with what must be known to use it, as a file for any ONNX runtime. */
async function saveNetwork(
  path: string,
  { model, training }: Run,
  { classes, preparation }: DataSet,
): Promise<void> {
  const { mean, sd } = preparation.test
  const file = exportOnnx(model, await training.weights(), { classes, normalisation: { mean, sd } })
  await writeAtomic(path, file)
}

function stopped(done: number, epochs: number): RlviError {
  const rule = `stopped before all ${epochs} epochs were done`
  return new RlviError('rlvi train', rule, done, 'the same command with --resume goes on')
}
