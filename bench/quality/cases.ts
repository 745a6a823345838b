/** The tables of data/cases: what is said of them, beside what should be said. */
import {
  covariance,
  type Fit,
  fit,
  linear,
  logistic,
  matrix,
  type Params,
  poisson,
  type Supervised,
} from 'rlvi'
import { say } from '../measure.js'
import { CASES, type Case, type Expected } from './case-list.js'
import { readColumns } from './csv.js'
import { isProgram, runOptions, table, verdict } from './program.js'
import { hasNoWidth } from './same-answer.js'
import { refuseUnknown } from './statistics.js'

export interface Said {
  readonly level: number
  readonly low: number
  readonly high: number
  readonly clean: Float64Array
  readonly law: string
  readonly cautions: readonly string[]
  readonly status: string
  /** Of linear predictors, without the intercept. */
  readonly slopes: readonly number[]
  readonly errors: readonly number[]
}

/** A column of numbers as it is; of names, an indicator for each but the first. */
function features(columns: Map<string, string[]>, response: string | undefined): number[][] {
  return [...columns].flatMap(([name, cells]) => {
    if (name === response) return []
    if (cells.every((cell) => !Number.isNaN(Number(cell)))) return [cells.map(Number)]
    const levels = [...new Set(cells)].sort().slice(1)
    return levels.map((level) => cells.map((cell) => (cell === level ? 1 : 0)))
  })
}

function dataOf({ file, model, response = 'y' }: Case): Supervised {
  const columns = readColumns(`bench/quality/data/cases/${file}.csv`)
  const all = features(columns, model === 'covariance' ? undefined : response)
  const rows = all[0].length
  const x = matrix(rows, all.length)
  all.forEach((column, j) => {
    column.forEach((value, i) => {
      x.values[i * all.length + j] = value
    })
  })
  return { x, y: Float64Array.from(columns.get(response) ?? new Array<string>(rows).fill('0'), Number) }
}

/** What the method says, or the error that it ends with. */
export function saidOf(one: Case): Said | Error {
  try {
    const data = dataOf(one)
    if (one.model === 'covariance') return described(fit(covariance(), data), [], [])
    const model = { linear: linear(), poisson: poisson(), logistic: logistic() }[one.model]
    const result =
      one.model === 'linear' ? fit(linear(), data) : fit(model as ReturnType<typeof poisson>, data)
    const { params, standardErrors } = result
    return described(result, [...params.coefficients], [...(standardErrors?.coefficients ?? [])])
  } catch (error) {
    return error as Error
  }
}

function described(result: Fit<Params>, slopes: number[], errors: number[]): Said {
  const { level = Number.NaN, interval: [low, high] = [Number.NaN, Number.NaN] } = result.corruption
  return {
    level,
    low,
    high,
    clean: result.clean,
    law: result.errors?.name ?? '-',
    cautions: result.cautions?.map(({ about }) => about) ?? [],
    status: result.status.kind === 'degenerate' ? result.status.reason : result.status.kind,
    slopes,
    errors,
  }
}

/** What is not as it should be, in words; empty where all is. */
export function complaints(one: Case, said: Said | Error): string[] {
  if (said instanceof Error) return [`ends with "${said.message.slice(0, 60)}"`]
  const { expected } = one
  const checks: Array<[boolean, string]> = [
    [Number.isFinite(said.level) && said.slopes.every(Number.isFinite), 'not finite'],
    [!hasNoWidth(said), 'interval without width'],
    [holds(expected.holds, said), `interval without ${expected.holds}`],
    [
      expected.level === undefined || within(said.level, expected.level),
      `level not ${expected.level?.join(' to ')}`,
    ],
    [flaggedRight(expected, said), `flagged not ${expected.flagged?.join(' ')}`],
    [keptAll(one, said), 'rare rows flagged'],
    [
      expected.caution?.some((about) => said.cautions.includes(about)) ?? true,
      `no caution: ${expected.caution?.join('/')}`,
    ],
    [expected.law?.some((name) => name === said.law) ?? true, `law not ${expected.law?.join('/')}`],
    [
      expected.slope === undefined || Math.abs(said.slopes[0] - expected.slope) <= 0.2,
      `slope ${said.slopes[0]?.toFixed(2)}`,
    ],
    [
      said.errors.every((error) => error >= (expected.leastError ?? 0)),
      `se ${Math.min(...said.errors).toExponential(0)}`,
    ],
    [sameAsOther(expected, said), `not as ${expected.sameAs}`],
  ]
  return checks.filter(([right]) => !right).map(([, words]) => words)
}

function within(value: number, [low, high]: readonly [number, number]): boolean {
  return low <= value && value <= high
}

function holds(truth: number | undefined, { low, high }: Said): boolean {
  return truth === undefined || within(truth, [low, high])
}

function flagged({ clean }: Said): number[] {
  return Array.from(clean.keys()).filter((i) => clean[i] < 0.5)
}

function flaggedRight(expected: Expected, said: Said): boolean {
  return expected.flagged === undefined || expected.flagged.join() === flagged(said).join()
}

function keptAll({ file, expected: { kept } }: Case, said: Said): boolean {
  if (kept === undefined) return true
  const cells = readColumns(`bench/quality/data/cases/${file}.csv`).get(kept.column)!
  return flagged(said).every((row) => !kept.values.includes(cells[row]))
}

function sameAsOther({ sameAs }: Expected, said: Said): boolean {
  if (sameAs === undefined) return true
  const other = saidOf(CASES.find(({ file }) => file === sameAs)!)
  if (other instanceof Error) return false
  const worst = (of: Said): number => of.clean.reduce((least, value) => Math.min(least, value), 1)
  const gaps = [
    said.level - other.level,
    said.low - other.low,
    said.high - other.high,
    worst(said) - worst(other),
  ]
  return gaps.every((gap) => Math.abs(gap) <= 1e-6)
}

if (isProgram(import.meta.url)) {
  const { only } = runOptions(1)
  const files = CASES.map(({ file }) => file)
  refuseUnknown(only, files)
  const wanted = CASES.filter(({ file }) => only.length === 0 || only.includes(file))
  const all = wanted.map((one) => {
    const said = saidOf(one)
    return { one, said, wrong: complaints(one, said) }
  })
  say('small tables with a known truth: what is said, and what of it is wrong')
  const share = (value: number): string => `${(100 * value).toFixed(1)}`
  table(
    ['file', 'model', 'level %', 'interval %', 'flagged', 'law', 'cautions', 'status', 'wrong'],
    all.map(({ one, said, wrong }) => [
      `${one.file}: ${one.what}`,
      one.model,
      ...(said instanceof Error
        ? ['', '', '', '', '', 'error']
        : [
            share(said.level),
            `${share(said.low)} to ${share(said.high)}`,
            String(flagged(said).length),
            said.law,
            said.cautions.join('+') || '-',
            said.status,
          ]),
      wrong.join('; '),
    ]),
  )
  verdict(
    all.map(({ one, wrong }) => ({
      name: one.file,
      holds: wrong.length === 0,
      ...(wrong.length === 0 ? {} : { detail: wrong.join('; ') }),
    })),
  )
}
