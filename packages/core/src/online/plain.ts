import { scratch } from '../kernels/scratch.js'
import { type Matrix, matrix } from '../matrix.js'
import type { OnlineModel, OnlinePredictions } from './models/model.js'
import type { Scales } from './scaling/standardise.js'
import type { Learner } from './sgd/sgd.js'
import type { OnlineLearner, OnlineState } from './state.js'

/** Between the state's plain arrays and the typed arrays that the work is done in. */

export function zeros(length: number): number[] {
  return new Array<number>(length).fill(0)
}

/** Numbers as JSON keeps them: it knows no -0. */
export function plain(values: Float64Array): number[] {
  const out = new Array<number>(values.length)
  for (let j = 0; j < values.length; j++) out[j] = values[j] + 0
  return out
}

const paramVector = scratch()
const memoryVector = scratch()
const meanVector = scratch()
const scaleVector = scratch()

/** In vectors that are good until the next call: allocating typed arrays would cost as much as learning a row. */
export function learnerFrom({ rows, params, memory }: OnlineLearner): Learner {
  return {
    rows,
    params: copied(params, paramVector(params.length)),
    memory: copied(memory, memoryVector(memory.length)),
  }
}

export function plainLearner({ rows, params, memory }: Learner): OnlineLearner {
  return { rows, params: plain(params), memory: plain(memory) }
}

export function scalesFrom({ scaling: { rows, means, scales } }: OnlineState): Scales {
  return {
    rows,
    means: copied(means, meanVector(means.length)),
    scales: copied(scales, scaleVector(scales.length)),
  }
}

/** Float64Array.from and set, which walk an iterator, take several times as long. */
function copied(values: readonly number[], out: Float64Array): Float64Array {
  for (let j = 0; j < out.length; j++) out[j] = values[j]
  return out
}

/** Vectors of the given lengths in one piece of memory. */
export function vectors(...lengths: readonly number[]): Float64Array[] {
  const buffer = new ArrayBuffer(8 * lengths.reduce((sum, length) => sum + length, 0))
  let at = 0
  return lengths.map((length) => {
    const vector = new Float64Array(buffer, 8 * at, length)
    at += length
    return vector
  })
}

/** Room for a model's predictions. */
export function predictedRoom(model: OnlineModel, rows: number): OnlinePredictions {
  return {
    values: new Float64Array(rows),
    probabilities: new Float64Array(rows * (model.labels ?? 0)),
  }
}

export function probabilitiesOf(
  model: OnlineModel,
  rows: number,
  predicted: OnlinePredictions,
): Matrix | undefined {
  return model.labels === undefined ? undefined : matrix(rows, model.labels, predicted.probabilities)
}
