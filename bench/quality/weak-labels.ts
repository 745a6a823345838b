/** Clean labels that follow their features softly, or not at all: whether the interval of wrong ones holds 0, and what is said. */
import { fit, logistic, matrix, type Supervised } from 'rlvi'
import { draws } from 'rlvi/random'
import { say } from '../measure.js'
import { pieces, workOff } from './pool.js'
import { isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import { meanOf } from './statistics.js'

const ROWS = [100, 300, 1000, 3000]
const COLUMNS = [1, 3, 8]
/** Of the first feature, per standard deviation. */
const SLOPES = [0, 0.3, 0.5, 0.7, 1, 2]

interface Task {
  readonly rows: number
  readonly columns: number
  readonly slope: number
  readonly seed: number
  readonly first: number
  readonly last: number
}

export interface WeakLevel {
  readonly level: number
  readonly low: number
  readonly high: number
  readonly cautioned: boolean
}

export function work({ rows, columns, slope, seed, first, last }: Task): WeakLevel[] {
  return Array.from({ length: last - first }, (_, k) => {
    const { corruption, cautions } = fit(logistic(), softLabels(rows, columns, slope, seed, first + k))
    // No interval: nothing is known.
    const [low, high] = corruption.interval ?? [0, 0.5]
    const cautioned = cautions?.some(({ about }) => about === 'level') ?? false
    return { level: corruption.level!, low, high, cautioned }
  })
}

function softLabels(rows: number, columns: number, slope: number, seed: number, run: number): Supervised {
  const random = draws(seed, 'weak labels', rows, columns, slope, run)
  const x = matrix(rows, columns)
  for (let k = 0; k < x.values.length; k++) x.values[k] = random.normal()
  const y = Float64Array.from({ length: rows }, (_, i) =>
    random.uniform(0, 1) < 1 / (1 + Math.exp(-slope * x.values[i * columns])) ? 1 : 0,
  )
  return { x, y }
}

async function main({ runs, seed }: RunOptions): Promise<void> {
  const cells = ROWS.flatMap((rows) =>
    COLUMNS.flatMap((columns) => SLOPES.map((slope) => ({ rows, columns, slope }))),
  )
  const tasks = cells.flatMap((cell, k) => pieces(runs, runs).map((part) => ({ ...cell, ...part, seed, k })))
  const results = await workOff(import.meta.url, work, tasks)
  const bySlope = SLOPES.map((slope) => ({
    slope,
    all: results.filter((_, j) => tasks[j].slope === slope).flat(),
  }))
  say(
    `clean labels by a logistic law of one feature, ${ROWS.join(', ')} rows, ${COLUMNS.join(', ')} features, ${runs} runs each`,
  )
  const percent = (share: number): string => `${(100 * share).toFixed(0)} %`
  table(
    ['slope', 'holds 0', 'level', 'width', 'cautioned', 'of levels above .1'],
    bySlope.map(({ slope, all }) => {
      const high = all.filter(({ level }) => level > 0.1)
      return [
        String(slope),
        percent(meanOf(all.map(({ low }) => (low === 0 ? 1 : 0)))),
        meanOf(all.map(({ level }) => level)).toFixed(3),
        meanOf(all.map((one) => one.high - one.low)).toFixed(3),
        percent(meanOf(all.map(({ cautioned }) => (cautioned ? 1 : 0)))),
        high.length === 0 ? '-' : percent(meanOf(high.map(({ cautioned }) => (cautioned ? 1 : 0)))),
      ]
    }),
  )
  verdict(
    bySlope.map(({ slope, all }) => {
      const held = meanOf(all.map(({ low }) => (low === 0 ? 1 : 0)))
      return {
        name: `slope ${slope}: the interval holds 0 in at least 85 %`,
        holds: held >= 0.85,
        detail: percent(held),
      }
    }),
  )
}

if (isProgram(import.meta.url)) await main(runOptions(10))
