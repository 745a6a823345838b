import { summarise } from '@rlvi/paper'
import { draws } from 'rlvi/random'
import { say } from '../measure.js'
import { type Criterion, type RunOptions, table } from './program.js'
import { type Column, contest, type Level, variant } from './synthetic.js'

/** What `logistic`, `pca` and `covariance` have in common: medians and failures of all methods, side by side. */

export interface Setting {
  readonly problem: string
  readonly title: string
  readonly epsilons: readonly number[]
  /** An error above this, or no estimate, is a failure. */
  readonly failure: number
  /** Whether failures are a criterion: where the error is an angle. */
  readonly judged: boolean
  /** Decimal places. */
  readonly digits: number
}

const median = ({ errors }: Column): number => summarise(errors).median

/** A run without an estimate is a failure too. */
function failures({ errors }: Column, above: number): number {
  return errors.filter((error) => !(error <= above)).length
}

const RESAMPLES = 300

/** Standard error of the difference of two medians over the same runs, by resampling the runs. */
function pairedError(a: Column, b: Column, seed: number): number {
  const random = draws(seed, 'bootstrap', a.name, b.name)
  const n = a.errors.length
  const gaps = Array.from({ length: RESAMPLES }, () => {
    const rows = Array.from({ length: n }, () => Math.floor(random.uniform(0, n)))
    return summarise(rows.map((i) => a.errors[i])).median - summarise(rows.map((i) => b.errors[i])).median
  })
  const { sem, runs } = summarise(gaps)
  return sem * Math.sqrt(runs)
}

interface Comparison {
  readonly epsilon: number
  readonly rival: string
  readonly gap: number
  readonly error: number
}

/** Calibrated less the rival with the smallest median. */
function againstBest(level: Level, which: 'released' | 'corrected', seed: number): Comparison {
  const best = variant(level.rivals, which).reduce((a, b) => (median(b) < median(a) ? b : a))
  const gap = median(level.calibrated) - median(best)
  return { epsilon: level.epsilon, rival: best.name, gap, error: pairedError(level.calibrated, best, seed) }
}

/** Prints the tables of one setting, and says what holds. */
export async function compareMedians(setting: Setting, options: RunOptions): Promise<Criterion[]> {
  const { problem, title, epsilons, failure, judged, digits } = setting
  const levels = await contest(problem, epsilons, options)
  const columns = levels.map((level) => [...level.rivals, level.calibrated])
  say(`${title}: median error, and failures in ${options.runs} runs`)
  table(
    ['method', ...epsilons.flatMap((epsilon) => [String(epsilon), 'failed'])],
    columns[0].map(({ name }, j) => [
      name,
      ...columns.flatMap((level) => [median(level[j]).toFixed(digits), String(failures(level[j], failure))]),
    ]),
  )
  const found: Criterion[] = []
  for (const which of ['released', 'corrected'] as const) {
    const gaps = levels.map((level) => againstBest(level, which, options.seed))
    for (const { epsilon, rival, gap, error } of gaps) {
      const over = `${gap <= 0 ? '' : '+'}${gap.toFixed(digits + 1)} ± ${error.toFixed(digits + 1)}`
      say(`  at ${epsilon}: calibrated less ${rival}, the best ${which} rival: ${over}`)
    }
    const worse = gaps.filter(({ gap, error }) => gap > 2 * error)
    found.push({
      name: `${title}: median not worse than the best ${which} rival's (by more than 2 paired standard errors)`,
      holds: worse.length === 0,
      ...(worse.length === 0 ? {} : { detail: `worse at ${worse.map(({ epsilon }) => epsilon).join(', ')}` }),
    })
  }
  say()
  return judged ? [...found, fewerFailures(title, levels, failure)] : found
}

/** Fewer failures than any rival, or none at all. */
function fewerFailures(title: string, levels: readonly Level[], failure: number): Criterion {
  const more = levels.flatMap(({ epsilon, rivals, calibrated }) => {
    const ours = failures(calibrated, failure)
    const least = rivals.reduce((a, b) => (failures(b, failure) < failures(a, failure) ? b : a))
    const theirs = failures(least, failure)
    return ours > 0 && ours >= theirs ? [`${ours} against ${theirs} of ${least.name} at ${epsilon}`] : []
  })
  return {
    name: `${title}: fewer failures than any rival, or none`,
    holds: more.length === 0,
    ...(more.length === 0 ? {} : { detail: more.join('; ') }),
  }
}
