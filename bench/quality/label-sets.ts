import { matrix, type Supervised, takeRows } from 'rlvi'
import { type Draws, draws } from 'rlvi/random'
import { readColumns } from './csv.js'

/** Small real data sets with some of their labels flipped. */

export const SETS = ['iris', 'crabs', 'biopsy'] as const
export type SetName = (typeof SETS)[number]

export interface LabelSet extends Supervised {
  readonly classes: number
}

const loaded = new Map<SetName, LabelSet>()

function load(name: SetName): LabelSet {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const columns = readColumns(`bench/quality/data/${name}.csv`)
  const labels = columns.get('class')!
  const names = [...new Set(labels)].sort()
  const features = Array.from(columns.keys()).filter((column) => column !== 'class')
  const x = matrix(labels.length, features.length)
  features.forEach((feature, j) => {
    columns.get(feature)!.forEach((text, i) => {
      x.values[i * features.length + j] = Number(text)
    })
  })
  const set = { x, y: Float64Array.from(labels, (label) => names.indexOf(label)), classes: names.length }
  loaded.set(name, set)
  return set
}

export interface Split {
  readonly classes: number
  /** Standardised rows with some labels flipped. */
  readonly train: Supervised
  /** Whether a training row's label is flipped. */
  readonly flipped: readonly boolean[]
  /** Rows that no method has seen, with their labels as they are. */
  readonly test: Supervised
  /** Five parts of the training rows. */
  readonly fold: readonly number[]
}

const TRAIN = 0.7
export const FOLDS = 5

/** 70 % of the rows for training, of which a share has another label, any of them. */
export function split(name: SetName, share: number, seed: number, run: number): Split {
  const { x, y, classes } = load(name)
  const random = draws(seed, 'labels', name, share, run)
  const order = shuffled(y.length, random)
  const count = Math.round(TRAIN * y.length)
  const take = (rows: readonly number[]): Supervised => ({
    x: takeRows(x, rows),
    y: Float64Array.from(rows, (i) => y[i]),
  })
  const train = take(order.slice(0, count))
  const test = take(order.slice(count))
  const flips = Math.round(share * count)
  const flipped = train.y.map((label, i) => {
    const other = (label + 1 + Math.floor(random.uniform(0, classes - 1))) % classes
    return i < flips ? other : label
  })
  standardise(train, test)
  const places = shuffled(count, random)
  return {
    classes,
    train: { x: train.x, y: flipped },
    flipped: Array.from({ length: count }, (_, i) => i < flips),
    test,
    fold: places.map((place) => place % FOLDS),
  }
}

export function shuffled(count: number, random: Draws): number[] {
  const out = Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random.uniform(0, i + 1))
    const held = out[i]
    out[i] = out[j]
    out[j] = held
  }
  return out
}

/** Both to the mean 0 and deviation 1 of the training rows. */
export function standardise({ x }: Supervised, test: Supervised): void {
  for (let j = 0; j < x.cols; j++) {
    let mean = 0
    let square = 0
    for (let i = 0; i < x.rows; i++) mean += x.values[i * x.cols + j] / x.rows
    for (let i = 0; i < x.rows; i++) square += (x.values[i * x.cols + j] - mean) ** 2 / x.rows
    for (const { rows, cols, values } of [x, test.x]) {
      for (let i = 0; i < rows; i++) values[i * cols + j] = (values[i * cols + j] - mean) / Math.sqrt(square)
    }
  }
}
