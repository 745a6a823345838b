import type { EpochMetrics, Executor, Progress, StoredTensor, Training } from '@rlvi/nn'
import { RlviError, truncationThreshold } from 'rlvi'
import type { DataSet } from '../data/load.js'
import type { Cell, CellResult, EpochLine } from './cell.js'
import { checkpointFile, removeCheckpoint } from './checkpoint-file.js'
import { limited, type Materials } from './materials.js'
import { methodOf, toldRate } from './method-of.js'
import { openRun } from './run.js'
import { settingsFor } from './settings.js'

export interface CellOptions {
  readonly executor: Executor
  readonly weights?: ReadonlyMap<string, StoredTensor>
  /** A folder for the checkpoint of a cell that is not finished. */
  readonly checkpoint?: string
  readonly onProgress?: (progress: Progress) => void
}

/** Trains a cell. With a folder for its checkpoint it goes on where it was stopped, and cleans up when it is done. */
export async function runCell(data: DataSet, cell: Cell, options: CellOptions): Promise<CellResult> {
  const { noise, rate, seed, method } = cell
  const used = limited(data, cell.limit, seed)
  // The shares below are not in a checkpoint, so that run starts anew.
  const folder = method === 'rlvi-untruncated' ? undefined : options.checkpoint
  const run = await openRun({
    data: used,
    settings: { ...settingsFor(cell.dataset, used.train), epochs: cell.epochs },
    method: methodOf(method, toldRate(noise, rate)),
    executor: options.executor,
    seed,
    ...(noise === 'none' ? {} : { noise: { type: noise, rate } }),
    ...(options.weights === undefined ? {} : { weights: options.weights }),
    ...(folder === undefined ? {} : { checkpoint: checkpointFile(folder) }),
    ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
  })
  try {
    const { training } = run
    const lines: EpochLine[] = training.state.history.map((past) => lineOf(past))
    for await (const metrics of training.epochs())
      lines.push(
        method === 'rlvi-untruncated' ? identified(metrics, training, run.materials) : lineOf(metrics),
      )
    if (folder !== undefined) await removeCheckpoint(folder)
    return { cell, images: imagesOf(used), epochs: lines }
  } finally {
    await run.close()
  }
}

export function imagesOf({ train, test }: DataSet): CellResult['images'] {
  return { train: train.labels.length, test: test?.labels.length ?? 0 }
}

export function lineOf(metrics: EpochMetrics): EpochLine {
  const { epoch, train, validation, test, threshold, cleanKept, corruptCaught, level, seconds } = metrics
  if (validation === undefined) throw new RlviError('epoch', 'a validation accuracy is needed', 'none')
  return {
    epoch,
    train,
    validation,
    ...(test === undefined ? {} : { test }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(cleanKept === undefined ? {} : { cleanKept }),
    ...(corruptCaught === undefined ? {} : { corruptCaught }),
    ...(level === undefined ? {} : { level }),
    seconds,
  }
}

/** Without truncation: what the threshold would tell apart if it were used, which is what the paper's figure shows. */
function identified(metrics: EpochMetrics, { state }: Training, { training }: Materials): EpochLine {
  const line = lineOf(metrics)
  const { corrupt } = training
  if (corrupt === undefined) return line
  const threshold = truncationThreshold(state.pi) ?? 0
  let [clean, kept, caught] = [0, 0, 0]
  for (let i = 0; i < state.pi.length; i++) {
    const keep = state.pi[i]! > threshold
    if (corrupt[i] !== 0) caught += keep ? 0 : 1
    else {
      clean++
      kept += keep ? 1 : 0
    }
  }
  const wrong = state.pi.length - clean
  return { ...line, threshold, cleanKept: kept / clean, corruptCaught: caught / Math.max(1, wrong) }
}
