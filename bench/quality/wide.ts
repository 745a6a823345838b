/** Many columns, where the volume of a ball leaves the range of a double: numbers, levels and estimates at 21, 50 and 200. */
import {
  type Continuous,
  covariance,
  type Fit,
  fit,
  linear,
  matrix,
  mean,
  ml,
  type Params,
  type Supervised,
  takeRows,
} from 'rlvi'
import { draws } from 'rlvi/random'
import { say } from '../measure.js'
import { workOff } from './pool.js'
import { type Criterion, isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import { chosen, meanOf, percent, refuseUnknown, shareOf, twoErrors } from './statistics.js'

const MODELS = ['linear', 'covariance', 'mean'] as const
const COLUMNS = ['21', '50', '200'] as const
const SHARES = [0, 0.1]
const WANTED = 0.85
/** The error of the estimates, as a multiple of maximum likelihood's on the good rows. */
const CLOSE = 1.25

interface Task {
  readonly model: (typeof MODELS)[number]
  readonly columns: number
  readonly share: number
  readonly seed: number
  readonly run: number
}

export interface WideOutcome {
  /** Whether all numbers of the result are finite. */
  readonly finite: boolean
  readonly status: string
  readonly level: number
  readonly interval: readonly [number, number]
  /** Whether the interval holds the share of bad rows. */
  readonly holds: boolean
  /** Squared errors of the estimates: of the fit, and of maximum likelihood on the good rows. */
  readonly error: number
  readonly yardstick: number
  readonly seconds: number
}

/** Six rows for each column, and at least 600. */
function rowsOf(columns: number): number {
  return Math.max(600, 6 * columns)
}

/**
 * Features N(0, I) and y = 1 + sum of x + N(0, 1). Bad rows come first: for `linear` x1 is about 20 and y about 0; for the
 * others the row is ten times as large.
 */
export function wideSet(
  { model, columns, share, seed, run }: Task,
  rows: number = rowsOf(columns),
): Supervised {
  const random = draws(seed, 'wide', model, columns, share, run)
  const bad = Math.round(share * rows)
  const x = matrix(rows, columns)
  const y = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    const row = Float64Array.from({ length: columns }, () => random.normal())
    y[i] = 1 + row.reduce((a, b) => a + b) + random.normal()
    if (i < bad && model === 'linear') {
      row[0] += 20
      y[i] = random.normal()
    }
    x.values.set(i < bad && model !== 'linear' ? row.map((value) => 10 * value) : row, i * columns)
  }
  return { x, y }
}

export function work(task: Task): WideOutcome {
  const { model, columns, share } = task
  const data = wideSet(task)
  const ones = new Array<number>(columns).fill(1)
  const zeros = new Array<number>(columns).fill(0)
  const bad = Math.round(share * data.y.length)
  const goodRows = Array.from({ length: data.y.length - bad }, (_, i) => bad + i)
  const good = { x: takeRows(data.x, goodRows), y: data.y.slice(bad) }
  const truth = bad / data.y.length
  if (model === 'linear') {
    return outcomeOf(linear(), data, good, truth, ({ coefficients }) => coefficients, ones)
  }
  if (model === 'mean') return outcomeOf(mean(), data, good, truth, (params) => params.mean, zeros)
  const identity = Array.from({ length: columns ** 2 }, (_, at) => (at % (columns + 1) === 0 ? 1 : 0))
  return outcomeOf(covariance(), data, good, truth, (params) => params.covariance.values, identity)
}

function outcomeOf<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  good: D,
  bad: number,
  estimates: (params: P) => Float64Array,
  wanted: readonly number[],
): WideOutcome {
  const start = performance.now()
  const result = fit(likelihood, data)
  const seconds = (performance.now() - start) / 1000
  const squares = (params: P): number =>
    estimates(params).reduce((sum, value, j) => sum + (value - wanted[j]) ** 2, 0)
  const { level = Number.NaN, interval = [Number.NaN, Number.NaN] as const } = result.corruption
  return {
    finite: allFinite(result, estimates(result.params)),
    status: result.status.kind,
    level,
    interval,
    holds: interval[0] <= bad && bad <= interval[1],
    error: squares(result.params),
    yardstick: squares(ml(likelihood, good).params),
    seconds,
  }
}

function allFinite<P extends Params>({ corruption, clean }: Fit<P>, estimates: Float64Array): boolean {
  const { level = Number.NaN, interval = [Number.NaN] } = corruption
  return [level, ...interval, ...clean, ...estimates].every(Number.isFinite)
}

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  refuseUnknown(only, MODELS, COLUMNS)
  const cells = chosen(only, MODELS).flatMap((model) =>
    chosen(only, COLUMNS).flatMap((columns) =>
      SHARES.map((share) => ({ model, columns: Number(columns), share, runs: columns === '200' ? 1 : runs })),
    ),
  )
  const tasks: Task[] = cells.flatMap(({ model, columns, share, runs: count }) =>
    Array.from({ length: count }, (_, run) => ({ model, columns, share, seed, run })),
  )
  const results = await workOff(import.meta.url, work, tasks)
  const summaries = cells.map((cell) => {
    const own = results.filter((_, k) => {
      const { model, columns, share } = tasks[k]
      return model === cell.model && columns === cell.columns && share === cell.share
    })
    return {
      ...cell,
      own,
      ratio: Math.sqrt(meanOf(own.map((o) => o.error)) / meanOf(own.map((o) => o.yardstick))),
    }
  })
  say(`many columns, ${runs} runs (one at 200 columns), clean and with 10 % bad`)
  table(
    [
      'model, columns',
      'rows',
      'bad',
      'finite',
      'level',
      'interval of the first',
      'holds',
      'error / good ML',
      's',
    ],
    summaries.map(({ model, columns, share, own, ratio }) => [
      `${model}, ${columns}`,
      String(rowsOf(columns)),
      `${100 * share} %`,
      percent(shareOf(own.map((o) => o.finite))),
      meanOf(own.map((o) => o.level)).toFixed(3),
      own[0].interval.map((end) => end.toFixed(3)).join(' to '),
      percent(shareOf(own.map((o) => o.holds))),
      ratio.toFixed(2),
      meanOf(own.map((o) => o.seconds)).toFixed(2),
    ]),
  )
  const wrong = summaries.filter(({ own }) => own.some((o) => !o.finite))
  const off = summaries.filter(({ ratio }) => !(ratio <= CLOSE))
  const held = shareOf(results.map((o) => o.holds))
  const named = (some: typeof summaries): string =>
    some.length === 0
      ? 'all'
      : `not ${some.map((c) => `${c.model} ${c.columns}, ${100 * c.share} %`).join('; ')}`
  const criteria: Criterion[] = [
    { name: 'all numbers are finite', holds: wrong.length === 0, detail: named(wrong) },
    {
      name: 'the intervals hold the share of bad rows in at least 85 %',
      holds: held >= WANTED - twoErrors(WANTED, results.length),
      detail: percent(held),
    },
    {
      name: `errors at most ${CLOSE} times those of maximum likelihood on the good rows`,
      holds: off.length === 0,
      detail: named(off),
    },
  ]
  verdict(criteria)
}

if (isProgram(import.meta.url)) await main(runOptions(3))
