import { online } from 'rlvi'
import { draws } from 'rlvi/random'
import type { ActivityData } from './data/activity.js'
import { onlineVariants } from './methods.js'
import { metricNames, metricsOf } from './metrics.js'
import { batchOf, type ChunkSize, chunksOf } from './protocol.js'
import { meanWeights, weightNames } from './weights.js'

/** Some of the runs over the human-activity stream; the data lie in memory that threads share. */
export interface OnlineTask {
  readonly kind: 'online'
  readonly data: ActivityData
  readonly size: ChunkSize
  readonly seed: number
  /** Runs first, first + 1, …, last - 1. */
  readonly first: number
  readonly last: number
}

/** Of each batch: its rows, its positive labels as given, and how many of its labels are flipped. */
export const TRUTH = 3
/** Of each batch and method: the metrics on the test rows, the mean weights of the kinds of rows, and the level. */
export const MEASURED: number = metricNames.length + weightNames.length + 1
/** Numbers of one batch. */
export const PER_BATCH: number = TRUTH + onlineVariants.length * MEASURED

/** The numbers of every batch of every run. All methods see the same batches; a run has an order and flips of its own. */
export function simulateOnline({ data, size, seed, first, last }: OnlineTask): Float64Array {
  const out: number[] = []
  for (let run = first; run < last; run++) {
    const chunks = chunksOf(data.features.rows, size, draws(seed, 'online', 'order', run))
    const noise = draws(seed, 'online', 'flips', size.train, run)
    const states = onlineVariants.map(({ options }) =>
      online.init({ ...options, model: 'logistic', features: data.features.cols }),
    )
    for (const chunk of chunks) {
      const { x, y, truth, flipped, testX, testY } = batchOf(data, chunk, noise)
      out.push(
        y.length,
        y.reduce((sum, label) => sum + label, 0),
        flipped,
      )
      for (const [k, before] of states.entries()) {
        const { state, result } = online.update(before, { x, y })
        states[k] = state
        const metrics = metricsOf(online.predict(state, testX).predictions, testY)
        const weights = meanWeights(result.weights, y, truth)
        out.push(...metricNames.map((name) => metrics[name]), ...weightNames.map((name) => weights[name]))
        out.push(result.level ?? Number.NaN)
      }
    }
  }
  return Float64Array.from(out)
}
