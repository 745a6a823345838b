import { designColumns } from '@rlvi/estimator'
import { type OnlineResult, type OnlineState, online } from 'rlvi'
import type { Batch } from './input/batch.js'
import type { Choices } from './options.js'
import type { Plan } from './state/checkpoint.js'

/** The model as it learns: every batch is first predicted, then learned. */
export interface Learner {
  learn(plan: Plan, rows: ReturnType<Batch['take']>): OnlineResult
  /** Undefined before the first batch. */
  readonly state: OnlineState | undefined
}

export function learner(choices: Choices, saved: OnlineState | undefined): Learner {
  let state = saved
  return {
    learn({ features }, { x, y }) {
      state ??= begin(choices, designColumns(features).length)
      const learned = online.update(state, { x, y })
      state = learned.state
      return learned.result
    },
    get state() {
      return state
    },
  }
}

function begin({ model, classes, method, assumed }: Choices, features: number): OnlineState {
  return online.init({
    model,
    features,
    method,
    ...(model === 'softmax' ? { classes: classes!.length } : {}),
    ...(assumed === null ? {} : { assumed }),
  })
}
