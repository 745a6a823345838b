import { type Summary, summarise } from '../../shared/summary.js'
import { type Metrics, metricNames } from '../metrics.js'
import type { SizeRuns } from '../runs.js'
import { type MeanWeights, weightNames } from '../weights.js'

/** What is summarised: means over a run's batches. */
export type OnlineMetric =
  | keyof Metrics
  | 'levelError'
  | 'levelBias'
  | 'levelErrorOfPositives'
  | `weight:${keyof MeanWeights}`

/** One line of the results: a method at a batch size, over the runs. */
export interface OnlineRecord extends Summary {
  readonly problem: 'online'
  readonly data: string
  /** Training rows in a batch. */
  readonly batch: number
  readonly method: string
  readonly variant: string
  /**
   * A share; `levelError` is the mean absolute error of the estimated share of flipped labels, `levelBias` its mean error;
   * `weight:` is the mean weight of rows of a kind, where 1 is the mean of the batch.
   */
  readonly metric: OnlineMetric
}

export function recordsOfOnline(data: string, all: readonly SizeRuns[]): OnlineRecord[] {
  return all.flatMap(({ size, flipped, flippedOfPositives, methods }) =>
    methods.flatMap(({ method, variant, metrics, weights, level, levelOfPositives }) => {
      const record = (metric: OnlineMetric, values: readonly number[]): OnlineRecord => {
        return { problem: 'online', data, batch: size.train, method, variant, metric, ...summarise(values) }
      }
      const shares = [
        ...metricNames.map((name) => record(name, metrics[name].map(meanOf))),
        ...weightNames.map((name) => record(`weight:${name}`, weights[name].map(meanOf))),
      ]
      if (level.length === 0) return shares
      return [
        ...shares,
        record(
          'levelError',
          errors(level, flipped).map((values) => meanOf(values.map(Math.abs))),
        ),
        record('levelBias', errors(level, flipped).map(meanOf)),
        record(
          'levelErrorOfPositives',
          errors(levelOfPositives, flippedOfPositives).map((values) => meanOf(values.map(Math.abs))),
        ),
      ]
    }),
  )
}

/** Mean of the values that are there. */
export function meanOf(values: Float64Array): number {
  const there = values.filter((value) => !Number.isNaN(value))
  return there.reduce((sum, value) => sum + value, 0) / there.length
}

function errors(got: readonly Float64Array[], truth: readonly Float64Array[]): Float64Array[] {
  return got.map((values, run) => values.map((value, b) => value - (truth[run]?.[b] ?? Number.NaN)))
}
