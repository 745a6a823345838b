/** Whether the level is honest where good rows are not normal: clean data of many kinds, and gross outliers among them. */
import { linear, ml } from 'rlvi'
import { say } from '../measure.js'
import {
  ERROR_KINDS,
  type ErrorKind,
  errorSet,
  KIND_WORDS,
  OUTLIER_KINDS,
  type SetOptions,
} from './error-kinds.js'
import { pieces, workOff } from './pool.js'
import { type Criterion, isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import { answerOf, contains } from './same-answer.js'
import { chosen, meanOf, mostFrequent, percent, refuseUnknown, shareOf, twoErrors } from './statistics.js'

const ROWS = ['n100', 'n500', 'n5000'] as const
const COLUMNS = ['p1', 'p5', 'p20'] as const
const SHARES = ['0%', '5%', '20%'] as const
const WANTED = 0.85
/** Of clean normal data: they cost nothing, as before there were other laws. */
const WANTED_NORMAL = 0.9

interface Task extends SetOptions {
  readonly seed: number
  readonly first: number
  readonly last: number
}

interface Reported {
  readonly level: number
  readonly width: number
  readonly holds: boolean
  /** Squared errors of the slopes, summed: of the fit, and of least squares on the good rows. */
  readonly error: number
  readonly yardstick: number
  readonly law: string
  readonly cautions: string
  readonly seconds: number
}

export function work({ seed, first, last, ...options }: Task): Reported[] {
  return Array.from({ length: last - first }, (_, k) => {
    const { data, good, truth, slopes } = errorSet(options, seed, first + k)
    const start = performance.now()
    const answer = answerOf(data)
    const seconds = (performance.now() - start) / 1000
    const squares = (found: ArrayLike<number>): number =>
      slopes.reduce((sum, slope, j) => sum + (found[j] - slope) ** 2, 0)
    return {
      level: answer.level,
      width: answer.high - answer.low,
      holds: contains(answer, truth),
      error: squares(answer.coefficients.slice(1)),
      yardstick: squares(ml(linear(), good).params.coefficients),
      law: answer.law,
      cautions: answer.cautions,
      seconds,
    }
  })
}

export interface Cell {
  readonly options: SetOptions
  readonly runs: number
  readonly coverage: number
  readonly level: number
  /** Share of runs whose level is 0. */
  readonly zero: number
  readonly width: number
  /** Root mean square error of the slopes, as a multiple of that of least squares on the good rows. */
  readonly error: number
  readonly law: string
  readonly cautions: string
  readonly seconds: number
}

export function summarise(options: SetOptions, all: readonly Reported[]): Cell {
  return {
    options,
    runs: all.length,
    coverage: shareOf(all.map(({ holds }) => holds)),
    level: meanOf(all.map(({ level }) => level)),
    zero: shareOf(all.map(({ level }) => level === 0)),
    width: meanOf(all.map(({ width }) => width)),
    error: Math.sqrt(meanOf(all.map((t) => t.error)) / meanOf(all.map((t) => t.yardstick))),
    law: mostFrequent(all.map(({ law }) => law)),
    cautions: mostFrequent(all.map(({ cautions }) => cautions)),
    seconds: meanOf(all.map(({ seconds }) => seconds)),
  }
}

/** Every cell of a kind that `--only` leaves. Clean data have no outliers to choose between. */
function cellsOf(kind: ErrorKind, only: readonly string[]): SetOptions[] {
  const number = (name: string): number => Number(name.replace(/[np%]/, ''))
  return chosen(only, SHARES).flatMap((share) =>
    (share === '0%' ? ['shift' as const] : chosen(only, OUTLIER_KINDS)).flatMap((outliers) =>
      chosen(only, ROWS).flatMap((rows) =>
        chosen(only, COLUMNS).map((columns) => ({
          kind,
          rows: number(rows),
          columns: number(columns),
          share: number(share) / 100,
          outliers,
        })),
      ),
    ),
  )
}

/** All cells together must cover, and no cell may miss by more than chance. */
function coverageCriterion(name: string, cells: readonly Cell[]): Criterion {
  const mean = meanOf(cells.map(({ coverage }) => coverage))
  const least = cells.reduce((a, b) => (b.coverage < a.coverage ? b : a))
  const allowed = WANTED - twoErrors(WANTED, least.runs)
  return {
    name,
    holds: mean >= WANTED && least.coverage >= allowed,
    detail: `mean ${percent(mean)}, least ${percent(least.coverage)} at ${sizeOf(least.options)}`,
  }
}

function sizeOf({ rows, columns, share, outliers }: SetOptions): string {
  const bad = share === 0 ? '' : `, ${100 * share} % ${outliers}`
  return `${rows} x ${columns}${bad}`
}

function criteriaOf(kind: ErrorKind, cells: readonly Cell[]): Criterion[] {
  const clean = cells.filter(({ options }) => options.share === 0)
  const found: Criterion[] = []
  if (clean.length > 0) {
    found.push(coverageCriterion(`${kind}, clean: the interval holds 0 in at least 85 %`, clean))
  }
  if (kind === 'normal' && clean.length > 0) {
    const zero = meanOf(clean.map((cell) => cell.zero))
    const name = 'normal, clean: level 0 in at least 90 %'
    found.push({ name, holds: zero >= WANTED_NORMAL, detail: percent(zero) })
  }
  for (const share of [0.05, 0.2]) {
    const some = cells.filter(({ options }) => options.share === share)
    if (some.length === 0) continue
    found.push(coverageCriterion(`${kind}, ${100 * share} % bad: intervals cover at least 85 %`, some))
  }
  return found
}

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  refuseUnknown(only, ERROR_KINDS, ROWS, COLUMNS, SHARES, OUTLIER_KINDS)
  const criteria: Criterion[] = []
  say(
    `linear regression on good rows of many kinds, ${runs} runs of each cell; '--only' takes kinds, n500, p5, 20%`,
  )
  for (const kind of chosen(only, ERROR_KINDS)) {
    const cells = cellsOf(kind, only)
    const tasks = cells.flatMap((options) =>
      pieces(runs, options.rows > 1000 ? 2 : 10).map((part) => ({ ...options, seed, ...part })),
    )
    const results = await workOff(import.meta.url, work, tasks)
    const summaries = cells.map((options) => {
      const own = results.filter((_, k) => isOf(tasks[k], options))
      return summarise(options, own.flat())
    })
    say()
    say(KIND_WORDS[kind])
    table(
      ['n x p', 'coverage', 'level', 'level 0', 'width', 'error / good LS', 'law', 'caution', 's'],
      summaries.map((cell) => [
        sizeOf(cell.options),
        percent(cell.coverage),
        cell.level.toFixed(3),
        percent(cell.zero),
        cell.width.toFixed(3),
        cell.error.toFixed(2),
        cell.law,
        cell.cautions,
        cell.seconds.toFixed(3),
      ]),
    )
    criteria.push(...criteriaOf(kind, summaries))
  }
  verdict(criteria)
}

function isOf(task: Task, { rows, columns, share, outliers }: SetOptions): boolean {
  return task.rows === rows && task.columns === columns && task.share === share && task.outliers === outliers
}

if (isProgram(import.meta.url)) await main(runOptions(16))
