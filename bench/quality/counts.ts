/** Counts: are clean ones called clean whatever their dispersion, and tenfold ones counted and borne? */
import { fit, ml, poisson } from 'rlvi'
import { say } from '../measure.js'
import { type CountSetting, countData } from './counts-data.js'
import { pieces, workOff } from './pool.js'
import { type Criterion, isProgram, type RunOptions, runOptions, table, verdict } from './program.js'

const DISPERSIONS = [0, 0.1, 0.5, 1]
const MEANS = [3, 20, 400]
const ROWS = [100, 500, 5000]
const FEATURES = [1, 5]
const SHARES = [0, 0.05, 0.2]

interface Task extends CountSetting {
  readonly share: number
  readonly seed: number
  readonly first: number
  readonly last: number
}

export interface CountScores {
  readonly level: number
  readonly low: number
  readonly high: number
  /** |coefficients - truth|, ours and of a Poisson fit to all rows. */
  readonly error: number
  readonly mlError: number
  readonly overdispersed: boolean
}

export function work({ share, seed, first, last, ...setting }: Task): CountScores[] {
  return Array.from({ length: last - first }, (_, k) => {
    const data = countData(setting, share, seed, first + k)
    const { corruption, params, errors } = fit(poisson(), data)
    const off = (found: Float64Array): number =>
      Math.hypot(...found.map((value, j) => value - data.coefficients[j]))
    return {
      level: corruption.level!,
      low: corruption.interval![0],
      high: corruption.interval![1],
      error: off(params.coefficients),
      mlError: off(ml(poisson(), data).params.coefficients),
      overdispersed: errors?.name === 'negative-binomial',
    }
  })
}

interface Cell {
  readonly where: string
  readonly share: number
  readonly bias: number
  readonly coverage: number
  readonly width: number
  readonly error: number
  readonly mlError: number
  readonly overdispersed: number
}

function summarise(where: string, share: number, all: readonly CountScores[]): Cell {
  const mean = (value: (s: CountScores) => number): number =>
    all.reduce((sum, s) => sum + value(s), 0) / all.length
  return {
    where,
    share,
    bias: mean(({ level }) => level) - share,
    coverage: mean(({ low, high }) => (low <= share && share <= high ? 1 : 0)),
    width: mean(({ low, high }) => high - low),
    error: mean(({ error }) => error),
    mlError: mean(({ mlError }) => mlError),
    overdispersed: mean((s) => (s.overdispersed ? 1 : 0)),
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`
const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  const found: Criterion[] = []
  for (const rows of ROWS) {
    if (only.length > 0 && !only.includes(String(rows))) continue
    // A fit of 5,000 rows takes seconds.
    const count = rows === 5000 ? Math.ceil(runs / 5) : runs
    const settings = DISPERSIONS.flatMap((dispersion) =>
      MEANS.flatMap((mean) => FEATURES.map((features) => ({ dispersion, mean, rows, features }))),
    )
    const cells: Cell[] = []
    const parts = pieces(count, 10)
    for (const share of SHARES) {
      const tasks = settings.flatMap((s) => parts.map((part) => ({ ...s, share, seed, ...part })))
      const results = await workOff(import.meta.url, work, tasks)
      settings.forEach(({ dispersion, mean, features }, k) => {
        const law = dispersion === 0 ? 'Poisson' : `dispersion ${dispersion}`
        const all = results.slice(k * parts.length, (k + 1) * parts.length).flat()
        cells.push(summarise(`${law}, mean ${mean}, ${features} features`, share, all))
      })
    }
    say(`counts, n = ${rows}, ${count} runs a setting`)
    table(
      ['setting', 'bad', 'bias', 'coverage', 'width', 'error', 'Poisson ML', 'overdispersed'],
      cells.map((c) => [
        c.where,
        percent(c.share),
        signed(c.bias),
        percent(c.coverage),
        c.width.toFixed(3),
        c.error.toFixed(4),
        c.mlError.toFixed(4),
        percent(c.overdispersed),
      ]),
    )
    say()
    for (const share of SHARES) found.push(coverageCriterion(rows, share, cells))
    const worse = cells.filter((c) => c.share > 0 && c.error > c.mlError)
    found.push({
      name: `n = ${rows}: with bad counts the coefficients' error is below that of maximum likelihood`,
      holds: worse.length === 0,
      ...(worse.length === 0 ? {} : { detail: `not in ${worse.map((c) => c.where).join('; ')}` }),
    })
  }
  verdict(found)
}

function coverageCriterion(rows: number, share: number, cells: readonly Cell[]): Criterion {
  const those = cells.filter((c) => c.share === share)
  const least = those.reduce((a, b) => (b.coverage < a.coverage ? b : a))
  const mean = those.reduce((sum, c) => sum + c.coverage / those.length, 0)
  return {
    name: `n = ${rows}, ${percent(share)} bad: 90 % intervals cover at least 85 %`,
    holds: least.coverage >= 0.85,
    detail: `mean ${percent(mean)}, least ${percent(least.coverage)}: ${least.where}`,
  }
}

if (isProgram(import.meta.url)) await main(runOptions(50))
