/** Labels of one class that were lost to another, 35 % of them: is the share of wrong labels inside the interval, and if not, by how much does it miss, and is anything said? */
import { fitTable } from '@rlvi/estimator'
import { draws } from 'rlvi/random'
import { say } from '../measure.js'
import { workOff } from './pool.js'
import { isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import { meanOf, percent, shareOf } from './statistics.js'

const LOST = 0.35
const ROWS = [150, 300, 600]
/** Of the class whose labels are lost. */
const SHARES = [0.05, 0.1, 0.4]
const CLASSES = [2, 3]
/** Between the centres of classes, in their standard deviations. */
const APART = 4
/** A miss of fewer rows than this is one of the end of an interval. */
const FEW_ROWS = 2

interface Task {
  readonly rows: number
  readonly share: number
  readonly classes: number
  readonly clean: boolean
  readonly seed: number
  readonly run: number
}

interface Reported {
  readonly truth: number
  readonly level: number
  readonly low: number
  readonly high: number
  /** By how many rows the interval misses. */
  readonly off: number
  readonly told: boolean
}

export function work({ rows, share, classes, clean, seed, run }: Task): Reported {
  const random = draws(seed, 'lost labels', rows, share, classes, run)
  const columns: Record<string, number[] | string[]> = { a: [], b: [], label: [] }
  let wrong = 0
  for (let i = 0; i < rows; i++) {
    const u = random.uniform(0, 1)
    const c = u < share ? 0 : 1 + Math.floor(((u - share) / (1 - share)) * (classes - 1))
    const angle = (2 * Math.PI * c) / 3
    const radius = APART / Math.sqrt(3)
    ;(columns.a as number[]).push(radius * Math.cos(angle) + random.normal())
    ;(columns.b as number[]).push(radius * Math.sin(angle) + random.normal())
    const lost = c === 0 && random.uniform(0, 1) < LOST && !clean
    if (lost) wrong++
    ;(columns.label as string[]).push(`class ${lost ? 1 : c}`)
  }
  const truth = wrong / rows
  const { corruption, cautions, status, remarks } = fitTable(columns, { target: 'label' })
  const { level = Number.NaN, interval: [low, high] = [0, 1] } = corruption
  const border = remarks.some((remark) => remark.includes('as a soft border explains'))
  return {
    truth,
    level,
    low,
    high,
    off: Math.max(0, low - truth, truth - high) * rows,
    told: cautions.length > 0 || status.kind === 'degenerate' || border,
  }
}

const ends = (off: number): boolean => off < 1e-6

async function main({ runs, seed }: RunOptions): Promise<void> {
  const cells = CLASSES.flatMap((classes) =>
    ROWS.flatMap((rows) =>
      SHARES.flatMap((share) => [false, true].map((clean) => ({ classes, rows, share, clean }))),
    ),
  )
  const tasks = cells.flatMap((cell) => Array.from({ length: runs }, (_, run) => ({ ...cell, seed, run })))
  const all = await workOff(import.meta.url, work, tasks)
  const of = (clean: boolean): Reported[] => all.filter((_, k) => tasks[k]!.clean === clean)
  say(`35 % of the labels of one class lost to another, ${runs} sets of each; sets that are missed:`)
  table(
    ['classes', 'rows', 'class', 'wrong', 'level', 'from', 'to', 'rows off', 'told'],
    all.flatMap((one, k) => {
      const { classes, rows, share, clean } = tasks[k]!
      if (ends(one.off)) return []
      const numbers = [one.truth, one.level, one.low, one.high].map((value) => value.toFixed(4))
      const what = clean ? 'clean' : percent(share)
      return [[String(classes), String(rows), what, ...numbers, one.off.toFixed(1), one.told ? 'yes' : 'no']]
    }),
  )
  const holds = (list: readonly Reported[]): number => shareOf(list.map(({ off }) => ends(off)))
  const silent = shareOf(of(false).map(({ off, told }) => off >= FEW_ROWS && !told))
  say(`  mean width ${meanOf(of(false).map(({ low, high }) => high - low)).toFixed(3)}`)
  verdict([
    {
      name: 'lost: 90 % intervals cover at least 80 %',
      holds: holds(of(false)) >= 0.8,
      detail: percent(holds(of(false))),
    },
    {
      name: 'lost: at most 10 % miss by two rows or more without a word',
      holds: silent <= 0.1,
      detail: percent(silent),
    },
    {
      name: 'clean: the interval holds 0 in at least 90 %',
      holds: holds(of(true)) >= 0.9,
      detail: percent(holds(of(true))),
    },
  ])
}

if (isProgram(import.meta.url)) await main(runOptions(4))
