/** Bad rows near the good ones, or among them: is their share inside the interval, and if not, does a caution or the line on how far off rows count as bad say so? */
import { fit, linear, matrix } from 'rlvi'
import { type Draws, draws } from 'rlvi/random'
import { say } from '../measure.js'
import { workOff } from './pool.js'
import { isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import { percent, refuseUnknown } from './statistics.js'
import { holds, isSilent, type Judged, shareBeyond } from './told.js'

type Law = 'normal' | 't5' | 'gamma' | 'uneven'
const LAWS: Readonly<Record<Law, (random: Draws, x: number) => number>> = {
  normal: (random) => random.normal(),
  t5: (random) => random.studentT(5),
  gamma: (random) => random.chiSquared(4) / 2 - 2,
  uneven: (random, x) => Math.exp(0.4 * x) * random.normal(),
}

/** What a bad row has: another response, by how much, or another feature. */
interface Kind {
  readonly words: string
  readonly rows: number
  readonly share: number
  readonly laws: readonly Law[]
  /** Whether the first feature is of whole numbers. */
  readonly whole?: boolean
  /** What is added to the response. */
  readonly added?: (random: Draws, x: number) => number
  /** The first feature of all bad rows, by those of the good ones. */
  readonly filled?: (others: Float64Array) => number
}

const SOME: readonly Law[] = ['normal', 't5', 'gamma', 'uneven']
const WHOLE = 10

const KINDS: Readonly<Record<string, Kind>> = {
  line4: {
    words: 'a line whose slope is 4 less',
    rows: 200,
    share: 0.1,
    laws: SOME,
    added: (_, x) => -4 * x,
  },
  line3: { words: 'slope 3 less', rows: 200, share: 0.1, laws: SOME, added: (_, x) => -3 * x },
  line2: { words: 'slope 2 less', rows: 400, share: 0.15, laws: SOME, added: (_, x) => -2 * x },
  noise: {
    words: 'noise twice as large',
    rows: 250,
    share: 0.1,
    laws: SOME,
    added: (random) => 2 * random.normal(),
  },
  noise3: { words: 'three times', rows: 250, share: 0.1, laws: SOME, added: (random) => 3 * random.normal() },
  tail: {
    words: '3 off in 60 rows',
    rows: 60,
    share: 0.12,
    laws: ['normal', 't5', 'gamma'],
    added: (random) => 3 + 0.5 * random.normal(),
  },
  tail4: {
    words: '4 off in 60 rows',
    rows: 60,
    share: 0.12,
    laws: ['normal', 't5', 'gamma'],
    added: (random) => 4 + 0.5 * random.normal(),
  },
  median: {
    words: 'a feature of whole numbers filled in by its median',
    rows: 200,
    share: 0.1,
    laws: ['normal', 'gamma'],
    whole: true,
    filled: (others) => others.toSorted()[Math.floor(others.length / 2)],
  },
  mean: {
    words: 'a feature filled in by its mean',
    rows: 200,
    share: 0.1,
    laws: ['normal', 'gamma'],
    filled: (others) => others.reduce((sum, value) => sum + value / others.length, 0),
  },
}

interface Task {
  readonly kind: string
  readonly law: Law
  readonly clean: boolean
  readonly seed: number
  readonly run: number
}

export function work({ kind, law, clean, seed, run }: Task): Judged & { readonly level: number } {
  const { rows, share, whole = false, added, filled } = KINDS[kind]
  const random = draws(seed, 'hidden rows', kind, law, run, clean ? 'none' : 'some')
  const bad = clean ? 0 : Math.round(share * rows)
  const x = matrix(rows, 2)
  const first = new Float64Array(rows)
  const y = new Float64Array(rows)
  const good = new Float64Array(rows)
  for (let i = 0; i < rows; i++) {
    const u = random.normal()
    first[i] = whole ? Math.round(45 + WHOLE * u) : u
    const other = random.normal()
    const at = whole ? (first[i] - 45) / WHOLE : u
    good[i] = 5 + at - other
    y[i] = good[i] + LAWS[law](random, at) + (i < bad && added ? added(random, at) : 0)
    x.values.set([first[i], other], 2 * i)
  }
  const value = filled?.(first.subarray(bad))
  if (value !== undefined) for (let i = 0; i < bad; i++) x.values[2 * i] = value
  const { corruption, cautions = [], badFrom } = fit(linear(), { x, y })
  const [low, high] = corruption.interval!
  // A row whose feature is wrong is off by what its response is off the line at that feature.
  const shown = (i: number): number =>
    value === undefined ? good[i] : good[i] + (value - first[i]) / (whole ? WHOLE : 1)
  const errors = Array.from({ length: bad }, (_, i) => y[i] - shown(i))
  return {
    level: corruption.level!,
    low,
    high,
    truth: bad / rows,
    beyond: shareBeyond(errors, badFrom, rows),
    cautioned: cautions.length > 0,
  }
}

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  const names = Object.keys(KINDS)
  refuseUnknown(only, names)
  const cells = names
    .filter((kind) => only.length === 0 || only.includes(kind))
    .flatMap((kind) =>
      KINDS[kind].laws.flatMap((law) => [false, true].map((clean) => ({ kind, law, clean }))),
    )
  const tasks = cells.flatMap((cell) => Array.from({ length: runs }, (_, run) => ({ ...cell, seed, run })))
  const all = await workOff(import.meta.url, work, tasks)
  const of = (k: number) => all.slice(k * runs, (k + 1) * runs)
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
  const share = (list: readonly Judged[], test: (one: Judged) => boolean): string =>
    percent(list.filter(test).length / list.length)
  say(`bad rows near the good ones, ${runs} runs of each`)
  table(
    ['bad rows', 'errors', 'share', 'level', 'to', 'beyond', 'covered', 'cautioned', 'silent'],
    cells.map(({ kind, law, clean }, k) => [
      clean ? `${kind}: none` : `${kind}: ${KINDS[kind].words}`,
      law,
      ...[
        mean(of(k).map(({ truth }) => truth)),
        mean(of(k).map(({ level }) => level)),
        mean(of(k).map(({ high }) => high)),
        mean(of(k).map(({ beyond }) => beyond)),
      ].map((value) => value.toFixed(3)),
      share(of(k), holds),
      share(of(k), ({ cautioned }) => cautioned),
      share(of(k), isSilent),
    ]),
  )
  const spoiled = all.filter(({ truth }) => truth > 0)
  const clean = all.filter(({ truth }) => truth === 0)
  const least = (list: readonly Judged[], test: (one: Judged) => boolean): number =>
    list.filter(test).length / Math.max(1, list.length)
  verdict([
    {
      name: 'at most 10 % miss in silence: no caution, and bad rows beyond the distance told that the interval does not hold',
      holds: least(spoiled, isSilent) <= 0.1,
      detail: percent(least(spoiled, isSilent)),
    },
    {
      name: 'clean rows: at most 10 % of the intervals miss 0 in silence',
      holds: least(clean, isSilent) <= 0.1,
      detail: percent(least(clean, isSilent)),
    },
  ])
}

if (isProgram(import.meta.url)) await main(runOptions(4))
