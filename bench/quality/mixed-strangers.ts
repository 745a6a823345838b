/** Good rows of 67 kinds, each with bad rows of several kinds in turn: which intervals miss the truth without a word? */
import { fitTable } from '@rlvi/estimator'
import { type Draws, draws } from 'rlvi/random'
import { say } from '../measure.js'
import { MIXED_KINDS, type MixedKind, type MixedRow } from './mixed-kinds.js'
import { workOff } from './pool.js'
import { isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import { percent, refuseUnknown } from './statistics.js'

/** Of 90 % intervals so many may miss without a word. */
const ALLOWED = 0.1
/** Every run has two clean tables, and these shares of four kinds of bad rows. */
const SHARES = [0.05, 0.1, 0.2, 0.12] as const

type Spoil = (row: MixedRow, random: Draws, spread: Readonly<Record<string, number>>) => MixedRow

const num = (row: MixedRow, name: string): number => row[name] as number
const shifted = (row: MixedRow, by: number): MixedRow => ({ ...row, y: num(row, 'y') + by })
const first = (row: MixedRow): string => Object.keys(row).find((name) => typeof row[name] === 'number')!
/** Together, along the diagonal. */
const moved =
  (by: number): Spoil =>
  (row, _, spread) => {
    const names = Object.keys(row)
    return Object.fromEntries(
      names.map((name) => [name, num(row, name) + (by * spread[name]) / Math.sqrt(names.length)]),
    )
  }

const RESPONSES: Readonly<Record<string, Spoil>> = {
  up6: (row) => shifted(row, 6),
  both10: (row, random) => shifted(row, random.uniform(0, 1) < 0.5 ? -10 : 10),
  near4: (row, random) => shifted(row, 4 + 0.5 * random.normal()),
  tenfold: (row) => ({ ...row, y: 10 * num(row, 'y') }),
  code: (row) => ({ ...row, y: -99 }),
  noise: (row, random) => shifted(row, 8 * random.studentT(3)),
  otherslope: (row) => shifted(row, -4 * num(row, first(row))),
  xcode: (row) => ({ ...row, [first(row)]: 99 }),
  xzero: (row) => ({ ...row, [first(row)]: 0 }),
  xtenfold: (row) => ({ ...row, [first(row)]: 10 * num(row, first(row)) }),
}
const COUNTS: Readonly<Record<string, Spoil>> = {
  tenfold: (row) => ({ ...row, y: 10 * num(row, 'y') }),
  plus30: (row) => shifted(row, 30),
  zero: (row) => ({ ...row, y: 0 }),
  code999: (row) => ({ ...row, y: 999 }),
  double: (row) => ({ ...row, y: 2 * num(row, 'y') }),
}
const CLOUDS: Readonly<Record<string, Spoil>> = {
  code: (row) => ({ ...row, [first(row)]: -999 }),
  tenfold: (row) => ({ ...row, [first(row)]: 10 * num(row, first(row)) + 5 }),
  cluster5: moved(5),
  cluster8: moved(8),
  scatter: (row, random, spread) =>
    Object.fromEntries(
      Object.keys(row).map((name) => [
        name,
        num(row, name) + 8 * spread[name] * (random.uniform(0, 1) - 0.5) * 2,
      ]),
    ),
  onecell: (row, random, spread) => {
    const names = Object.keys(row)
    const name = names[Math.floor(random.uniform(0, names.length))]
    return { ...row, [name]: num(row, name) + 12 * spread[name] }
  },
}

function spoilsOf({ model }: MixedKind): Readonly<Record<string, Spoil>> {
  if (model === 'linear') return RESPONSES
  return model === 'poisson' ? COUNTS : CLOUDS
}

interface Task {
  readonly name: string
  readonly seed: number
  readonly run: number
  readonly cell: number
}

interface Reported {
  readonly name: string
  readonly spoil: string
  readonly truth: number
  readonly level: number
  readonly low: number
  readonly high: number
  readonly law: string
  readonly cautioned: boolean
}

export function work({ name, seed, run, cell }: Task): Reported {
  const kind = MIXED_KINDS[name]
  const spoils = spoilsOf(kind)
  const names = Object.keys(spoils)
  const spoil = cell < 2 ? 'none' : names[(4 * run + cell - 2 + name.length) % names.length]
  const { columns, truth } = mixedTable(
    kind,
    spoils[spoil],
    cell < 2 ? 0 : SHARES[cell - 2],
    draws(seed, 'mine', name, run, cell),
  )
  const { model } = kind
  const target = model === 'linear' || model === 'poisson' ? { target: 'y' } : {}
  const { corruption, cautions, errors } = fitTable(columns, { model, ...target })
  const { level = Number.NaN, interval: [low, high] = [0, 1] } = corruption
  return { name, spoil, truth, level, low, high, law: errors?.name ?? '-', cautioned: cautions.length > 0 }
}

/** A table, and the share of its rows that are not what they were. */
function mixedTable(
  kind: MixedKind,
  spoil: Spoil | undefined,
  share: number,
  random: Draws,
): { columns: Record<string, number[] | string[]>; truth: number } {
  const before = {}
  const good = Array.from({ length: kind.rows }, (_, i) => kind.good(random, i, before))
  const names = Object.keys(good[0])
  const spread = Object.fromEntries(names.map((name) => [name, spreadOf(good.map((row) => num(row, name)))]))
  const bad = new Set<number>()
  while (bad.size < Math.round(share * kind.rows)) bad.add(Math.floor(random.uniform(0, kind.rows)))
  let changed = 0
  const rows = good.map((row, i) => {
    const told = bad.has(i) && spoil !== undefined ? spoil(row, random, spread) : row
    if (JSON.stringify(told) !== JSON.stringify(row)) changed++
    return kind.recorded?.(told) ?? told
  })
  const columns = Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])]))
  return { columns: columns as Record<string, number[] | string[]>, truth: changed / kind.rows }
}

/** Half of the distance in which two thirds of the values lie. */
function spreadOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.floor(0.84 * sorted.length)] - sorted[Math.floor(0.16 * sorted.length)]) / 2
}

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  const all = Object.keys(MIXED_KINDS)
  refuseUnknown(only, all)
  const wanted = only.length === 0 ? all : all.filter((name) => only.includes(name))
  const tasks = wanted.flatMap((name) =>
    Array.from({ length: runs }, (_, run) => run).flatMap((run) =>
      Array.from({ length: 2 + SHARES.length }, (_, cell) => ({ name, seed, run, cell })),
    ),
  )
  const results = await workOff(import.meta.url, work, tasks)
  const missed = results.filter(({ low, high, truth }) => low > truth + 1e-9 || high < truth - 1e-9)
  const silent = missed.filter(({ cautioned }) => !cautioned)
  const clean = results.filter(({ truth }) => truth === 0)
  const cleanSilent = silent.filter(({ truth }) => truth === 0)
  say(
    `${wanted.length} kinds of good rows, ${results.length} tables: ${missed.length} intervals miss, ${silent.length} without a caution:`,
  )
  table(
    ['good rows', 'bad rows', 'share', 'level', 'from', 'to', 'law'],
    silent.map(({ name, spoil, truth, level, low, high, law }) => [
      name,
      spoil,
      ...[truth, level, low, high].map((share) => share.toFixed(3)),
      law,
    ]),
  )
  const share = (part: readonly unknown[], whole: readonly unknown[]): number =>
    part.length / Math.max(1, whole.length)
  verdict([
    {
      name: 'at most 10 % of the intervals of clean tables miss 0 without a caution',
      holds: share(cleanSilent, clean) <= ALLOWED,
      detail: percent(share(cleanSilent, clean)),
    },
    {
      name: 'at most 10 % of all intervals miss the truth without a caution',
      holds: share(silent, results) <= ALLOWED,
      detail: percent(share(silent, results)),
    },
  ])
}

if (isProgram(import.meta.url)) await main(runOptions(1))
