import { type Matrix, matrix } from 'rlvi'
import type { Draws } from 'rlvi/random'
import { type ActivityData, FIRST_MOVING } from './data/activity.js'
import { corruptionLaw, drawPert } from './pert.js'

/** How many rows of each chunk a model learns from, and how many it is tested on. */
export interface ChunkSize {
  readonly train: number
  readonly test: number
}

/** A part of the stream: which rows are tested on (with clean labels), and which are learned from. */
export interface Chunk {
  readonly test: Uint32Array
  readonly train: Uint32Array
}

/** What a model is given: scaled features, and labels of which some positives are flipped. */
export interface OnlineBatch {
  readonly x: Matrix
  readonly y: Float64Array
  /** The labels before any was flipped. */
  readonly truth: Float64Array
  readonly flipped: number
  readonly testX: Matrix
  readonly testY: Float64Array
}

/** The rows in random order, cut into chunks without replacement: first the test rows, then the training rows. */
export function chunksOf(rows: number, { train, test }: ChunkSize, stream: Draws): Chunk[] {
  const order = shuffled(rows, stream)
  const chunks: Chunk[] = []
  for (let from = 0; from < rows; from += train + test) {
    const chunk = order.subarray(from, from + train + test)
    const cut = Math.floor((chunk.length * test) / (train + test))
    chunks.push({ test: chunk.subarray(0, cut), train: chunk.subarray(cut) })
  }
  return chunks
}

/** Fisher and Yates's shuffle. */
export function shuffled(count: number, stream: Draws): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i--) {
    const k = Math.floor(stream.uniform(0, i + 1))
    const moved = order[i] ?? 0
    order[i] = order[k] ?? 0
    order[k] = moved
  }
  return order
}

/** A chunk as a model sees it: scaled by the training rows, and a random share of the positive training labels set to 0. */
export function batchOf(data: ActivityData, chunk: Chunk, stream: Draws): OnlineBatch {
  const scaling = scalingOf(data.features, chunk.train)
  const truth = labelsOf(data, chunk.train)
  const y = truth.slice()
  const flipped = flipPositives(y, drawPert(stream, corruptionLaw), stream)
  return {
    x: scaled(data.features, chunk.train, scaling),
    y,
    truth,
    flipped,
    testX: scaled(data.features, chunk.test, scaling),
    testY: labelsOf(data, chunk.test),
  }
}

function labelsOf(data: ActivityData, rows: Uint32Array): Float64Array {
  return Float64Array.from(rows, (row) => ((data.activity[row] ?? 0) >= FIRST_MOVING ? 1 : 0))
}

/** Sets floor(share · positives) of the positive labels to 0, at random; returns how many. Negatives stay as they are. */
export function flipPositives(y: Float64Array, share: number, stream: Draws): number {
  const positives = [...y.keys()].filter((i) => y[i] === 1)
  const count = Math.floor(share * positives.length)
  const order = shuffled(positives.length, stream)
  for (const k of order.subarray(0, count)) y[positives[k] ?? 0] = 0
  return count
}

interface Scaling {
  readonly means: Float64Array
  readonly deviations: Float64Array
}

/** Mean and standard deviation (of the population) of each feature; 1 for a feature that does not vary. */
function scalingOf({ cols, values }: Matrix, rows: Uint32Array): Scaling {
  const means = new Float64Array(cols)
  const deviations = new Float64Array(cols)
  for (let j = 0; j < cols; j++) {
    let sum = 0
    for (const row of rows) sum += values[row * cols + j] ?? 0
    const mean = sum / rows.length
    let squares = 0
    for (const row of rows) squares += ((values[row * cols + j] ?? 0) - mean) ** 2
    means[j] = mean
    const deviation = Math.sqrt(squares / rows.length)
    // A constant's deviation is 0 but for rounding.
    deviations[j] = deviation > 1e-12 * Math.abs(mean) ? deviation : 1
  }
  return { means, deviations }
}

function scaled(features: Matrix, rows: Uint32Array, { means, deviations }: Scaling): Matrix {
  const { cols } = features
  const out = matrix(rows.length, cols)
  for (const [i, row] of rows.entries()) {
    for (let j = 0; j < cols; j++) {
      const value = features.values[row * cols + j] ?? 0
      out.values[i * cols + j] = (value - (means[j] ?? 0)) / (deviations[j] ?? 1)
    }
  }
  return out
}
