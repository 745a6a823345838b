/** Few rows: bad leverage points with 3 to 8 rows for each coefficient, beside R's lmrob; clean sets of 5 to 15 rows. */
import { matrix, type Supervised } from 'rlvi'
import { draws } from 'rlvi/random'
import { say } from '../measure.js'
import { runR, withFile } from '../yardstick.js'
import { pieces, workOff } from './pool.js'
import { type Criterion, isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import { answerOf } from './same-answer.js'
import { meanOf, percent, refuseUnknown, shareOf, studentQuantile, twoErrors } from './statistics.js'

const COLUMNS = [2, 5, 10, 20]
/** For each coefficient, the intercept's among them. */
const ROWS_EACH = [3, 4, 5, 8]
const SHARES = [0.1, 0.2]
/** A slope that far from 1 has followed the bad rows. */
const FOOLED = 0.5
const NOISE = 0.5

export interface LeverageSize {
  readonly columns: number
  readonly each: number
  readonly share: number
}

interface CleanSize {
  readonly columns: number
  readonly rows: number
}

interface Piece {
  readonly seed: number
  readonly first: number
  readonly last: number
}

type Task = Piece & ({ readonly leverage: LeverageSize } | { readonly clean: CleanSize })

/** Of a leverage set: the first slope. Of a clean set: whether it is flagged, and the share of coefficients in ±. */
interface Reported {
  readonly slope: number
  readonly cautions: string
  readonly flagged: boolean
  readonly covered: number
  readonly wrong: boolean
}

export function work(task: Task): Reported[] {
  const { seed, first, last } = task
  return Array.from({ length: last - first }, (_, k) => {
    const data =
      'leverage' in task ? leverageSet(task.leverage, seed, first + k) : cleanSet(task.clean, seed, first + k)
    const { level, low, coefficients, errors, cautions } = answerOf(data)
    const degrees = data.y.length - coefficients.length
    const within = (c: number, j: number): boolean =>
      'clean' in task && Math.abs(c - 1) <= studentQuantile(degrees) * errors[j]
    return {
      slope: coefficients[1],
      cautions,
      flagged: level > 0 && low > 0,
      covered: shareOf(coefficients.map(within)),
      wrong: !Number.isFinite(level),
    }
  })
}

/** y = 1 + sum of x + N(0, .5^2); bad rows have x1 about 20 and y about 0, where the plane has about 21. */
export function leverageSet({ columns, each, share }: LeverageSize, seed: number, run: number): Supervised {
  const random = draws(seed, 'few-rows', columns, each, share, run)
  const rows = each * (columns + 1)
  const bad = Math.round(share * rows)
  const x = matrix(rows, columns)
  const y = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    const row = Float64Array.from({ length: columns }, () => random.normal())
    y[i] = 1 + row.reduce((a, b) => a + b) + NOISE * random.normal()
    if (i < bad) {
      row[0] = 20 + NOISE * random.normal()
      y[i] = NOISE * random.normal()
    }
    x.values.set(row, i * columns)
  }
  return { x, y }
}

/** y = 1 + sum of x + N(0, 1). */
export function cleanSet({ columns, rows }: CleanSize, seed: number, run: number): Supervised {
  const random = draws(seed, 'few-rows-clean', columns, rows, run)
  const x = matrix(rows, columns)
  const y = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    const row = Float64Array.from({ length: columns }, () => random.normal())
    x.values.set(row, i * columns)
    y[i] = 1 + row.reduce((a, b) => a + b) + random.normal()
  }
  return { x, y }
}

/** The first slope by lmrob of every set, NaN where it fails; undefined where there is no R. */
function lmrobSlopes(sets: readonly Supervised[]): number[] | undefined {
  const head = Float64Array.from([sets.length, ...sets.flatMap(({ x }) => [x.rows, x.cols])])
  const outcome = withFile([head, ...sets.flatMap(({ x, y }) => [x.values, y])], (path) =>
    runR<{ slopes: Array<number | null> }>('lmrob-sets.R', 'robustbase', [path]),
  )
  if (outcome === undefined) return undefined
  if (outcome.kind === 'too-slow') {
    say('  skipped: lmrob took more than three minutes; fewer --runs are needed')
    return undefined
  }
  return outcome.result.slopes.map((slope) => slope ?? Number.NaN)
}

const isFooled = (slope: number): boolean => !(Math.abs(slope - 1) <= FOOLED)

async function leverage(runs: number, seed: number): Promise<Criterion[]> {
  const sizes = COLUMNS.flatMap((columns) =>
    ROWS_EACH.flatMap((each) => SHARES.map((share) => ({ columns, each, share }))),
  )
  const parts = pieces(runs, 20)
  const tasks: Task[] = sizes.flatMap((size) => parts.map((part) => ({ leverage: size, seed, ...part })))
  const results = await workOff(import.meta.url, work, tasks)
  say(
    `a bad cluster far out in one feature, ${runs} runs: share of fits whose slope is off by more than ${FOOLED}`,
  )
  const sets = sizes.flatMap((size) => Array.from({ length: runs }, (_, run) => leverageSet(size, seed, run)))
  const slopes = lmrobSlopes(sets)
  const cells = sizes.map((size, k) => {
    const ours = results.slice(k * parts.length, (k + 1) * parts.length).flat()
    const theirs = slopes?.slice(k * runs, (k + 1) * runs)
    return {
      size,
      ours: shareOf(ours.map(({ slope }) => isFooled(slope))),
      cautioned: shareOf(ours.map(({ cautions }) => cautions.includes('leverage'))),
      theirs: theirs && shareOf(theirs.map(isFooled)),
      failed: theirs && shareOf(theirs.map(Number.isNaN)),
    }
  })
  table(
    ['p, rows for each', 'rows', 'bad', 'fooled', 'cautioned', 'lmrob fooled', 'of which it gives up'],
    cells.map(({ size, ours, cautioned, theirs, failed }) => [
      `${size.columns}, ${size.each}`,
      String(size.each * (size.columns + 1)),
      `${100 * size.share} %`,
      percent(ours),
      percent(cautioned),
      theirs === undefined ? 'no R' : percent(theirs),
      failed === undefined ? '' : percent(failed),
    ]),
  )
  if (slopes === undefined) return []
  const worse = cells.filter(({ ours, theirs = 0 }) => ours > theirs + gap(ours, theirs, runs))
  const named = worse.map(({ size }) => `${size.columns}, ${size.each}, ${100 * size.share} %`)
  return [
    {
      name: 'bad leverage fools no more often than lmrob, at every size (two standard errors)',
      holds: worse.length === 0,
      detail: worse.length === 0 ? 'all sizes' : `not at ${named.join('; ')}`,
    },
  ]
}

/** Two standard errors of the difference; with one run in doubt where both shares are 0 or 1. */
function gap(a: number, b: number, runs: number): number {
  const both = (a + b) / 2
  return Math.max(Math.SQRT2 * twoErrors(both, runs), 1 / runs)
}

async function clean(runs: number, seed: number): Promise<Criterion[]> {
  const sizes = [1, 2].flatMap((columns) => Array.from({ length: 11 }, (_, k) => ({ columns, rows: 5 + k })))
  const parts = pieces(runs, 50)
  const tasks: Task[] = sizes.flatMap((size) => parts.map((part) => ({ clean: size, seed, ...part })))
  const results = await workOff(import.meta.url, work, tasks)
  const cells = sizes.map((size, k) => {
    const all = results.slice(k * parts.length, (k + 1) * parts.length).flat()
    return {
      size,
      flagged: shareOf(all.map(({ flagged }) => flagged)),
      covered: meanOf(all.map(({ covered }) => covered)),
      cautions: shareOf(all.map(({ cautions }) => cautions !== '-')),
    }
  })
  say()
  say(
    `clean normal sets of few rows, ${runs} runs: share flagged (interval without 0), coverage of ± with Student's t`,
  )
  table(
    ['rows x p', 'flagged', 'coverage of 90 %', 'cautioned'],
    cells.map(({ size, flagged, covered, cautions }) => [
      `${size.rows} x ${size.columns}`,
      percent(flagged),
      percent(covered),
      percent(cautions),
    ]),
  )
  const most = cells.reduce((a, b) => (b.flagged > a.flagged ? b : a))
  const least = cells.reduce((a, b) => (b.covered < a.covered ? b : a))
  const mean = meanOf(cells.map(({ flagged }) => flagged))
  return [
    {
      name: 'at most 10 % of clean sets of 5 to 15 rows are flagged',
      holds: mean <= 0.1 && most.flagged <= 0.1 + twoErrors(0.1, runs),
      detail: `mean ${percent(mean)}, most ${percent(most.flagged)} at ${most.size.rows} x ${most.size.columns}`,
    },
    {
      name: "± by Student's t covers at least 85 % of the coefficients",
      holds: least.covered >= 0.85 - twoErrors(0.85, runs),
      detail: `least ${percent(least.covered)} at ${least.size.rows} x ${least.size.columns}`,
    },
  ]
}

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  refuseUnknown(only, ['leverage', 'clean'])
  const wanted = (part: string): boolean => only.length === 0 || only.includes(part)
  const criteria: Criterion[] = []
  if (wanted('leverage')) criteria.push(...(await leverage(runs, seed)))
  // A fit of so few rows takes no time.
  if (wanted('clean')) criteria.push(...(await clean(4 * runs, seed)))
  verdict(criteria)
}

if (isProgram(import.meta.url)) await main(runOptions(50))
