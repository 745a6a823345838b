/** Whether the corruption level is what it says: its bias, the coverage of its interval, and zero on clean data. */
import { type Fit, fit, linear, logistic, type Params, softmax } from 'rlvi'
import { say } from '../measure.js'
import { grossData, labelData } from './level-data.js'
import { pieces, workOff } from './pool.js'
import { type Criterion, isProgram, type RunOptions, runOptions, table, verdict } from './program.js'

const EPSILONS = [0, 0.05, 0.1, 0.2, 0.3, 0.4]

const KINDS = {
  shift: 'linear, bad rows shifted by +10 sigma',
  uniform: 'linear, bad rows uniform over 20 sigma about the plane',
  2: 'labels, 2 classes (logistic)',
  3: 'labels, 3 classes (softmax, ridge 0.01)',
  10: 'labels, 10 classes (softmax, ridge 0.01)',
} as const
type Kind = keyof typeof KINDS

interface Task {
  readonly kind: string
  readonly epsilon: number
  readonly seed: number
  readonly first: number
  readonly last: number
}

export interface Reported {
  readonly level: number
  readonly low: number
  readonly high: number
  /** Of the best classifier on clean rows, where there are labels. */
  readonly accuracy: number
}

/** The levels that the method reports for some runs. */
export function work({ kind, epsilon, seed, first, last }: Task): Reported[] {
  return Array.from({ length: last - first }, (_, k) => {
    if (kind === 'shift' || kind === 'uniform') {
      return reported(fit(linear(), grossData(kind, epsilon, seed, first + k)), Number.NaN)
    }
    const classes = Number(kind)
    const data = labelData(classes, epsilon, seed, first + k)
    const result = classes === 2 ? fit(logistic(), data) : fit(softmax({ classes, ridge: 0.01 }), data)
    return reported(result, data.accuracy)
  })
}

function reported({ corruption }: Fit<Params>, accuracy: number): Reported {
  const { level = Number.NaN, interval: [low, high] = [Number.NaN, Number.NaN] } = corruption
  return { level, low, high, accuracy }
}

export interface LevelSummary {
  readonly epsilon: number
  readonly bias: number
  /** Standard error of the bias. */
  readonly sem: number
  readonly coverage: number
  /** Share of runs that allow for 0. */
  readonly zero: number
  readonly width: number
  readonly accuracy: number
}

export function summariseLevel(epsilon: number, all: readonly Reported[]): LevelSummary {
  const mean = (value: (t: Reported) => number): number =>
    all.reduce((sum, t) => sum + value(t), 0) / all.length
  const bias = mean(({ level }) => level) - epsilon
  return {
    epsilon,
    bias,
    sem: Math.sqrt(mean(({ level }) => (level - epsilon - bias) ** 2) / (all.length - 1)),
    coverage: mean(({ low, high }) => (low <= epsilon && epsilon <= high ? 1 : 0)),
    zero: mean(({ level, low }) => (level === 0 || low === 0 ? 1 : 0)),
    width: mean(({ low, high }) => high - low),
    accuracy: mean(({ accuracy }) => accuracy),
  }
}

function criteria(name: string, all: readonly LevelSummary[]): Criterion[] {
  const [clean] = all
  const biased = all.reduce((a, b) => (Math.abs(b.bias) > Math.abs(a.bias) ? b : a))
  const missed = all.reduce((a, b) => (b.coverage < a.coverage ? b : a))
  return [
    {
      name: `${name}: mean level within .02 of the truth`,
      holds: Math.abs(biased.bias) <= 0.02,
      detail: `largest bias ${signed(biased.bias)} ± ${biased.sem.toFixed(4)}, at ${biased.epsilon}`,
    },
    {
      name: `${name}: 90 % intervals cover at least 85 %`,
      holds: missed.coverage >= 0.85,
      detail: `least ${percent(missed.coverage)}, at ${missed.epsilon}`,
    },
    {
      name: `${name}: clean data are reported as clean in at least 90 % of runs`,
      holds: clean.zero >= 0.9,
      detail: percent(clean.zero),
    },
  ]
}

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  const found: Criterion[] = []
  for (const kind of ['shift', 'uniform', '2', '3', '10'] as const) {
    if (only.length > 0 && !only.includes(kind)) continue
    // Ten classes cost a second or two for each fit.
    const count = kind === '10' ? Math.ceil(runs / 5) : runs
    const parts = pieces(count, kind === '10' ? 2 : 10)
    const tasks = EPSILONS.flatMap((epsilon) => parts.map((part) => ({ kind, epsilon, seed, ...part })))
    const results = await workOff(import.meta.url, work, tasks)
    const all = EPSILONS.map((epsilon, k) =>
      summariseLevel(epsilon, results.slice(k * parts.length, (k + 1) * parts.length).flat()),
    )
    const name = KINDS[kind as Kind]
    say(`${name}, n = 500, ${count} runs`)
    if (!Number.isNaN(all[0].accuracy)) say(`  the best classifier is right for ${percent(all[0].accuracy)}`)
    table(
      ['truth', 'bias', '± se', 'coverage', 'interval width', 'reaches 0'],
      all.map((s) => [
        s.epsilon.toFixed(2),
        signed(s.bias),
        s.sem.toFixed(4),
        percent(s.coverage),
        s.width.toFixed(3),
        percent(s.zero),
      ]),
    )
    say()
    found.push(...criteria(name.replace(/ \(.*/, ''), all))
  }
  verdict(found)
}

if (isProgram(import.meta.url)) await main(runOptions(200))
