import { runTasks, type ThreadOptions } from '../runs/threads.js'
import { type Summary, summarise } from '../shared/summary.js'
import type { LabelledStream } from './data.js'
import { type StreamMethodVariant, streamMethods } from './methods.js'
import type { NoiseName } from './noise.js'
import type { PrequentialTask } from './simulate.js'

/** One line of the results: a method on a stream, over the runs. */
export interface StreamRecord extends Summary {
  readonly problem: 'streams'
  readonly data: string
  readonly noise: NoiseName
  readonly method: string
  readonly variant: string
  /** Share of right predictions, judged by the true labels; or mean absolute error of the share of wrong labels. */
  readonly metric: 'accuracy' | 'levelError'
}

/** All runs on one stream with one kind of noise: [run][batch]. */
export interface StreamRuns {
  readonly data: string
  readonly noise: NoiseName
  /** Rows up to and with each batch. */
  readonly rows: readonly number[]
  readonly wrong: readonly Float64Array[]
  readonly methods: readonly (StreamMethodVariant & {
    readonly accuracy: readonly Float64Array[]
    readonly level: readonly Float64Array[]
  })[]
}

export interface StreamRunOptions extends ThreadOptions {
  readonly runs: number
  readonly seed: number
  readonly batch: number
}

/** Without noise nothing is random, so one run says all. */
export async function runStreams(
  all: readonly LabelledStream[],
  options: StreamRunOptions,
): Promise<StreamRuns[]> {
  const { seed, batch } = options
  const tasks = all.flatMap((data) =>
    (['none', 'waves'] as const).flatMap((noise) =>
      Array.from({ length: noise === 'none' ? 1 : options.runs }, (_, run): PrequentialTask => {
        return { kind: 'prequential', data, noise, batch, seed, first: run, last: run + 1 }
      }),
    ),
  )
  const results = await runTasks(tasks, options)
  return all.flatMap((data) =>
    (['none', 'waves'] as const).map((noise) =>
      collect(
        data,
        noise,
        results.filter((_, k) => tasks[k]?.data === data && tasks[k]?.noise === noise),
      ),
    ),
  )
}

function collect(data: LabelledStream, noise: NoiseName, results: readonly Float64Array[]): StreamRuns {
  const methods = streamMethods(data.classes)
  const width = 2 + 2 * methods.length
  const series = (at: number): Float64Array[] =>
    results.map((numbers) => numbers.filter((_, index) => index % width === at))
  const counts = series(0)
  const share = (values: Float64Array, run: number): Float64Array =>
    values.map((value, b) => value / (counts[run]?.[b] ?? Number.NaN))
  let seen = 0
  return {
    data: data.name,
    noise,
    rows: Array.from(counts[0] ?? [], (rows) => {
      seen += rows
      return seen
    }),
    wrong: series(1).map(share),
    methods: methods.map((method, k) => ({
      ...method,
      accuracy: series(2 + 2 * k).map(share),
      level: method.estimatesLevel ? series(3 + 2 * k) : [],
    })),
  }
}

export function recordsOfStreams(all: readonly StreamRuns[]): StreamRecord[] {
  return all.flatMap(({ data, noise, wrong, methods }) =>
    methods.flatMap(({ method, variant, accuracy, level }) => {
      const record = (metric: StreamRecord['metric'], values: readonly number[]): StreamRecord => {
        return { problem: 'streams', data, noise, method, variant, metric, ...summarise(values) }
      }
      const right = record('accuracy', accuracy.map(mean))
      if (level.length === 0) return [right]
      const errors = level.map((values, run) =>
        values.map((value, b) => Math.abs(value - (wrong[run]?.[b] ?? 0))),
      )
      return [right, record('levelError', errors.map(mean))]
    }),
  )
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
