import { designColumns } from '@rlvi/estimator'
import { type StreamResult, type StreamState, stream } from 'rlvi'
import type { Batch } from './batch.js'
import type { Plan } from './checkpoint.js'
import type { Choices } from './options.js'

/** The model as it learns: every batch is first predicted, then judged, then learned. */
export interface Learner {
  learn(plan: Plan, rows: ReturnType<Batch['take']>): StreamResult
  /** Undefined before the first batch. */
  readonly state: StreamState | undefined
}

export function learner(choices: Choices, saved: StreamState | undefined): Learner {
  let state = saved
  return {
    learn({ features }, { x, y }) {
      state ??= begin(choices, designColumns(features).length)
      const learned = stream.update(state, { x, y })
      state = learned.state
      return learned.result
    },
    get state() {
      return state
    },
  }
}

function begin({ model, classes, method, epsilon }: Choices, features: number): StreamState {
  return stream.init({
    model,
    features,
    method,
    ...(model === 'softmax' ? { classes: classes!.length } : {}),
    ...(epsilon === null ? {} : { epsilon }),
  })
}
