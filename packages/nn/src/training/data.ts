import { RlviError } from 'rlvi'
import { seeded } from 'rlvi/random'
import type { StoredBatch } from '../executors/executor.js'

/** Some samples with their labels. The arrays may be filled anew when the next batch is asked for. */
export interface LabelledBatch {
  /** samples x channels x height x width. */
  readonly x: Float32Array
  readonly y: Int32Array
}

/** The same samples as bytes that an executor may keep. The arrays are not filled anew. */
export interface StoredLabelledBatch {
  readonly x: StoredBatch
  readonly y: Int32Array
}

/** Some samples to learn from. */
export interface TrainingBatch extends LabelledBatch {
  /** Which training samples these are, from 0 to `samples` - 1. */
  readonly indices: Int32Array
}

/** The same with its images as bytes. */
export interface StoredTrainingBatch extends StoredLabelledBatch {
  readonly indices: Int32Array
}

/** What is learned from. */
export interface TrainingData {
  readonly samples: number
  /** Samples of a batch; the last one of an epoch may have fewer. */
  readonly batch: number
  /** The given labels, by sample; a checkpoint is only taken up with the same ones. */
  readonly labels: ArrayLike<number>
  /** A checksum of the samples themselves, asked for where there is a checkpoint: it is only taken up with the same one. */
  fingerprint?(): Promise<string>
  /** Which labels are wrong (not 0), where that is known: only to measure what a method keeps. */
  readonly corrupt?: ArrayLike<number>
  /**
   * One pass: every sample once, in an order that depends on the epoch (the first is 1) and on nothing before, from
   * batch number `start` (from 0) on.
   */
  batches(epoch: number, start: number): AsyncIterable<TrainingBatch>
  /** The same batches as bytes, for executors that keep images. */
  stored?(epoch: number, start: number): Iterable<StoredTrainingBatch>
}

/** What a model is measured on. */
export interface EvaluationData {
  readonly samples: number
  batches(): AsyncIterable<LabelledBatch>
  /** The same batches as bytes, for executors that keep images. */
  stored?(): Iterable<StoredLabelledBatch>
}

/** Samples in memory, as they are fed: normalised, samples x channels x height x width. */
export interface MemoryOptions {
  readonly x: Float32Array
  readonly labels: ArrayLike<number>
  readonly batch: number
  /** Seeds the order of the samples. Default 1. */
  readonly seed?: number
  readonly corrupt?: ArrayLike<number>
}

/** Training samples that are in memory as they are fed. */
export function memoryData(options: MemoryOptions): TrainingData {
  const { labels, batch, seed = 1, corrupt } = options
  const samples = labels.length
  const image = imageLength(options)
  const x = new Float32Array(batch * image)
  async function* batches(epoch: number, start: number): AsyncGenerator<TrainingBatch> {
    const order = shuffled(samples, seeded(seed, 'order', epoch))
    for (let at = start * batch; at < samples; at += batch) {
      const indices = order.slice(at, at + batch)
      indices.forEach((sample, k) => {
        x.set(options.x.subarray(sample * image, (sample + 1) * image), k * image)
      })
      yield {
        x: x.subarray(0, indices.length * image),
        y: Int32Array.from(indices, (i) => labels[i]),
        indices,
      }
    }
  }
  return corrupt ? { samples, batch, labels, corrupt, batches } : { samples, batch, labels, batches }
}

/** Samples in memory to measure on, in order. */
export function memoryEvaluation(options: Omit<MemoryOptions, 'corrupt' | 'seed'>): EvaluationData {
  const { labels, batch } = options
  const samples = labels.length
  const image = imageLength(options)
  async function* batches(): AsyncGenerator<LabelledBatch> {
    for (let at = 0; at < samples; at += batch) {
      const end = Math.min(samples, at + batch)
      yield {
        x: options.x.subarray(at * image, end * image),
        y: Int32Array.from({ length: end - at }, (_, k) => labels[at + k]),
      }
    }
  }
  return { samples, batches }
}

function imageLength({ x, labels, batch }: MemoryOptions): number {
  if (!(Number.isInteger(batch) && batch >= 1)) throw new RlviError('batch', 'must be at least 1', batch)
  if (labels.length === 0) throw new RlviError('data', 'at least one sample is needed', 0)
  const length = x.length / labels.length
  if (!Number.isInteger(length)) {
    throw new RlviError('data', `the values must divide evenly among ${labels.length} samples`, x.length)
  }
  return length
}

function shuffled(n: number, uniform: () => number): Int32Array {
  const order = Int32Array.from({ length: n }, (_, i) => i)
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(uniform() * (i + 1))
    const value = order[i]
    order[i] = order[j]
    order[j] = value
  }
  return order
}
