import {
  type CudaOptions,
  cudaEnsemble,
  cudaExecutor,
  type EnsembleMember,
  type Executor,
  onnxExecutor,
  readWeightFile,
  referenceExecutor,
  type StoredTensor,
} from '@rlvi/nn'
import {
  byNetwork,
  type DataSet,
  isInPaper,
  type Look,
  limited,
  loadData,
  look,
  type NetworkName,
  ownSettings,
  readingFor,
  type Settings,
  settingsFor,
} from '@rlvi/vision'
import { progressBar } from '../terminal/progress.js'
import { UsageError } from '../terminal/usage.js'
import type { ExecutorChoice, LearningOptions } from './options.js'
import { needParts } from './parts.js'

/** Images, and what some of them looked like before they were read, where they are a folder. */
export interface Loaded {
  readonly data: DataSet
  readonly seen: Look | undefined
}

/**
 * The images, limited as was asked; a remark says what was left alone. What they look like decides how they are read, where
 * nothing was asked for.
 */
export async function loadImages(
  what: string,
  options: LearningOptions,
  remark: (line: string) => void,
  unreadable: 'refuse' | 'list' = 'refuse',
): Promise<Loaded> {
  await needParts(`network for ${what}`, options.executor)
  const bar = progressBar('images')
  const { size, grey, fit } = options
  try {
    const seen = await look(what)
    const given = { ...(size === undefined ? {} : { size }), ...(grey ? { channels: 1 as const } : {}) }
    const data = await loadData(what, {
      ...(seen === undefined
        ? given
        : readingFor(seen, { ...given, network: options.network, card: options.executor === 'cuda' })),
      ...(fit === undefined ? {} : { fit }),
      unreadable,
      onProgress: (done, total) => bar.update(done / total),
    })
    bar.hide()
    const folderOnly = { '--size': size !== undefined, '--grey': grey, '--fit': fit !== undefined }
    const [flag] = Object.entries(folderOnly).find(([, given]) => given) ?? []
    if (data.train.paths === undefined && flag !== undefined)
      throw new UsageError(flag, 'is for folders of images', what, 'leave it out')
    const skipped = data.train.skipped ?? []
    if (skipped.length > 0)
      remark(`${skipped.length} files that are no images were left alone, the first is ${skipped[0]}`)
    return { data: limited(data, options.limit, options.seed), seen }
  } finally {
    bar.hide()
  }
}

/** The paper's settings for the data, with what was asked for in their place. */
export function settingsOf(data: DataSet, options: LearningOptions): Settings {
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
export function isSmall({ name }: DataSet, { limit }: LearningOptions): boolean {
  return limit !== undefined || !isInPaper(name)
}

export function executorOf(choice: ExecutorChoice): Executor {
  const { executor, threads } = choice
  if (executor === 'cuda') return cudaExecutor(cudaOptions(choice))
  if (executor === 'reference') return referenceExecutor()
  return onnxExecutor(threads === undefined ? {} : { threads })
}

/** What makes executors whose networks are trained as one program, on a card. */
export function ensembleOf(choice: ExecutorChoice): {
  readonly ensemble?: (members: number) => readonly EnsembleMember[]
} {
  if (choice.executor !== 'cuda') return {}
  return { ensemble: (members) => cudaEnsemble(members, cudaOptions(choice)) }
}

function cudaOptions({ precision, device }: ExecutorChoice): CudaOptions {
  return {
    ...(precision === undefined ? {} : { precision }),
    ...(device === undefined ? {} : { device }),
  }
}

/** A file that is read, and must not be written to. */
export function weightFiles({ weights }: { readonly weights?: string | undefined }): string[] {
  return weights === undefined ? [] : [weights]
}

export async function weightsOf(
  path: string | undefined,
): Promise<{ readonly weights?: ReadonlyMap<string, StoredTensor> }> {
  return path === undefined ? {} : { weights: await readWeightFile(path) }
}
