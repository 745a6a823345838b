/**
 * Bad counts near the good ones (doubled, halved, ten more): does the interval hold their share, and 0 where there are none? If not, does a
 * caution say so, or the line on which counts count as bad?
 */
import { fit, matrix, poisson, type Supervised } from 'rlvi'
import { draws } from 'rlvi/random'
import { say } from '../measure.js'
import { negativeBinomialDraw } from './counts-data.js'
import { workOff } from './pool.js'
import { type Criterion, isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import { holds, isSilent, type Judged, shareBeyond } from './told.js'

type Spoil = 'doubled' | 'tripled' | 'halved' | 'ten more' | 'none'
const SPOILS: Readonly<Record<Spoil, (count: number) => number>> = {
  doubled: (count) => 2 * count,
  tripled: (count) => 3 * count,
  halved: (count) => Math.floor(count / 2),
  'ten more': (count) => count + 10,
  none: (count) => count,
}

const MEANS = [3, 10, 50]
const SHARES = [0.05, 0.15, 0.3]
const ROWS = [200, 1000, 2000]
const DISPERSIONS = [0, 0.1]
const FEATURES = [1, 3, 5]
/** The means' logarithms scatter with this standard deviation. */
const SPREAD = 0.5

interface Task {
  readonly spoil: Spoil
  readonly mean: number
  readonly rows: number
  readonly dispersion: number
  readonly share: number
  readonly seed: number
  readonly run: number
}

interface Outcome extends Judged {
  readonly level: number
}

export function work(task: Task): Outcome {
  const { data, means, changed } = nearCounts(task)
  const { corruption, errors, badFrom, cautions = [] } = fit(poisson(), data)
  const [low, high] = corruption.interval!
  // What is said for one prediction is as many standard deviations off at another.
  const at = badFrom && 'at' in badFrom ? badFrom.at! : 1
  const dispersion = errors?.dispersion ?? 0
  const spread = (mean: number): number => Math.sqrt(mean + dispersion * mean * mean)
  const off = changed.map((i) => ((data.y[i] - means[i]) / spread(means[i])) * spread(at))
  return {
    level: corruption.level!,
    low,
    high,
    truth: changed.length / data.y.length,
    beyond: shareBeyond(off, badFrom, data.y.length),
    cautioned: cautions.length > 0,
  }
}

interface Spoiled {
  readonly data: Supervised
  readonly means: Float64Array
  /** Rows that are not what they were (half of 0 is 0). */
  readonly changed: readonly number[]
}

function nearCounts(task: Task): Spoiled {
  const { spoil, mean, rows, dispersion, share, seed, run } = task
  const random = draws(seed, 'near counts', spoil, mean, rows, dispersion, share, run)
  const features = FEATURES[run % FEATURES.length]
  const x = matrix(rows, features)
  const y = new Float64Array(rows)
  const means = new Float64Array(rows)
  const changed: number[] = []
  for (let i = 0; i < rows; i++) {
    let eta = Math.log(mean)
    for (let j = 0; j < features; j++) {
      const value = random.normal()
      x.values[i * features + j] = value
      eta += (SPREAD / Math.sqrt(features)) * value
    }
    means[i] = Math.exp(eta)
    const count = negativeBinomialDraw(means[i], dispersion, random)
    y[i] = i < Math.round(share * rows) ? SPOILS[spoil](count) : count
    if (y[i] !== count) changed.push(i)
  }
  return { data: { x, y }, means, changed }
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  const found: Criterion[] = []
  for (const rows of ROWS) {
    if (only.length > 0 && !only.includes(String(rows))) continue
    const settings = (Object.keys(SPOILS) as Spoil[]).flatMap((spoil) =>
      DISPERSIONS.flatMap((dispersion) => MEANS.map((mean) => ({ spoil, dispersion, mean, rows, seed }))),
    )
    const cells = []
    for (const setting of settings) {
      const shares = setting.spoil === 'none' ? [0] : SHARES
      const tasks = shares.flatMap((share) =>
        Array.from({ length: runs }, (_, run) => ({ ...setting, share, run })),
      )
      const outcomes = await workOff(import.meta.url, work, tasks)
      const mean = (value: (o: Outcome, k: number) => number): number =>
        outcomes.reduce((sum, o, k) => sum + value(o, k), 0) / outcomes.length
      cells.push({
        ...setting,
        bias: mean((o) => o.level - o.truth),
        coverage: mean((o) => (holds(o) ? 1 : 0)),
        width: mean((o) => o.high - o.low),
        cautioned: mean((o) => (o.cautioned ? 1 : 0)),
        silent: mean((o) => (isSilent(o) ? 1 : 0)),
      })
    }
    say(`counts near the good ones, n = ${rows}, ${runs} runs at each of 5, 15 and 30 %`)
    table(
      ['bad counts', 'dispersion', 'mean', 'bias', 'coverage', 'width', 'cautioned', 'missed in silence'],
      cells.map((c) => [
        c.spoil,
        String(c.dispersion),
        String(c.mean),
        c.bias.toFixed(3),
        percent(c.coverage),
        c.width.toFixed(3),
        percent(c.cautioned),
        percent(c.silent),
      ]),
    )
    say()
    for (const spoil of Object.keys(SPOILS) as Spoil[]) {
      const those = cells.filter((c) => c.spoil === spoil)
      const coverage = those.reduce((sum, c) => sum + c.coverage / those.length, 0)
      found.push({
        name: `n = ${rows}, ${spoil}: intervals cover at least 85 % over the cells`,
        holds: coverage >= 0.85,
        detail: percent(coverage),
      })
    }
    const silent = cells.reduce((sum, c) => sum + c.silent / cells.length, 0)
    found.push({
      name: `n = ${rows}: at most 5 % miss with no caution and beyond what counts as bad by its line`,
      holds: silent <= 0.05,
      detail: percent(silent),
    })
  }
  verdict(found)
}

if (isProgram(import.meta.url)) await main(runOptions(3))
