/** Clean rows of skewed columns, and such rows with bad ones among them: whether the interval of the level holds the truth. */
import { covariance, type Fit, fit, type Matrix, mean, type Params, pca } from 'rlvi'
import { say } from '../measure.js'
import { pieces, workOff } from './pool.js'
import { type Criterion, isProgram, type RunOptions, runOptions, table, verdict } from './program.js'
import {
  DEPENDENCES,
  type Dependence,
  MARGINALS,
  type Marginal,
  type SkewedSetting,
  skewedData,
} from './skewed-data.js'
import { chosen, meanOf, percent, refuseUnknown, shareOf, twoErrors } from './statistics.js'

const MODELS = ['covariance', 'mean', 'pca'] as const
type Model = (typeof MODELS)[number]
const ROWS = ['n100', 'n500', 'n5000'] as const
const COLUMNS = ['d1', 'd2', 'd5', 'd10'] as const
const SHARES = ['0%', '5%', '20%'] as const
const WANTED = 0.85

interface Task extends SkewedSetting {
  readonly model: Model
  readonly seed: number
  readonly first: number
  readonly last: number
}

export interface Outcome {
  readonly level: number
  readonly width: number
  readonly holds: boolean
  readonly skewed: boolean
  readonly milliseconds: number
}

/** The outcomes of some runs. */
export function work({ model, seed, first, last, ...setting }: Task): Outcome[] {
  return Array.from({ length: last - first }, (_, k) => {
    const { x, truth } = skewedData(setting, seed, first + k)
    const start = performance.now()
    const { corruption, errors } = fitOf(model, x)
    const milliseconds = performance.now() - start
    const [low, high] = corruption.interval ?? [Number.NaN, Number.NaN]
    return {
      level: corruption.level ?? Number.NaN,
      width: high - low,
      holds: low <= truth + 1e-9 && truth - 1e-9 <= high,
      skewed: errors?.name === 'skewed',
      milliseconds,
    }
  })
}

function fitOf(model: Model, x: Matrix): Fit<Params> {
  switch (model) {
    case 'covariance':
      return fit(covariance(), { x })
    case 'mean':
      return fit(mean(), { x })
    case 'pca':
      return fit(pca(), { x })
  }
}

const number = (name: string): number => Number(name.replace(/[^\d]/g, ''))

function settingsOf(only: readonly string[], marginal: Marginal, share: number): SkewedSetting[] {
  return chosen(only, ROWS).flatMap((rows) =>
    chosen(only, COLUMNS).flatMap((columns) =>
      chosen(only, DEPENDENCES).flatMap((dependence: Dependence) =>
        // One column depends on none.
        columns === 'd1' && dependence !== 'independent'
          ? []
          : [{ marginal, rows: number(rows), columns: number(columns), dependence, share }],
      ),
    ),
  )
}

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  refuseUnknown(only, MODELS, MARGINALS, ROWS, COLUMNS, DEPENDENCES, SHARES)
  say(`rows of skewed columns, ${runs} runs of each cell; '--only' takes models, laws, n500, d5, common, 20%`)
  const criteria: Criterion[] = []
  for (const model of chosen(only, MODELS)) {
    for (const share of chosen(only, SHARES).map((name) => number(name) / 100)) {
      const lines: string[][] = []
      for (const marginal of chosen(only, MARGINALS)) {
        // Off one component of one column there is nothing.
        const settings = settingsOf(only, marginal, share).filter(
          ({ columns }) => model !== 'pca' || columns > 1,
        )
        const tasks = settings.flatMap((setting) =>
          pieces(runs, setting.rows > 1000 ? 2 : 10).map((part) => ({ model, ...setting, seed, ...part })),
        )
        const results = (await workOff(import.meta.url, work, tasks)).flat()
        const covered = shareOf(results.map(({ holds }) => holds))
        const cells = settings.map((setting) => {
          const own = tasks.flatMap((task, k) => (sameCell(task, setting) ? [k] : []))
          const all = own.flatMap((k) => resultsOf(results, tasks, k))
          return {
            name: cellName(setting),
            covered: shareOf(all.map(({ holds }) => holds)),
            runs: all.length,
          }
        })
        const least = cells.reduce((a, b) => (b.covered < a.covered ? b : a))
        lines.push([
          marginal,
          percent(covered),
          `${percent(least.covered)} (${least.name})`,
          meanOf(results.map(({ level }) => level)).toFixed(3),
          meanOf(results.map(({ width }) => width)).toFixed(3),
          percent(shareOf(results.map(({ skewed }) => skewed))),
          meanOf(results.map(({ milliseconds }) => milliseconds)).toFixed(0),
        ])
        const what =
          share === 0 ? 'clean: the interval holds 0' : `${100 * share} % bad: the interval holds that`
        criteria.push({
          name: `${model}, ${marginal}, ${what} in at least 85 %`,
          holds: covered >= WANTED && least.covered >= WANTED - twoErrors(WANTED, least.runs),
          detail: `mean ${percent(covered)}, least ${percent(least.covered)} at ${least.name}`,
        })
      }
      say()
      say(`${model}, ${100 * share} % bad`)
      table(['columns', 'coverage', 'least', 'level', 'width', 'skewed', 'ms'], lines)
    }
  }
  verdict(criteria)
}

function cellName({ rows, columns, dependence }: SkewedSetting): string {
  return `${rows} x ${columns} ${dependence}`
}

function sameCell(task: SkewedSetting, { rows, columns, dependence }: SkewedSetting): boolean {
  return task.rows === rows && task.columns === columns && task.dependence === dependence
}

/** The outcomes of one task among those of all, which lie one after the other. */
function resultsOf(results: readonly Outcome[], tasks: readonly Task[], k: number): readonly Outcome[] {
  const before = tasks.slice(0, k).reduce((sum, { first, last }) => sum + last - first, 0)
  return results.slice(before, before + tasks[k].last - tasks[k].first)
}

if (isProgram(import.meta.url)) await main(runOptions(5))
