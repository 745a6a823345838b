import type { EvaluationData, TrainingData } from '@rlvi/nn'
import { RlviError } from 'rlvi'
import { draws } from 'rlvi/random'
import type { DataSet } from '../data/data-set.js'
import { fingerprint } from '../data/fingerprint.js'
import { type Labels, type Samples, subset } from '../data/image-set.js'
import { type Loader, openLoader } from '../data/loading/loader.js'
import type { Transform } from '../data/loading/transform.js'
import { epochOrder, range, type Split, shuffle, split, valuesAt } from '../data/split.js'
import { addNoise, type NoiseType, type NoisyLabels, noNoise } from '../noise/noise.js'
import { openSetNoise } from '../noise/open-set.js'

/** The size of a batch, the seed, and the noise. */
export interface SplitOptions {
  readonly batch: number
  readonly seed: number
  /** Noise to add to the labels; without it they are as they are. */
  readonly noise?: { readonly type: NoiseType; readonly rate: number }
}

/** The training, validation and test parts of a data set, as `openTraining` takes them. */
export interface DataSplits {
  readonly labels: NoisyLabels
  /** Which images of the training set are trained on, and which are held out. */
  readonly indices: Split
  readonly training: TrainingData
  readonly validation: EvaluationData
  /** With the true labels, if the set has images to test on. */
  readonly test?: EvaluationData
  close(): Promise<void>
}

/** A tenth must be at least one image, and there must be something to learn from the rest. */
const LEAST = 10

/** Some of the images, drawn by the seed, to train on and to test on. */
export function limited(data: DataSet, limit: number | undefined, seed: number): DataSet {
  if (limit === undefined) return data
  if (data.human !== undefined)
    throw new RlviError('limit', 'not for labels that people gave', limit, 'leave it out')
  const some = <S extends Samples>(set: S, part: string): S => {
    const n = set.labels.length
    if (n <= limit) return set
    return subset(
      set,
      shuffle(range(n), draws(seed, 'limit', part))
        .slice(0, limit)
        .sort(),
    )
  }
  const { test } = data
  return {
    ...data,
    train: some(data.train, 'train'),
    ...(test === undefined ? {} : { test: some(test, 'test') }),
  }
}

/**
 * Splits a data set: a tenth of the training images, drawn by the seed, is held out for validation, with labels as noisy as
 * the others.
 *
 * @example
 * const splits = dataSplits(await loadData('mnist'), { batch: 32, seed: 1, noise: { type: 'pairflip', rate: 0.45 } })
 * const training = await openTraining({ ...options, data: splits.training, validation: splits.validation })
 */
export function dataSplits(data: DataSet, options: SplitOptions): DataSplits {
  const { batch, seed, noise } = options
  const { train, test, preparation } = data
  const n = train.labels.length
  if (n < LEAST) {
    const todo = 'a tenth is held out for validation, so add images'
    throw new RlviError(data.name, `at least ${LEAST} images to train on are needed`, n, todo)
  }
  const labels = noisy(data, noise, seed)
  const indices = split(n, seed)
  const loader = openLoader(train, { batch, seed })
  const testLoader = test === undefined ? undefined : openLoader(test, { batch, seed })
  return {
    labels,
    indices,
    training: {
      ...trainingOf(indices.train, labels, loader, options, preparation.train),
      fingerprint: () => fingerprint(train),
    },
    validation: evaluationOf(loader, indices.validation, preparation.test, { labels: labels.given }),
    ...(testLoader === undefined || test === undefined
      ? {}
      : { test: evaluationOf(testLoader, range(test.labels.length), preparation.test) }),
    async close() {
      await loader.close()
      await testLoader?.close()
    },
  }
}

/** The labels to learn from: those that people gave, those with noise added, or those that there are. */
function noisy(data: DataSet, noise: SplitOptions['noise'], seed: number): NoisyLabels {
  if (data.human !== undefined) {
    if (noise === undefined) return data.human
    throw new RlviError('noise', `${data.name} has wrong labels of its own`, noise.type, 'leave it out')
  }
  if (data.open) {
    if (noise !== undefined) return openSetNoise(data.train, { ...noise, seed })
    const todo = 'add `noise`, such as symmetric at a rate of 0.2'
    throw new RlviError('noise', `${data.name} is made with noise`, 'none', todo)
  }
  return noise === undefined ? noNoise(data.train.labels) : addNoise(data.train, { ...noise, seed })
}

function trainingOf(
  members: Int32Array,
  { given, corrupt, expected }: NoisyLabels,
  loader: Loader,
  { batch, seed }: SplitOptions,
  transform: Transform,
): TrainingData {
  const positions = range(members.length)
  /** The samples of an epoch by their places among the members, and the images that they are. */
  const orderOf = (epoch: number): { readonly places: Int32Array; readonly order: Int32Array } => {
    const places = epochOrder(positions, seed, epoch)
    return { places, order: valuesAt(members, places) }
  }
  const isStorable = loader.stored({ order: new Int32Array(0), transform }) !== undefined
  const known = expected > 0 ? { corrupt: Uint8Array.from(members, (i) => corrupt[i]!) } : {}
  return {
    samples: members.length,
    batch,
    labels: valuesAt(given, members),
    ...known,
    async *batches(epoch, start) {
      const { places, order } = orderOf(epoch)
      let at = start * batch
      for await (const { x, y } of loader.batches({ order, transform, epoch, start, labels: given })) {
        yield { x, y, indices: places.slice(at, at + y.length) }
        at += y.length
      }
    },
    ...(isStorable
      ? {
          *stored(epoch: number, start: number) {
            const { places, order } = orderOf(epoch)
            let at = start * batch
            for (const { x, y } of loader.stored({ order, transform, epoch, start, labels: given })!) {
              yield { x, y, indices: places.subarray(at, at + y.length) }
              at += y.length
            }
          },
        }
      : {}),
  }
}

/** Some samples in their order, to measure on. */
export function evaluationOf(
  loader: Loader,
  order: Int32Array,
  transform: Transform,
  options: { readonly labels?: Labels; readonly epoch?: number } = {},
): EvaluationData {
  const pass = { order, transform, ...options }
  const isStorable = loader.stored({ ...pass, order: new Int32Array(0) }) !== undefined
  return {
    samples: order.length,
    batches: () => loader.batches(pass),
    ...(isStorable ? { stored: () => loader.stored(pass)! } : {}),
  }
}
