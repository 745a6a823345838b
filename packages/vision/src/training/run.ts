import {
  type Executor,
  type Model,
  openTraining,
  type StoredTensor,
  type Training,
  type TrainOptions,
} from '@rlvi/nn'
import type { Method } from '@rlvi/nn/methods'
import { adam, cosine, type Group, linearDecay, multiStep, type Schedule, sgd } from '@rlvi/nn/optim'
import type { DataSet } from '../data/data-set.js'
import { type DataSplits, dataSplits, type SplitOptions } from './data-splits.js'
import { network } from './networks.js'
import type { Settings } from './settings.js'
import { withWarmUp } from './warm-up.js'

/** What is trained, on which data, and how. */
export interface RunOptions extends Pick<TrainOptions, 'checkpoint' | 'resume' | 'signal' | 'onProgress'> {
  readonly data: DataSet
  readonly settings: Settings
  readonly method: Method
  readonly executor: Executor
  readonly seed: number
  /** Noise to be made on purpose. */
  readonly noise?: SplitOptions['noise']
  /** Whether all weights stay 1 until every class is known a little: for sets smaller than the paper's. */
  readonly warmUp?: boolean
  /** Pre-trained weights; the last layer, `fc`, starts anew. */
  readonly weights?: ReadonlyMap<string, StoredTensor>
}

/** A training run on a data set, ready to go through its epochs. */
export interface Run {
  readonly model: Model
  readonly splits: DataSplits
  readonly training: Training
  close(): Promise<void>
}

/**
 * Makes a training run on a data set ready: splits it, builds the network, and takes up a checkpoint where there is one.
 *
 * @example
 * const data = await loadData('photos')
 * const settings = settingsFor(data.name, data.train)
 * const method = methodOf('rlvi')
 * const run = await openRun({ data, settings, method, executor: onnxExecutor(), seed: 0, warmUp: true })
 * for await (const { epoch, validation } of run.training.epochs()) console.log(epoch, validation)
 * await run.close()
 */
export async function openRun(options: RunOptions): Promise<Run> {
  const { data, settings, method, seed, noise, weights } = options
  const { channels, height, width } = data.train
  const model = network(settings.network, {
    classes: data.classes.length,
    image: [channels, height, width],
    ...(method.dropout === undefined ? {} : { dropout: method.dropout.rate }),
  })
  const splits = dataSplits(data, { batch: settings.batch, seed, ...(noise === undefined ? {} : { noise }) })
  const { checkpoint, resume, signal, onProgress } = options
  const warmUp = {
    labels: splits.training.labels,
    epochs: settings.epochs,
    validation: splits.validation.samples,
  }
  try {
    const training = await openTraining({
      model,
      method: options.warmUp === true ? withWarmUp(method, warmUp) : method,
      executor: options.executor,
      data: splits.training,
      validation: splits.validation,
      ...(splits.test === undefined ? {} : { test: splits.test }),
      epochs: settings.epochs,
      seed,
      ...optimisation(settings),
      ...(weights === undefined ? {} : { weights: { tensors: weights, fresh: isHead } }),
      ...(checkpoint === undefined ? {} : { checkpoint }),
      ...(resume === undefined ? {} : { resume }),
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    })
    const close = async (): Promise<void> => {
      await training.dispose()
      await splits.close()
    }
    return { model, splits, training, close }
  } catch (error) {
    await splits.close()
    throw error
  }
}

/** Also in a method's second network, whose names have a prefix. */
const isHead = (name: string): boolean => /(^|\.)fc\./.test(name)

/** Optimizer, groups and schedules, as the paper has them for the network. */
export function optimisation(settings: Settings): Pick<TrainOptions, 'optimizer' | 'groups' | 'schedule'> {
  const { learningRate, weightDecay, backbone } = settings
  const optimizer =
    settings.optimizer === 'adam' ? adam({ weightDecay }) : sgd({ momentum: 0.9, weightDecay })
  if (backbone === 1) return { optimizer, schedule: scheduleOf(settings, learningRate) }
  const groups: readonly Group[] = [
    { rate: 'rate.head', has: isHead },
    { rate: 'rate.backbone', has: (name) => !isHead(name) },
  ]
  const schedule = {
    'rate.head': scheduleOf(settings, learningRate),
    'rate.backbone': scheduleOf(settings, learningRate * backbone),
  }
  return { optimizer, groups, schedule }
}

/** The full rate lasts for this share of the epochs, and from this one on it is low: 20 and 40 of the 48 epochs that LeNet has on 2,000 images. */
const HELD = 0.42
const LOW = 0.83

function scheduleOf({ schedule, epochs }: Settings, rate: number): Schedule {
  switch (schedule) {
    case 'linear':
      return linearDecay(rate)
    case 'scaled':
      return linearDecay(rate, { hold: Math.round(HELD * epochs), end: Math.round(LOW * epochs) })
    case 'cosine':
      return cosine(rate, epochs)
    case 'multi-step':
      return multiStep(rate, [10, 20, 30], 0.2)
  }
}
