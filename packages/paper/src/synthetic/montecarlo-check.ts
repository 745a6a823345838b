import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { ThreadOptions } from '../runs/threads.js'
import { type ExperimentRecord, recordsOf, runSettings, type Setting } from './records.js'

/** A row of `golden/montecarlo.csv`: statistics of 1,000 runs by the authors' code or by a correct float64 computation. */
export interface GoldenRow {
  readonly problem: string
  readonly epsilon: number
  readonly method: string
  readonly variant: string
  readonly heavyTail: boolean
  readonly numbers: Readonly<Record<string, number>>
}

export function readGolden(): GoldenRow[] {
  const text = readFileSync(new URL('../../golden/montecarlo.csv', import.meta.url), 'utf8')
  const [header = '', ...lines] = text.trim().split(/\r?\n/)
  const names = header.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    const row = Object.fromEntries(names.map((name, j) => [name, cells[j] ?? '']))
    const numbers = Object.fromEntries(names.map((name, j) => [name, Number(cells[j])]))
    const { problem = '', method = '', variant = '' } = row
    return { problem, epsilon: Number(row.eps), method, variant, heavyTail: row.heavy_tail === '1', numbers }
  })
}

export type Statistic = 'mean' | 'median' | 'q25' | 'q75'

/** A statistic beside its band. */
export interface Comparison {
  readonly row: GoldenRow
  readonly statistic: Statistic
  readonly got: number
  readonly low: number
  readonly high: number
  readonly inside: boolean
}

/**
 * Compares records with the bands in which a statistic of 1,000 other runs falls with probability .99; for another
 * number of runs they are widened, and `slack` widens them further. The mean is left out where ten runs decide it.
 */
export function compare(
  records: readonly ExperimentRecord[],
  golden: readonly GoldenRow[],
  slack = 1,
): Comparison[] {
  return golden.flatMap((row) => {
    const record = records.find(
      (r) =>
        r.problem === row.problem &&
        r.epsilon === row.epsilon &&
        r.method === row.method &&
        r.variant === row.variant,
    )
    if (record === undefined) throw new Error(`no runs of ${nameOf(row)}`)
    const statistics: Statistic[] = row.heavyTail
      ? ['median', 'q25', 'q75']
      : ['mean', 'median', 'q25', 'q75']
    const factor = slack * Math.sqrt((1 / 1000 + 1 / (record.runs + record.failed)) / (2 / 1000))
    return statistics.map((statistic) => {
      const centre = row.numbers[statistic] ?? Number.NaN
      const low = centre + factor * ((row.numbers[`${statistic}_lo99`] ?? Number.NaN) - centre)
      const high = centre + factor * ((row.numbers[`${statistic}_hi99`] ?? Number.NaN) - centre)
      const got = record[statistic]
      return { row, statistic, got, low, high, inside: got >= low && got <= high }
    })
  })
}

export function nameOf(row: GoldenRow): string {
  return `${row.problem} eps ${row.epsilon} ${row.method}/${row.variant}`
}

/** One line for what lies outside. */
export function describeViolation(c: Comparison): string {
  const side = c.got < c.low ? 'below' : 'above'
  const [got, low, high] = [c.got, c.low, c.high].map((value) => value.toPrecision(4))
  return `${nameOf(c.row)} ${c.statistic}: ${got} is ${side} [${low}, ${high}]`
}

/** Runs every (problem, level) of the golden rows and compares all statistics. */
export async function montecarloCheck(
  golden: readonly GoldenRow[],
  options: ThreadOptions & { readonly runs: number; readonly seed: number; readonly slack?: number },
): Promise<Comparison[]> {
  const settings = new Map<string, Setting>()
  for (const { problem, epsilon } of golden) settings.set(`${problem} ${epsilon}`, { problem, epsilon })
  // The golden numbers know nothing of it.
  const all = await runSettings([...settings.values()], { ...options, without: ['calibrated'] })
  return compare(recordsOf(all), golden, options.slack)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      epsilons: { type: 'string', default: 'all' },
      problems: { type: 'string', default: 'all' },
      threads: { type: 'string' },
    },
  })
  const epsilons = values.epsilons === 'all' ? undefined : values.epsilons.split(',').map(Number)
  const names = values.problems === 'all' ? undefined : values.problems.split(',')
  const golden = readGolden().filter(
    (row) => (epsilons?.includes(row.epsilon) ?? true) && (names?.includes(row.problem) ?? true),
  )
  const comparisons = await montecarloCheck(golden, {
    runs: Number(values.runs),
    seed: Number(values.seed),
    ...(values.threads === undefined ? {} : { threads: Number(values.threads) }),
  })
  const outside = comparisons.filter((c) => !c.inside)
  for (const c of outside) console.log(describeViolation(c))
  const inside = comparisons.length - outside.length
  const share = ((100 * inside) / comparisons.length).toFixed(2)
  console.log(`inside: ${inside} of ${comparisons.length} statistics (${share} %)`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
