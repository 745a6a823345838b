import { type Summary, summarise } from '../summary.js'
import { type Metrics, metricNames } from './metrics.js'
import type { SizeRuns } from './runs.js'

/** What is summarised: means over a run's batches. */
export type OnlineMetric = keyof Metrics | 'levelError' | 'levelErrorOfPositives'

/** One line of the results: a method at a batch size, over the runs. */
export interface OnlineRecord extends Summary {
  readonly problem: 'online'
  readonly data: string
  /** Training rows in a batch. */
  readonly batch: number
  readonly method: string
  readonly variant: string
  /** A share; `levelError` is the mean absolute error of the estimated share of flipped labels. */
  readonly metric: OnlineMetric
}

export function recordsOfOnline(data: string, all: readonly SizeRuns[]): OnlineRecord[] {
  return all.flatMap(({ size, flipped, flippedOfPositives, methods }) =>
    methods.flatMap(({ method, variant, metrics, level, levelOfPositives }) => {
      const record = (metric: OnlineMetric, values: readonly number[]): OnlineRecord => {
        return { problem: 'online', data, batch: size.train, method, variant, metric, ...summarise(values) }
      }
      const shares = metricNames.map((name) => record(name, metrics[name].map(meanOf)))
      if (level.length === 0) return shares
      return [
        ...shares,
        record('levelError', absoluteErrors(level, flipped)),
        record('levelErrorOfPositives', absoluteErrors(levelOfPositives, flippedOfPositives)),
      ]
    }),
  )
}

/** Mean of the values that are there. */
export function meanOf(values: Float64Array): number {
  const there = values.filter((value) => !Number.isNaN(value))
  return there.reduce((sum, value) => sum + value, 0) / there.length
}

function absoluteErrors(got: readonly Float64Array[], truth: readonly Float64Array[]): number[] {
  return got.map((values, run) =>
    meanOf(values.map((value, b) => Math.abs(value - (truth[run]?.[b] ?? Number.NaN)))),
  )
}
