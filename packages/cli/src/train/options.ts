import { extname } from 'node:path'
import {
  methodNames,
  methodsWithAssumedLevel,
  type NetworkMethod,
  type NetworkName,
  type NoiseType,
  networkNames,
  noiseTypes,
} from '@rlvi/vision'
import { oneOf, share, UsageError, wholeNumber } from '../terminal/usage.js'

/** What `train` and `audit` have in common: the data, and how a network learns from them. */
export interface LearnFlags {
  readonly network?: string
  readonly method?: string
  readonly assume?: string
  readonly epochs?: string
  readonly batch?: string
  readonly learningRate?: string
  readonly weightDecay?: string
  readonly weights?: string
  readonly executor?: string
  readonly threads?: string
  readonly limit?: string
  readonly size?: string
  readonly grey?: boolean
  readonly fit?: string
  readonly json?: boolean
  readonly seed?: string
}

export interface TrainFlags extends LearnFlags {
  readonly noise?: string
  readonly rate?: string
  readonly checkpoint?: string
  readonly resume?: boolean
  readonly save?: string
  readonly log?: string
}

export const executorNames = ['onnx', 'reference'] as const
export type ExecutorName = (typeof executorNames)[number]

export interface LearnOptions {
  /** Undefined: what suits the data. */
  readonly network: NetworkName | undefined
  readonly method: NetworkMethod
  readonly assume: number | undefined
  readonly epochs: number | undefined
  readonly batch: number | undefined
  readonly learningRate: number | undefined
  readonly weightDecay: number | undefined
  readonly weights: string | undefined
  readonly executor: ExecutorName
  /** Undefined: all cores. */
  readonly threads: number | undefined
  readonly limit: number | undefined
  /** How the images of a folder are read. */
  readonly images: {
    readonly size?: number
    readonly channels?: 1
    readonly fit?: 'crop' | 'stretch' | 'pad'
  }
  readonly json: boolean
  readonly seed: number
}

export interface TrainOptions extends LearnOptions {
  readonly noise: { readonly type: NoiseType; readonly rate: number } | undefined
  readonly checkpoint: string | undefined
  readonly resume: boolean
  readonly save: string | undefined
  readonly log: string | undefined
}

export function learnOptions(flags: LearnFlags): LearnOptions {
  const count = (flag: string, text: string | undefined, least = 1): number | undefined =>
    text === undefined ? undefined : wholeNumber(flag, text, least)
  const images = {
    ...(flags.size === undefined ? {} : { size: wholeNumber('--size', flags.size, 1) }),
    ...(flags.grey === true ? { channels: 1 as const } : {}),
    ...(flags.fit === undefined
      ? {}
      : { fit: oneOf('--fit', flags.fit, ['crop', 'stretch', 'pad'] as const) }),
  }
  return {
    network: flags.network === undefined ? undefined : oneOf('--network', flags.network, networkNames),
    method: oneOf('--method', flags.method ?? 'rlvi', methodNames),
    assume: flags.assume === undefined ? undefined : share('--assume', flags.assume),
    epochs: count('--epochs', flags.epochs),
    batch: count('--batch', flags.batch),
    learningRate: amount('--learning-rate', flags.learningRate),
    weightDecay: amount('--weight-decay', flags.weightDecay),
    weights: flags.weights,
    executor: oneOf('--executor', flags.executor ?? 'onnx', executorNames),
    threads: count('--threads', flags.threads),
    limit: count('--limit', flags.limit, 10),
    images,
    json: flags.json ?? false,
    seed: wholeNumber('--seed', flags.seed ?? '0', 0),
  }
}

export function trainOptions(flags: TrainFlags): TrainOptions {
  if (flags.noise === undefined && flags.rate !== undefined)
    throw new UsageError(
      '--rate',
      'the kind of noise is needed too',
      flags.rate,
      'add --noise symmetric, say',
    )
  if (flags.noise !== undefined && flags.rate === undefined)
    throw new UsageError('--noise', 'its rate is needed too', flags.noise, 'add --rate 0.2, say')
  if (flags.resume === true && flags.checkpoint === undefined)
    throw new UsageError('--resume', 'the folder to go on from is needed', 'none', 'add --checkpoint FOLDER')
  if (flags.save !== undefined && extname(flags.save).toLowerCase() !== '.onnx')
    throw new UsageError('--save', 'a file name that ends in .onnx is needed', flags.save)
  if (flags.log !== undefined && extname(flags.log).toLowerCase() !== '.csv')
    throw new UsageError('--log', 'a file name that ends in .csv is needed', flags.log)
  const { noise, rate } = flags
  const learn = learnOptions(flags)
  if (noise === undefined) checkTold(learn)
  return {
    ...learn,
    noise:
      noise === undefined || rate === undefined
        ? undefined
        : { type: oneOf('--noise', noise, noiseTypes), rate: share('--rate', rate) },
    checkpoint: flags.checkpoint,
    resume: flags.resume ?? false,
    save: flags.save,
    log: flags.log,
  }
}

/** Some methods must be told the share of wrong labels; noise that was added tells it. */
export function checkTold({ method, assume }: LearnOptions): void {
  if (assume !== undefined || !methodsWithAssumedLevel.includes(method)) return
  const todo = 'add --assume 0.2, say, or leave --method out'
  throw new UsageError('--method', `${method} must be told the share of wrong labels`, method, todo)
}

function amount(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!(value >= 0 && Number.isFinite(value)))
    throw new UsageError(flag, 'a number of at least 0 is needed', text)
  return value
}
