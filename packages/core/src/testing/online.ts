import { matrix } from '../matrix.js'
import { init } from '../online/init.js'
import type { OnlineModelName } from '../online/models/model.js'
import type { OnlineMethod, OnlineOptions } from '../online/options.js'
import type { OnlineBatch, OnlineResult } from '../online/result.js'
import type { OnlineState } from '../online/state.js'
import { update } from '../online/update.js'
import { TestRandom } from './random.js'

export const FEATURES = 4

/** A batch and the responses before any went bad. */
export interface Given extends OnlineBatch {
  readonly truth: Float64Array
}

/** Batches of a linear rule; with noise, a share of the responses is wrong; from batch `turn` on the rule is reversed. */
export function given(
  model: OnlineModelName,
  { seed = 1, batches = 30, rows = 40, noise = 0.15, turn = Number.POSITIVE_INFINITY } = {},
): Given[] {
  const random = new TestRandom(seed)
  const rule = Float64Array.from({ length: FEATURES }, (_, j) => (j % 2 === 0 ? 3 : -2))
  return Array.from({ length: batches }, (_, t) => {
    const x = matrix(
      rows,
      FEATURES,
      Float64Array.from({ length: rows * FEATURES }, () => random.normal()),
    )
    const truth = new Float64Array(rows)
    const y = new Float64Array(rows)
    for (let i = 0; i < rows; i++) {
      let score = 0.2 * random.normal()
      for (let j = 0; j < FEATURES; j++) score += rule[j] * x.values[i * FEATURES + j]
      if (t >= turn) score = -score
      const wrong = random.uniform() < noise
      if (model === 'linear') [truth[i], y[i]] = [score, wrong ? 60 * random.normal() : score]
      else {
        const labels = model === 'softmax' ? 3 : 2
        truth[i] = model === 'softmax' ? (score < -2 ? 0 : score < 2 ? 1 : 2) : score > 0 ? 1 : 0
        y[i] = wrong ? (truth[i] + 1 + random.below(labels - 1)) % labels : truth[i]
      }
    }
    return { x, y, truth }
  })
}

/** Learns batch after batch. */
export function run(
  options: OnlineOptions,
  batches: readonly OnlineBatch[],
  from: OnlineState = init(options),
) {
  const results: OnlineResult[] = []
  let state = from
  for (const batch of batches) {
    const step = update(state, batch)
    state = step.state
    results.push(step.result)
  }
  return { state, results }
}

/** The share of predictions that are the truth. */
export function right(results: readonly OnlineResult[], batches: readonly Given[]): number {
  let sum = 0
  let rows = 0
  results.forEach(({ predictions }, t) => {
    predictions.forEach((value, i) => {
      sum += value === batches[t].truth[i] ? 1 : 0
      rows++
    })
  })
  return sum / rows
}

export function optionsFor(model: OnlineModelName, method: OnlineMethod): OnlineOptions {
  return { model, method, features: FEATURES, ...(model === 'softmax' ? { classes: 3 } : {}) }
}
