import { type FitTableOptions, fitSource, fitTable, type ModelName, type TableFit } from '@rlvi/estimator'
import { draws } from 'rlvi/random'
import { describe, expect, test } from 'vitest'
import { read } from '../read.js'
import { withTable } from '../table.js'
import { testFolder } from '../testing.js'
import { withRowSource } from './row-source.js'

// The law, over tables of any size, width and units: parameters, level and bound by passes are those in memory to 1e-8. Some fits, of labels
// that hardly any row speaks against, are not determined to that by themselves: the same rows in another order, in memory, end elsewhere.

const folder = testFolder()
const TABLES = 4
const SAME = 1e-8
/** A level or a bound below this is none. */
const LEAST = 1e-4

/** Columns around 0 or as far off as time stamps, in units of their own, and a response of which some values are wrong. */
function tableOf(model: ModelName, seed: number): { readonly names: string[]; readonly lines: string[] } {
  const { normal, uniform } = draws('random-tables', model, seed)
  const n = Math.round(10 ** uniform(1.6, 2.8))
  const columns = Array.from({ length: 1 + Math.floor(uniform(0, 5)) }, () => ({
    offset: uniform(0, 1) < 0.5 ? 10 ** uniform(0, 9) : 0,
    unit: uniform(0, 1) < 0.5 ? 10 ** uniform(-2, 4) : 1,
    slope: normal(),
  }))
  const classes = 3 + Math.floor(uniform(0, 4))
  const wrong = uniform(0, 0.25)
  const lines = Array.from({ length: n }, () => {
    const z = columns.map(() => normal())
    const isWrong = uniform(0, 1) < wrong
    const eta = z.reduce((sum, value, j) => sum + columns[j]!.slope * value, 0)
    const score = eta + normal() + (isWrong ? 6 * normal() : 0)
    const y: Partial<Record<ModelName, () => string | number>> = {
      logistic: () => (score > 0 ? 'yes' : 'no'),
      softmax: () => `kind ${Math.max(0, Math.min(classes - 1, Math.floor(classes / 2 + score)))}`,
      poisson: () => Math.max(0, Math.round(Math.exp(1 + 0.2 * eta) + 2 * normal())) + (isWrong ? 12 : 0),
    }
    return [
      ...z.map((value, j) => columns[j]!.offset + columns[j]!.unit * value),
      y[model]?.() ?? score,
    ].join()
  })
  return { names: [...columns.map((_, j) => `x${j}`), 'y'], lines }
}

/** How far a fit is from another, of its size: parameters with and without protection, level and bound. */
function distance(got: TableFit, wanted: TableFit): number {
  const gaps = (['params', 'ml'] as const).map((key) => {
    const [a, b] = [numbers(got[key]), numbers(wanted[key])]
    // Where nothing is protected there are no others beside.
    return b.length === 0 ? a.length : Math.hypot(...a.map((value, k) => value - b[k]!)) / Math.hypot(...b)
  })
  const told = ({ corruption, trace }: TableFit): number[] => [
    corruption.level ?? 0,
    trace.at(-1)?.bound ?? 0,
  ]
  const levels = told(got).map((value, k) => {
    const own = told(wanted)[k]!
    return Math.abs(value - own) / Math.max(Math.abs(own), LEAST)
  })
  return Math.max(...gaps, ...levels)
}

function numbers(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(numbers) : []
}

const models = ['linear', 'logistic', 'softmax', 'poisson', 'mean', 'covariance', 'pca'] as const

describe.each(models)('%s', (model) => {
  test.each(['paper', 'ml'] as const)(
    '%s of random tables by passes is what it is in memory',
    async (method) => {
      let held = 0
      for (let seed = 1; seed <= TABLES; seed++) {
        const { names, lines } = tableOf(model, seed)
        const features = names.slice(0, -1)
        const options: FitTableOptions = {
          model,
          method,
          features,
          ...(['mean', 'covariance', 'pca'].includes(model) ? {} : { target: 'y' }),
        }
        const inMemory = async (path: string): Promise<TableFit> =>
          await withTable(path, {}, async (table) =>
            fitTable(await read(table, { features, target: options.target }), options),
          )
        const path = folder.file('rows.csv', `${[names.join(), ...lines].join('\n')}\n`)
        const memory = await inMemory(path)
        const wanted = { features, target: options.target, sampleRows: 30 }
        const passes = await withTable(path, {}, (table) =>
          withRowSource(table, wanted, (source) => fitSource(source, options)),
        )
        const gap = distance(passes, memory)
        if (gap <= SAME) {
          held++
          expect([passes.flagged, passes.iterations]).toEqual([memory.flagged, memory.iterations])
          continue
        }
        const turned = folder.file('turned.csv', `${[names.join(), ...lines.toReversed()].join('\n')}\n`)
        expect(distance(await inMemory(turned), memory), `table ${seed}: ${gap}`).toBeGreaterThan(SAME / 100)
      }
      expect(held).toBeGreaterThanOrEqual(TABLES - 1)
    },
  )
})
