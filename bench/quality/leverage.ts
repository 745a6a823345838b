/** Rows far out in the features that pull a plain fit towards themselves: are they found, as R's lmrob finds them? */
import { readFileSync } from 'node:fs'
import { fit, linear, matrix, paper, type Supervised } from 'rlvi'
import { say } from '../measure.js'
import { fromRoot, readColumns } from './csv.js'
import { type Criterion, isProgram, runOptions, table, verdict } from './program.js'

interface Estimate {
  /** Intercept first. */
  readonly coefficients: readonly number[]
  readonly standardErrors: readonly number[]
}

/** What lmrob says of a data set; data/lmrob.R made it. */
interface Expected extends Estimate {
  readonly name: string
  readonly scale: number
  /** What summary(lmrob) calls outliers: a robustness weight below 0.1 / n. */
  readonly outliers: readonly number[]
  /** A robustness weight below 1/2. */
  readonly low: readonly number[]
  /** Least squares on the good rows, where it is known which they are. */
  readonly truth?: Estimate
}

export interface Outcome {
  readonly name: string
  readonly rows: number
  /** lmrob's outliers, and how many of them have P(good) below 1/2. */
  readonly outliers: number
  readonly found: number
  readonly low: number
  readonly lowFound: number
  /** Rows with P(good) below 1/2 that lmrob gives a weight of at least 1/2. */
  readonly others: number
  /** The largest distance of a coefficient from lmrob's, in lmrob's standard errors; the same for the paper's fit. */
  readonly distance: number
  readonly paperDistance: number
  /** The same from least squares on the good rows, in its standard errors. */
  readonly truthDistance: number | undefined
  readonly lmrobFooled: boolean
  readonly scale: number
  readonly level: number
}

function dataOf(name: string): Supervised {
  if (name === 'hbk') return supervised(readColumns('bench/quality/data/hbk.csv'), ['x1', 'x2', 'x3'], 'y')
  if (name === 'stars') {
    return supervised(readColumns('examples/data/stars.csv'), ['log_temperature'], 'log_light')
  }
  const [, share, set] = /leverage (\d+) % set (\d+)/.exec(name)!
  const all = readColumns('bench/quality/data/leverage.csv')
  const wanted = (i: number): boolean =>
    Number(all.get('share')![i]) === Number(share) / 100 && all.get('set')![i] === set
  const rows = Array.from(all.get('y')!.keys()).filter(wanted)
  const part = new Map(Array.from(all, ([column, values]) => [column, rows.map((i) => values[i])]))
  return supervised(part, ['x1', 'x2', 'x3'], 'y')
}

function supervised(
  columns: Map<string, string[]>,
  features: readonly string[],
  response: string,
): Supervised {
  const y = Float64Array.from(columns.get(response)!, Number)
  const x = matrix(y.length, features.length)
  features.forEach((name, j) => {
    columns.get(name)!.forEach((text, i) => {
      x.values[i * features.length + j] = Number(text)
    })
  })
  return { x, y }
}

function outcomeOf(expected: Expected): Outcome {
  const data = dataOf(expected.name)
  const model = linear()
  const result = fit(model, data)
  const flagged = new Set(Array.from(result.clean.keys()).filter((i) => result.clean[i] < 0.5))
  const ours = model.vector(result.params)
  const count = (rows: readonly number[]): number => rows.filter((row) => flagged.has(row)).length
  return {
    name: expected.name,
    rows: data.y.length,
    outliers: expected.outliers.length,
    found: count(expected.outliers),
    low: expected.low.length,
    lowFound: count(expected.low),
    others: Array.from(flagged).filter((row) => !expected.low.includes(row)).length,
    distance: distance(ours, expected),
    paperDistance: distance(model.vector(paper(model, data).params), expected),
    truthDistance: expected.truth && distance(ours, expected.truth),
    // That far off, it has settled on the bad rows and is no yardstick.
    lmrobFooled: expected.truth !== undefined && distance(expected.coefficients, expected.truth) > 5,
    scale: result.params.scale / expected.scale,
    level: result.corruption.level ?? Number.NaN,
  }
}

/** The largest distance of a coefficient, in standard errors. */
function distance(vector: ArrayLike<number>, from: Estimate): number {
  return Math.max(...from.coefficients.map((c, j) => Math.abs(vector[j] - c) / from.standardErrors[j]))
}

export function leverageOutcomes(): Outcome[] {
  const stored = readFileSync(fromRoot('bench/quality/data/lmrob.json'), 'utf8')
  return (JSON.parse(stored) as Expected[]).map(outcomeOf)
}

export function leverageCriteria(all: readonly Outcome[]): Criterion[] {
  const usable = all.filter(({ lmrobFooled }) => !lmrobFooled)
  const fooled = all.length - usable.length
  const note = fooled === 0 ? '' : `; ${fooled} set left out where lmrob itself settles on the bad rows`
  const missed = usable.filter(({ outliers, found }) => found < outliers)
  const off = usable.filter(({ distance: d }) => !(d <= 1))
  const wrong = all.filter(({ truthDistance }) => truthDistance !== undefined && !(truthDistance <= 1))
  const criterion = (name: string, failed: readonly Outcome[], more = ''): Criterion => ({
    name,
    holds: failed.length === 0,
    detail: `${failed.length === 0 ? 'on all' : `not on ${failed.map((o) => o.name).join(', ')}`}${more}`,
  })
  return [
    criterion('the outliers that lmrob names are flagged', missed, note),
    criterion("all coefficients are within one of lmrob's standard errors", off, note),
    criterion('generated sets: within one standard error of least squares on the good rows', wrong),
  ]
}

if (isProgram(import.meta.url)) {
  runOptions(1)
  const all = leverageOutcomes()
  say('linear regression with bad leverage, against R lmrob (stored in data/lmrob.json)')
  table(
    [
      'data',
      'rows',
      'lmrob outliers',
      'found',
      'lmrob weight < .5',
      'found',
      'others flagged',
      'from lmrob (se)',
      "paper's RLVI",
      'from good rows (se)',
      "scale / lmrob's",
      'level',
    ],
    all.map((o) => [
      o.name,
      ...[o.rows, o.outliers, o.found, o.low, o.lowFound, o.others].map(String),
      ...[o.distance, o.paperDistance].map((value) => value.toFixed(2)),
      o.truthDistance?.toFixed(2) ?? '',
      o.scale.toFixed(2),
      o.level.toFixed(3),
    ]),
  )
  verdict(leverageCriteria(all))
}
