/** Whether the answer depends on `seed`: which subsets the search draws must not show in what it finds. */
import { say } from '../measure.js'
import { workOff } from './pool.js'
import { isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import type { NamedSet } from './real-sets.js'
import { type Answer, answerOf, contains, distanceInErrors } from './same-answer.js'
import { type SetTask, setOf, setTasks } from './set-tasks.js'
import { type SmallKind, smallSet } from './small-sets.js'
import { percent, shareOf } from './statistics.js'

const KINDS: readonly SmallKind[] = ['leverage', 'shifted', 'uniform', 'heavy', 'clean']
const SIZE = { rows: [30, 300], columns: [2, 10] } as const
const SEEDS = 10
/** Of coefficients, in standard errors. */
export const CLOSE = 0.2

export interface SeedOutcome {
  readonly name: string
  /** Least and largest level. */
  readonly levels: readonly [number, number]
  /** Whether every level is in the interval of every seed. */
  readonly inside: boolean
  /** The largest distance of a coefficient between two seeds, in standard errors. */
  readonly distance: number
  /** How many different answers there are, by level to four digits. */
  readonly answers: number
}

/** `count` seeds on one set. */
export function seedOutcome({ name, data }: NamedSet, count: number = SEEDS): SeedOutcome {
  const all = Array.from({ length: count }, (_, seed) => answerOf(data, { seed }))
  const levels = all.map(({ level }) => level)
  return {
    name,
    levels: [Math.min(...levels), Math.max(...levels)],
    // An exact fit has no interval: then the levels must be the same.
    inside: all.every((answer) => levels.every((level) => level === answer.level || contains(answer, level))),
    distance: largestDistance(all),
    answers: new Set(levels.map((level) => level.toFixed(4))).size,
  }
}

function largestDistance(all: readonly Answer[]): number {
  return Math.max(...all.flatMap((a) => all.map((b) => distanceInErrors(a.coefficients, b))))
}

export function work(task: SetTask): SeedOutcome {
  return seedOutcome(setOf(task, (seed, run) => smallSet(seed, run, SIZE, KINDS)))
}

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  const outcomes = await workOff(import.meta.url, work, setTasks(runs, seed, only))
  const failed = outcomes.filter(({ inside, distance }) => !inside || !(distance <= CLOSE))
  say(`${SEEDS} seeds on ${outcomes.length} sets of 30 to 300 rows and on real ones; those where it shows:`)
  table(
    ['set', 'answers', 'least level', 'largest level', 'in all intervals', 'coefficients (se)'],
    failed.map((o) => [
      o.name,
      String(o.answers),
      ...o.levels.map((level) => level.toFixed(3)),
      o.inside ? 'yes' : 'NO',
      o.distance.toFixed(2),
    ]),
  )
  const off = outcomes.filter(({ distance }) => !(distance <= CLOSE)).length
  verdict([
    {
      name: 'the levels of ten seeds lie in each other’s intervals',
      holds: outcomes.every(({ inside }) => inside),
      detail: `on ${percent(shareOf(outcomes.map(({ inside }) => inside)))} of the sets`,
    },
    {
      name: `the coefficients of ten seeds are within ${CLOSE} standard errors`,
      holds: off === 0,
      detail: `not on ${off} of ${outcomes.length} sets`,
    },
  ])
}

if (isProgram(import.meta.url)) await main(runOptions(60))
