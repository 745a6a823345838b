/** The paper's linear benchmark (40 rows, 10 features): the mean relative error of every method at every level. */
import { summarise } from '@rlvi/paper'
import { say } from '../measure.js'
import { type Criterion, isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import { type Column, contest, type Level, variant } from './synthetic.js'

const EPSILONS = [0, 0.05, 0.1, 0.2, 0.3, 0.4]
const WITHIN = 1.03

const mean = ({ errors }: Column): number => summarise(errors).mean
const best = (columns: readonly Column[]): number => Math.min(...columns.map(mean))

function named({ rivals }: Level, start: string): Column {
  const found = rivals.find(({ name }) => name.startsWith(start))
  if (found === undefined) throw new Error(`no method ${start}`)
  return found
}

/** Calibrated over the best rival, for the rivals as released and corrected; over RLVI; over ML. */
export interface Ratios {
  readonly epsilon: number
  readonly released: number
  readonly corrected: number
  readonly paper: number
  readonly ml: number
}

export function ratiosOf(level: Level): Ratios {
  const ours = mean(level.calibrated)
  return {
    epsilon: level.epsilon,
    released: ours / best(variant(level.rivals, 'released')),
    corrected: ours / best(variant(level.rivals, 'corrected')),
    paper: ours / mean(named(level, 'RLVI')),
    ml: ours / mean(named(level, 'ML')),
  }
}

function criteria(label: string, all: readonly Ratios[]): Criterion[] {
  const worst = (which: 'released' | 'corrected'): Criterion => {
    const most = all.reduce((a, b) => (b[which] > a[which] ? b : a))
    return {
      name: `${label}: within 3 % of the best rival (${which}) at every level`,
      holds: most[which] <= WITHIN,
      detail: `largest ratio ${most[which].toFixed(3)}, at ${most.epsilon}`,
    }
  }
  const closest = all.filter(({ epsilon }) => epsilon <= 0.3).reduce((a, b) => (b.paper > a.paper ? b : a))
  return [
    worst('released'),
    worst('corrected'),
    {
      name: `${label}: better than the paper's RLVI up to .3`,
      holds: closest.paper < 1,
      detail: `largest ratio ${closest.paper.toFixed(3)}, at ${closest.epsilon}`,
    },
    {
      name: `${label}: within 3 % of ML on clean data`,
      holds: all[0].ml <= WITHIN,
      detail: `ratio ${all[0].ml.toFixed(3)}`,
    },
  ]
}

async function main(options: RunOptions): Promise<void> {
  const all: Criterion[] = []
  for (const degrees of [2.5, 1.5]) {
    const levels = await contest(`linreg_nu${degrees}`, EPSILONS, options)
    const ratios = levels.map(ratiosOf)
    say(
      `linear regression, 40 x 10, bad rows with t(${degrees}) noise: mean relative error, ${options.runs} runs`,
    )
    const columns = [...levels[0].rivals, levels[0].calibrated]
    const rows = columns.map(({ name }, j) => [
      name,
      ...levels.map((level) => mean([...level.rivals, level.calibrated][j]).toFixed(5)),
    ])
    const line = (name: string, value: (r: Ratios) => number): string[] => [
      name,
      ...ratios.map((r) => value(r).toFixed(3)),
    ]
    table(
      ['method', ...EPSILONS.map(String)],
      [
        ...rows,
        [
          'standard error (calibrated)',
          ...levels.map((level) => summarise(level.calibrated.errors).sem.toFixed(5)),
        ],
        line('calibrated / best released', (r) => r.released),
        line('calibrated / best corrected', (r) => r.corrected),
        line("calibrated / paper's RLVI", (r) => r.paper),
      ],
    )
    say()
    all.push(...criteria(`nu ${degrees}`, ratios))
  }
  verdict(all)
}

if (isProgram(import.meta.url)) await main(runOptions(1000))
