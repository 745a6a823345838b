/** The level of flipped labels in real data, with few features and with many: its bias and the coverage of its interval. */
import { fit, logistic, matrix, type Supervised, softmax } from 'rlvi'
import { draws } from 'rlvi/random'
import { say } from '../measure.js'
import { readColumns } from './csv.js'
import { pieces, workOff } from './pool.js'
import { type Criterion, isProgram, type RunOptions, runOptions, table, verdict } from './program.js'

/** Those with a 2 have all squares and products of their features too. */
const SETS = ['iris', 'iris2', 'crabs', 'biopsy', 'pima', 'boston', 'swiss', 'airq', 'epil', 'fgl']
const SHARES = [0.1, 0.2, 0.3]
const RIDGE = 0.01

interface Task {
  readonly set: string
  readonly share: number
  readonly seed: number
  readonly first: number
  readonly last: number
}

export interface LabelLevel {
  readonly level: number
  readonly low: number
  readonly high: number
  /** Whether the fit says that the level may be wrong. */
  readonly cautioned: boolean
}

export function work({ set, share, seed, first, last }: Task): LabelLevel[] {
  const { x, y, classes } = load(set)
  return Array.from({ length: last - first }, (_, k) => {
    const data = { x, y: flipped(y, classes, share, seed, set, first + k) }
    const model = classes === 2 ? logistic({ ridge: RIDGE }) : softmax({ classes, ridge: RIDGE })
    const { corruption, cautions } = fit<Supervised, never>(model as never, data)
    const { level, interval } = corruption
    return { level: level!, low: interval![0], high: interval![1], cautioned: cautions !== undefined }
  })
}

interface LabelSet extends Supervised {
  readonly classes: number
}

function load(set: string): LabelSet {
  const columns = readColumns(`bench/quality/data/${set.replace('2', '')}.csv`)
  const labels = columns.get('class')!
  const names = [...new Set(labels)].sort()
  const plain = [...columns.keys()].filter((name) => name !== 'class')
  const features = plain.map((name) => standardised(columns.get(name)!.map(Number)))
  if (set.endsWith('2')) {
    const products = features.flatMap((a, j) =>
      features.slice(j).map((b) => standardised(a.map((value, i) => value * b[i]))),
    )
    features.push(...products)
  }
  const x = matrix(labels.length, features.length)
  features.forEach((column, j) => {
    column.forEach((value, i) => {
      x.values[i * features.length + j] = value
    })
  })
  return { x, y: Float64Array.from(labels, (label) => names.indexOf(label)), classes: names.length }
}

function standardised(values: readonly number[]): number[] {
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length
  const deviation = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length)
  return values.map((v) => (v - mean) / deviation)
}

/** Exactly round(share n) labels become another one. */
function flipped(
  y: Float64Array,
  classes: number,
  share: number,
  seed: number,
  set: string,
  run: number,
): Float64Array {
  const random = draws(seed, 'labels-level', set, share, run)
  const order = Array.from(y.keys(), (i) => ({ i, at: random.uniform(0, 1) })).sort((a, b) => a.at - b.at)
  const out = y.slice()
  for (const { i } of order.slice(0, Math.round(share * y.length)))
    out[i] = (y[i] + 1 + Math.floor(random.uniform(0, classes - 1))) % classes
  return out
}

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(3)}`

async function main({ runs, seed, only }: RunOptions): Promise<void> {
  const sets = SETS.filter((set) => only.length === 0 || only.includes(set))
  const parts = pieces(runs, 4)
  const settings = sets.flatMap((set) => SHARES.map((share) => ({ set, share })))
  const tasks = settings.flatMap((setting) => parts.map((part) => ({ ...setting, seed, ...part })))
  const results = await workOff(import.meta.url, work, tasks)
  const cells = settings.map(({ set, share }, k) => {
    const all = results.slice(k * parts.length, (k + 1) * parts.length).flat()
    const mean = (value: (s: LabelLevel) => number): number =>
      all.reduce((sum, s) => sum + value(s), 0) / all.length
    return {
      set,
      share,
      bias: mean(({ level }) => level - share),
      coverage: mean(({ low, high }) => (low <= share && share <= high ? 1 : 0)),
      width: mean(({ low, high }) => high - low),
      cautioned: mean(({ cautioned }) => (cautioned ? 1 : 0)),
    }
  })
  say(`flipped labels in real data: the level, ${runs} runs`)
  table(
    ['set', 'rows', 'features', 'classes', 'flipped', 'bias', 'coverage', 'width', 'cautioned'],
    cells.map((c) => {
      const { x, classes } = load(c.set)
      return [
        c.set,
        String(x.rows),
        String(x.cols),
        String(classes),
        String(c.share),
        signed(c.bias),
        `${(100 * c.coverage).toFixed(0)} %`,
        c.width.toFixed(3),
        `${(100 * c.cautioned).toFixed(0)} %`,
      ]
    }),
  )
  const found: Criterion[] = SHARES.flatMap((share) => {
    const those = cells.filter((c) => c.share === share)
    const bias = those.reduce((sum, c) => sum + c.bias / those.length, 0)
    const coverage = those.reduce((sum, c) => sum + c.coverage / those.length, 0)
    return [
      {
        name: `at ${share}: mean bias over the sets within .02`,
        holds: Math.abs(bias) <= 0.02,
        detail: signed(bias),
      },
      {
        name: `at ${share}: 90 % intervals cover at least 85 % over the sets`,
        holds: coverage >= 0.85,
        detail: `${(100 * coverage).toFixed(0)} %`,
      },
    ]
  })
  verdict(found)
}

if (isProgram(import.meta.url)) await main(runOptions(20))
