import { type Executor, onnxExecutor, readWeightFile, referenceExecutor, type StoredTensor } from '@rlvi/nn'
import {
  byNetwork,
  type DataSet,
  isInPaper,
  limited,
  loadData,
  type NetworkName,
  ownSettings,
  type Settings,
  settingsFor,
} from '@rlvi/vision'
import type { Io } from '../terminal/io.js'
import { progressBar } from '../terminal/progress.js'
import { UsageError } from '../terminal/usage.js'
import type { ExecutorName, LearnOptions } from './options.js'

/** The images, limited as was asked; remarks tell of what was left alone. */
export async function loadImages(what: string, options: LearnOptions, io: Io): Promise<DataSet> {
  const bar = progressBar('images')
  try {
    const data = await loadData(what, {
      ...options.images,
      onProgress: (done, total) => bar.update(done / total),
    })
    bar.hide()
    if (data.train.paths === undefined && Object.keys(options.images).length > 0) {
      const [flag = ''] = Object.keys(options.images)
      const name = flag === 'channels' ? '--grey' : `--${flag}`
      throw new UsageError(name, 'is for folders of images', what, 'leave it out')
    }
    const skipped = data.train.skipped ?? []
    if (skipped.length > 0)
      io.remark(`${skipped.length} files that are no images were left alone, the first is ${skipped[0]}`)
    return limited(data, options.limit, options.seed)
  } finally {
    bar.hide()
  }
}

/** The paper's settings for the data, with what was asked for in their place. */
export function settingsOf(data: DataSet, options: LearnOptions): Settings {
  const suited = settingsFor(data.name, data.train)
  const { network, epochs, batch, learningRate, weightDecay } = options
  const other = (name: NetworkName): Settings =>
    isInPaper(data.name) ? byNetwork[name] : ownSettings(name, data.train.labels.length)
  const base = network === undefined || network === suited.network ? suited : other(network)
  return {
    ...base,
    ...(epochs === undefined ? {} : { epochs }),
    ...(batch === undefined ? {} : { batch }),
    ...(learningRate === undefined ? {} : { learningRate }),
    ...(weightDecay === undefined ? {} : { weightDecay }),
  }
}

/** Whether there may be too few images for weights to follow the first losses; those of the paper are enough. */
export function isSmall({ name }: DataSet, { limit }: LearnOptions): boolean {
  return limit !== undefined || !isInPaper(name)
}

export function executorOf(name: ExecutorName, threads: number | undefined): Executor {
  if (name === 'reference') return referenceExecutor()
  return onnxExecutor(threads === undefined ? {} : { threads })
}

export async function weightsOf(
  path: string | undefined,
): Promise<{ readonly weights?: ReadonlyMap<string, StoredTensor> }> {
  return path === undefined ? {} : { weights: await readWeightFile(path) }
}
