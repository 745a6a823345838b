import { draws } from 'rlvi/random'
import { runTasks, type ThreadOptions } from '../runs/threads.js'
import type { ActivityData } from './data/activity.js'
import { type OnlineVariant, onlineVariants } from './methods.js'
import { type Metrics, metricNames } from './metrics.js'
import { type ChunkSize, chunksOf } from './protocol.js'
import { MEASURED, type OnlineTask, PER_BATCH, TRUTH } from './simulate.js'
import { type MeanWeights, weightNames } from './weights.js'

/** All runs at one batch size: a number for each run and batch, [run][batch]. */
export interface SizeRuns {
  readonly size: ChunkSize
  readonly standIn: boolean
  /** Training rows up to and with each batch. */
  readonly samples: readonly number[]
  /** Share of the batch's labels that are flipped, and of its positives. */
  readonly flipped: readonly Float64Array[]
  readonly flippedOfPositives: readonly Float64Array[]
  readonly methods: readonly MethodSeries[]
}

export interface MethodSeries extends OnlineVariant {
  readonly metrics: Readonly<Record<keyof Metrics, readonly Float64Array[]>>
  readonly weights: Readonly<Record<keyof MeanWeights, readonly Float64Array[]>>
  /** Estimated share of flipped labels of the batch, and of its positives; empty where the method has none. */
  readonly level: readonly Float64Array[]
  readonly levelOfPositives: readonly Float64Array[]
}

/** Does the runs of all batch sizes, spread over the cores. */
export async function runOnline(
  data: ActivityData,
  sizes: readonly ChunkSize[],
  options: ThreadOptions & { readonly runs: number; readonly seed: number },
): Promise<SizeRuns[]> {
  const { runs, seed } = options
  const tasks = sizes.flatMap((size) =>
    Array.from({ length: runs }, (_, run): OnlineTask => {
      return { kind: 'online', data, size, seed, first: run, last: run + 1 }
    }),
  )
  const results = await runTasks(tasks, options)
  return sizes.map((size, k) => collect(data, size, results.slice(k * runs, (k + 1) * runs)))
}

function collect(data: ActivityData, size: ChunkSize, results: readonly Float64Array[]): SizeRuns {
  /** Number `at` of every batch, run by run. */
  const series = (at: number): Float64Array[] =>
    results.map((numbers) => numbers.filter((_, index) => index % PER_BATCH === at))
  const [rows, positives, flips] = [series(0), series(1), series(2)]
  const share = (top: readonly Float64Array[], bottom: readonly Float64Array[]): Float64Array[] =>
    top.map((values, run) => values.map((value, b) => value / (bottom[run]?.[b] ?? Number.NaN)))
  const sum = (left: readonly Float64Array[], right: readonly Float64Array[]): Float64Array[] =>
    left.map((values, run) => values.map((value, b) => value + (right[run]?.[b] ?? Number.NaN)))
  let seen = 0
  const chunks = chunksOf(data.features.rows, size, draws(0))
  return {
    size,
    standIn: data.standIn,
    samples: chunks.map(({ train }) => {
      seen += train.length
      return seen
    }),
    flipped: share(flips, rows),
    // The true positives are those labelled so, and the flipped ones.
    flippedOfPositives: share(flips, sum(positives, flips)),
    methods: onlineVariants.map((method, k) => {
      const from = TRUTH + k * MEASURED
      const named = <Name extends string>(
        names: readonly Name[],
        first: number,
      ): Record<Name, Float64Array[]> =>
        Object.fromEntries(names.map((name, at) => [name, series(first + at)])) as Record<
          Name,
          Float64Array[]
        >
      const metrics = named(metricNames, from)
      const weights = named(weightNames, from + metricNames.length)
      if (!method.estimatesLevel) return { ...method, metrics, weights, level: [], levelOfPositives: [] }
      const level = series(from + MEASURED - 1)
      const bad = level.map((values, run) => values.map((value, b) => value * (rows[run]?.[b] ?? Number.NaN)))
      return { ...method, metrics, weights, level, levelOfPositives: share(bad, sum(positives, bad)) }
    }),
  }
}
