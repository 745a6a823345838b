import type { EpochMetrics, Executor, Progress, StoredTensor, Training } from '@rlvi/nn'
import type { Method } from '@rlvi/nn/methods'
import {
  assumedLevel,
  checkpointFile,
  type DataSet,
  type DataSplits,
  type EpochLine,
  fingerprint,
  imagesOf,
  limited,
  lineOf,
  methodOf,
  openRun,
  removeCheckpoint,
  settingsFor,
} from '@rlvi/vision'
import { RlviError, truncationThreshold } from 'rlvi'
import { type Cell, type CellResult, cellName } from './cell.js'

export interface CellOptions {
  readonly executor: Executor
  /** In place of the cell's method as it is: the same with other settings, for trials. */
  readonly method?: Method
  readonly weights?: ReadonlyMap<string, StoredTensor>
  /** A folder for the checkpoint of a cell that is not finished. */
  readonly checkpoint?: string
  readonly onProgress?: (progress: Progress) => void
  readonly onEpoch?: (line: EpochLine) => void
  /** Stops the training early: there is no result then, but its checkpoint is kept. */
  readonly signal?: AbortSignal
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
    method: options.method ?? methodOf(method, assumedLevel(noise, rate)),
    executor: options.executor,
    seed,
    ...(noise === 'none' ? {} : { noise: { type: noise, rate } }),
    ...(options.weights === undefined ? {} : { weights: options.weights }),
    ...(folder === undefined ? {} : { checkpoint: checkpointFile(folder) }),
    ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
  try {
    const { training } = run
    const lines: EpochLine[] = training.state.history.map((past) => lineOf(past))
    for await (const metrics of training.epochs()) {
      const line = method === 'rlvi-untruncated' ? identified(metrics, training, run.splits) : lineOf(metrics)
      lines.push(line)
      options.onEpoch?.(line)
    }
    if (lines.length < cell.epochs) {
      const todo = 'run it again: where it has a checkpoint, it goes on from there'
      throw new RlviError(cellName(cell), `needs ${cell.epochs} epochs`, lines.length, todo)
    }
    if (folder !== undefined) await removeCheckpoint(folder)
    return { cell, images: imagesOf(used), data: await fingerprint(data.train), epochs: lines }
  } finally {
    await run.close()
  }
}

/** Without truncation: what the threshold would tell apart if it were used, which is what the paper's figure shows. */
function identified(metrics: EpochMetrics, { state }: Training, { training }: DataSplits): EpochLine {
  const line = lineOf(metrics)
  const { corrupt } = training
  if (corrupt === undefined) return line
  const threshold = truncationThreshold(state.clean) ?? 0
  let [clean, kept, caught] = [0, 0, 0]
  for (let i = 0; i < state.clean.length; i++) {
    const keep = state.clean[i]! > threshold
    if (corrupt[i] !== 0) caught += keep ? 0 : 1
    else {
      clean++
      kept += keep ? 1 : 0
    }
  }
  const wrong = state.clean.length - clean
  return { ...line, threshold, cleanKept: kept / clean, corruptCaught: caught / Math.max(1, wrong) }
}
