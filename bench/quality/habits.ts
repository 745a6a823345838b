/** Labels that go wrong uniformly, in pairs or in some classes alone: level, ranking and fit with uniform noise and with learned habits. */
import { summarise } from '@rlvi/paper'
import { type Fit, fit, type SoftmaxParams, softmax } from 'rlvi'
import { say } from '../measure.js'
import { flaggedRows, outOfFold, rowsOf, selfConfidence } from './confident.js'
import { FLIPS, type Flips, flippedSplit, HABIT_SETS, type HabitSet } from './habits-data.js'
import { accuracyOf, areaUnderCurve } from './label-errors.js'
import { pieces, workOff } from './pool.js'
import { type Criterion, isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import { chosen, meanOf, refuseUnknown, signed } from './statistics.js'

const RATES = [0.1, 0.2, 0.3]
const RIDGE = 0.01

interface Task {
  readonly set: HabitSet
  readonly flips: Flips
  readonly rate: number
  readonly seed: number
  readonly first: number
  readonly last: number
}

/** Of one way to judge labels. */
interface Scores {
  /** Level less the share of labels that are wrong. */
  readonly bias: number
  /** Whether that share is in the interval; undefined where there is none. */
  readonly covered: boolean | undefined
  readonly width: number
  readonly auc: number
  /** On clean test rows. */
  readonly accuracy: number
}

export interface Judged {
  readonly uniform: Scores
  readonly learned: Scores
  readonly confident: Scores
  /** Whether the labels spoke for habits. */
  readonly habits: boolean
}

export function work({ set, flips, rate, seed, first, last }: Task): Judged[] {
  return Array.from({ length: last - first }, (_, k) => {
    const parts = flippedSplit(set, flips, rate, seed, first + k)
    const { train, flipped, test, classes } = parts
    const truth = flipped.filter(Boolean).length / flipped.length
    const model = softmax({ classes, ridge: RIDGE })
    // Without its classes a likelihood knows of uniform noise alone.
    const { classes: withHabits, ...plain } = model
    const scores = (found: Fit<SoftmaxParams>): Scores => {
      const { level, interval } = found.corruption
      return {
        bias: level! - truth,
        covered: interval && interval[0] <= truth && truth <= interval[1],
        width: interval === undefined ? Number.NaN : interval[1] - interval[0],
        auc: areaUnderCurve(found.clean, flipped),
        accuracy: accuracyOf(model, found.params, test),
      }
    }
    const learned = fit(model, train)
    const p = outOfFold(model, parts)
    const doubtful = flaggedRows(p, train.y)
    return {
      uniform: scores(fit(plain, train)),
      learned: scores(learned),
      confident: {
        bias: doubtful.filter(Boolean).length / doubtful.length - truth,
        covered: undefined,
        width: Number.NaN,
        auc: areaUnderCurve(selfConfidence(p, train.y), flipped),
        accuracy: accuracyOf(model, model.fit(rowsOf(train, (i) => !doubtful[i])), test),
      },
      habits: learned.corruption.habits !== undefined,
    }
  })
}

interface Cell {
  readonly set: HabitSet
  readonly flips: Flips
  readonly rate: number
  readonly all: readonly Judged[]
}

/** Of two labels the next one is any other. */
function settings(sets: readonly HabitSet[]): Array<Omit<Cell, 'all'>> {
  return sets.flatMap((set) => [
    { set, flips: 'uniform' as const, rate: 0 },
    ...FLIPS.flatMap((flips) =>
      isBinary(set) && flips === 'pairflip' ? [] : RATES.map((rate) => ({ set, flips, rate })),
    ),
  ])
}

function isBinary(set: HabitSet): boolean {
  return set === 'two' || set === 'biopsy' || set === 'boston'
}

type Way = 'uniform' | 'learned' | 'confident'

const over = (all: readonly Judged[], way: Way, value: (s: Scores) => number): number =>
  meanOf(all.map((judged) => value(judged[way])))

/** The share of intervals that cover, of those that there are. */
function coverageOf(all: readonly Judged[], way: Way): number | undefined {
  const said = all.flatMap((judged) => judged[way].covered ?? [])
  return said.length === 0 ? undefined : said.filter(Boolean).length / said.length
}

function rowOf({ set, flips, rate, all }: Cell): string[] {
  const coverage = (way: Way): string => {
    const share = coverageOf(all, way)
    return share === undefined ? '-' : `${(100 * share).toFixed(0)} %`
  }
  const auc = (way: Way): string => (rate === 0 ? '-' : over(all, way, (s) => s.auc).toFixed(4))
  return [
    set,
    rate === 0 ? 'none' : flips,
    String(rate),
    ...(['uniform', 'learned', 'confident'] as const).map((way) => signed(over(all, way, (s) => s.bias))),
    coverage('uniform'),
    coverage('learned'),
    ...(['uniform', 'learned', 'confident'] as const).map(auc),
    ...(['uniform', 'learned', 'confident'] as const).map((way) =>
      over(all, way, (s) => s.accuracy).toFixed(3),
    ),
    `${(100 * meanOf(all.map(({ habits }) => (habits ? 1 : 0)))).toFixed(0)} %`,
  ]
}

const HEAD = [
  'set',
  'flips',
  'rate',
  'bias, uniform',
  'learned',
  'confident',
  'coverage, uniform',
  'learned',
  'AUC, uniform',
  'learned',
  'confident',
  'accuracy, uniform',
  'learned',
  'confident',
  'habits',
]

function criteria(cells: readonly Cell[]): Criterion[] {
  const clean = cells.filter(({ rate }) => rate === 0).flatMap(({ all }) => all)
  const grown = summarise(clean.map(({ learned, uniform }) => learned.bias - uniform.bias))
  const out: Criterion[] = [
    {
      name: 'clean data: the level is not larger than with uniform noise, and labels have no habits',
      holds: grown.mean <= 0.001 && clean.every(({ habits }) => !habits),
      detail: `${signed(grown.mean)}, habits in ${clean.filter(({ habits }) => habits).length} of ${clean.length}`,
    },
  ]
  for (const flips of FLIPS) {
    const those = cells.filter((cell) => cell.flips === flips && cell.rate > 0)
    if (those.length === 0) continue
    const all = those.flatMap((cell) => cell.all)
    const auc = summarise(all.map(({ learned, uniform }) => learned.auc - uniform.auc))
    const off = (way: Way): number => meanOf(those.map((c) => Math.abs(over(c.all, way, (s) => s.bias))))
    const [before, after] = [off('uniform'), off('learned')]
    const better = flips !== 'uniform'
    out.push(
      {
        name: `${flips}: area under the curve ${better ? 'larger' : 'not smaller'} than with uniform noise`,
        holds: better ? auc.mean > 2 * auc.sem : auc.mean >= -2 * auc.sem,
        detail: `${auc.mean < 0 ? '' : '+'}${auc.mean.toFixed(4)} ± ${auc.sem.toFixed(4)}`,
      },
      {
        name: `${flips}: bias of the level ${better ? 'smaller' : 'not larger'}, over the cells`,
        holds: better ? after < before : after <= before + 0.002,
        detail: `${before.toFixed(3)} before, ${after.toFixed(3)} after`,
      },
    )
    const [covered, before90] = [coverageOf(all, 'learned'), coverageOf(all, 'uniform')]
    if (covered !== undefined && before90 !== undefined)
      out.push({
        name: `${flips}: 90 % intervals cover at least 85 %`,
        holds: covered >= 0.85,
        detail: `${(100 * covered).toFixed(0)} %, with uniform noise ${(100 * before90).toFixed(0)} %`,
      })
    const behind = those.filter(({ all: own }) => {
      const { mean, sem } = summarise(own.map(({ learned, confident }) => learned.auc - confident.auc))
      // One split has no standard error: then the difference itself counts.
      return mean < (own.length > 1 ? -2 * sem : 0)
    })
    out.push({
      name: `${flips}: area under the curve not below that of confident learning in any cell (less 2 standard errors)`,
      holds: behind.length === 0,
      ...(behind.length === 0
        ? {}
        : { detail: `not on ${behind.map((c) => `${c.set} at ${c.rate}`).join(', ')}` }),
    })
  }
  return out
}

/** Fits of ten classes take seconds. */
function runsOf(set: HabitSet, runs: number): number {
  return set === 'digits' || set === 'fgl' || set === 'vehicles' ? Math.ceil(runs / 4) : runs
}

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  refuseUnknown(only, HABIT_SETS)
  const asked = settings(chosen(only, HABIT_SETS))
  const tasks = asked.flatMap((setting, k) =>
    pieces(runsOf(setting.set, runs), 1).map((part) => ({ ...setting, ...part, seed, k })),
  )
  const results = await workOff(import.meta.url, work, tasks)
  const cells = asked.map((setting, k) => ({
    ...setting,
    all: results.filter((_, j) => tasks[j].k === k).flat(),
  }))
  say(
    `labels that go wrong: uniform noise, learned habits, confident learning; ${runs} splits, of digits, fgl and vehicles a quarter`,
  )
  table(HEAD, cells.map(rowOf))
  verdict(criteria(cells))
}

if (isProgram(import.meta.url)) await main(runOptions(20))
