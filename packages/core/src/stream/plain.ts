import { type Matrix, matrix } from '../matrix.js'
import type { Learner } from './descend.js'
import type { Predicted, StreamModel } from './model.js'
import type { Scales } from './scaling.js'
import type { StreamLearner, StreamState } from './state.js'

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

export function learnerFrom({ rows, params, memory }: StreamLearner): Learner {
  return { rows, params: typed(params), memory: typed(memory) }
}

export function plainLearner({ rows, params, memory }: Learner): StreamLearner {
  return { rows, params: plain(params), memory: plain(memory) }
}

export function scalesFrom({ scaling: { rows, means, scales } }: StreamState): Scales {
  return { rows, means: typed(means), scales: typed(scales) }
}

/** Float64Array.from, which walks an iterator, takes several times as long. */
function typed(values: readonly number[]): Float64Array {
  const out = new Float64Array(values.length)
  for (let j = 0; j < out.length; j++) out[j] = values[j]
  return out
}

export function predictedRoom(model: StreamModel, rows: number): Predicted {
  return {
    values: new Float64Array(rows),
    probabilities: new Float64Array(rows * (model.labels ?? 0)),
  }
}

export function probabilitiesOf(model: StreamModel, rows: number, predicted: Predicted): Matrix | undefined {
  return model.labels === undefined ? undefined : matrix(rows, model.labels, predicted.probabilities)
}
