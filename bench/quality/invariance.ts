/** Whether units, the order of the rows and counting every row twice change the answer: they must not. */
import { matrix, type Supervised, takeRows } from 'rlvi'
import { draws } from 'rlvi/random'
import { say } from '../measure.js'
import { workOff } from './pool.js'
import { type Criterion, isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import type { NamedSet } from './real-sets.js'
import { type Answer, answerOf, hasNoWidth } from './same-answer.js'
import { type SetTask, setOf, setTasks } from './set-tasks.js'
import { smallSet } from './small-sets.js'
import { deviationOf } from './statistics.js'
import { type Change, changedColumns, type Units, unchanged } from './units-changes.js'

const SIZE = { rows: [20, 200], columns: [1, 6] } as const
const FACTORS = [0.1, 1 / 3, 3, 7]
/** In standard deviations of the column. */
const SHIFTS = [-10, 10]
const PERMUTATIONS = 3
export const SAME = 1e-6

/** The largest changes of what should not change, and by what change. */
export interface InvarianceOutcome {
  readonly name: string
  readonly level: number
  /** Of the ends of the interval. */
  readonly interval: number
  readonly clean: number
  /** Of coefficients in the first units, relative to the larger of the coefficient and its standard error. */
  readonly coefficients: number
  /** The change that made the largest of these. */
  readonly by: string
  readonly width: number
  /** In how many tellings the interval has no width. */
  readonly widthless: number
  /** By how much the level changes when every row is taken twice. */
  readonly doubled: number
}

/** The same data otherwise told, and how to take the answer back. */
interface Retold {
  readonly by: string
  readonly data: Supervised
  readonly units: Units
  /** Row i of `data` is row order[i] of the first. */
  readonly order: readonly number[]
}

/** Of all tellings, or of those with the chosen numbers. */
export function invarianceOutcome(
  { name, data }: NamedSet,
  isChosen: (telling: number) => boolean = () => true,
): InvarianceOutcome {
  const before = answerOf(data)
  const tellings = retold(name, data).filter((_, k) => isChosen(k))
  const gaps = tellings.map((other) => ({ by: other.by, ...gapsBetween(before, other) }))
  const most = gaps.reduce((a, b) => (largestOf(b) > largestOf(a) ? b : a))
  const largest = (value: (g: (typeof gaps)[number]) => number): number => Math.max(...gaps.map(value))
  return {
    name,
    level: largest((g) => g.level),
    interval: largest((g) => g.interval),
    clean: largest((g) => g.clean),
    coefficients: largest((g) => g.coefficients),
    by: most.by,
    width: before.high - before.low,
    widthless: [hasNoWidth(before), ...gaps.map((g) => g.widthless)].filter(Boolean).length,
    doubled: Math.abs(answerOf(twice(data)).level - before.level),
  }
}

type Gaps = Pick<InvarianceOutcome, 'level' | 'interval' | 'clean' | 'coefficients'>

/** NaN counts as the largest of all. */
export function largestOf({ level, interval, clean, coefficients }: Gaps): number {
  const most = Math.max(level, interval, clean, coefficients)
  return Number.isNaN(most) ? Number.POSITIVE_INFINITY : most
}

function gapsBetween(before: Answer, { data, units, order }: Retold): Gaps & { widthless: boolean } {
  const after = answerOf(data)
  const coefficients = inFirstUnits(after.coefficients, units)
  return {
    widthless: hasNoWidth(after),
    level: Math.abs(after.level - before.level),
    interval: Math.max(gap(after.low, before.low), gap(after.high, before.high)),
    clean: Math.max(...order.map((row, i) => Math.abs(after.clean[i] - before.clean[row]))),
    coefficients: Math.max(
      ...before.coefficients.map((c, j) =>
        coefficients[j] === c
          ? 0
          : Math.abs(coefficients[j] - c) / Math.max(Math.abs(c), before.errors[j] ?? Number.NaN),
      ),
    ),
  }
}

/** An exact fit has no interval, which is the same answer where neither has. */
function gap(a: number, b: number): number {
  return Object.is(a, b) ? 0 : Math.abs(a - b)
}

/** Intercept and slopes as they were before the columns and the response were changed. */
function inFirstUnits([intercept, ...slopes]: readonly number[], { columns, response }: Units): number[] {
  const start = columns.reduce((sum, { shift }, j) => sum + slopes[j] * shift, intercept - response.shift)
  return [start, ...columns.map(({ factor }, j) => slopes[j] * factor)].map((c) => c / response.factor)
}

function retold(name: string, data: Supervised): Retold[] {
  const { x, y } = data
  const order = Array.from(y.keys())
  const none = unchanged(x.cols)
  const told = (units: Units): Retold => ({
    by: units.what,
    data: {
      x: changedColumns(x, units),
      y: y.map((value) => units.response.factor * value + units.response.shift),
    },
    units,
    order,
  })
  const ordered = (by: string, rows: readonly number[]): Retold => ({
    by,
    data: { x: takeRows(x, rows), y: Float64Array.from(rows, (row) => y[row]) },
    units: none,
    order: rows,
  })
  const every = (factor: number, shift: (column: number) => number): Change[] =>
    Array.from({ length: x.cols }, (_, j) => ({ factor, shift: shift(j) }))
  const size = (column: number): number => deviationOf(order.map((i) => x.values[i * x.cols + column]))
  const changes: Units[] = [
    ...FACTORS.flatMap((factor) => [
      { ...none, what: `y times ${factor.toFixed(2)}`, response: { factor, shift: 0 } },
      { ...none, what: `x times ${factor.toFixed(2)}`, columns: every(factor, () => 0) },
    ]),
    ...SHIFTS.flatMap((shift) => [
      { ...none, what: `y shifted by ${shift} sd`, response: { factor: 1, shift: shift * deviationOf(y) } },
      { ...none, what: `x shifted by ${shift} sd`, columns: every(1, (j) => shift * size(j)) },
    ]),
  ]
  return [
    ...changes.map(told),
    ordered('rows reversed', [...order].reverse()),
    ...Array.from({ length: PERMUTATIONS }, (_, k) =>
      ordered(`rows permuted (${k})`, permuted(order, `${name}/${k}`)),
    ),
  ]
}

function permuted(rows: readonly number[], key: string): number[] {
  const random = draws('invariance', key)
  return rows
    .map((row) => ({ row, at: random.uniform(0, 1) }))
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row)
}

function twice({ x, y }: Supervised): Supervised {
  const values = new Float64Array(2 * x.values.length)
  values.set(x.values)
  values.set(x.values, x.values.length)
  const response = new Float64Array(2 * y.length)
  response.set(y)
  response.set(y, y.length)
  return { x: matrix(2 * x.rows, x.cols, values), y: response }
}

export function movesLittle({ doubled, width }: InvarianceOutcome): boolean {
  return doubled === 0 || doubled < width
}

export function work(task: SetTask): InvarianceOutcome {
  return invarianceOutcome(setOf(task, (seed, run) => smallSet(seed, run, SIZE)))
}

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  const outcomes = await workOff(import.meta.url, work, setTasks(runs, seed, only))
  const failed = outcomes.filter((o) => !(largestOf(o) <= SAME) || o.widthless > 0 || !movesLittle(o))
  say('sets of 20 to 200 rows and real ones, in other units and orders; those where something changes:')
  const power = (value: number): string => (value === 0 ? '0' : value.toExponential(1))
  table(
    ['set', 'level', 'interval', 'P(good)', 'coefficients', 'by', 'width', 'without width', 'rows twice'],
    failed.map((o) => [
      o.name,
      ...[o.level, o.interval, o.clean, o.coefficients].map(power),
      largestOf(o) <= SAME ? '' : o.by,
      o.width.toFixed(3),
      String(o.widthless),
      `${o.doubled.toFixed(3)}${movesLittle(o) ? '' : ' !'}`,
    ]),
  )
  const criterion = (name: string, holds: (o: InvarianceOutcome) => boolean): Criterion => {
    const bad = outcomes.filter((o) => !holds(o)).length
    return {
      name,
      holds: bad === 0,
      detail: bad === 0 ? 'on all' : `not on ${bad} of ${outcomes.length} sets`,
    }
  }
  verdict([
    criterion('units and order change no level by 1e-6', (o) => o.level <= SAME),
    criterion('nor an interval', (o) => o.interval <= SAME),
    criterion('nor P(good)', (o) => o.clean <= SAME),
    criterion('nor a coefficient', (o) => o.coefficients <= SAME),
    criterion('no interval has width 0', (o) => o.widthless === 0),
    criterion('every row taken twice moves the level by less than the interval is wide', movesLittle),
  ])
}

if (isProgram(import.meta.url)) await main(runOptions(200))
