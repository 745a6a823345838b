import { readFileSync } from 'node:fs'
import { matrix, takeRows } from 'rlvi'
import { type Draws, draws } from 'rlvi/random'
import { fromRoot, readColumns } from './csv.js'
import { FOLDS, type LabelSet, type Split, shuffled, standardise } from './label-sets.js'

/** Real and generated label sets whose labels are flipped in three ways. */

export const REAL = ['iris', 'wine', 'crabs', 'fgl', 'biopsy', 'boston', 'digits'] as const
export const GENERATED = ['two', 'three', 'vehicles'] as const
export const HABIT_SETS: ReadonlyArray<(typeof REAL)[number] | (typeof GENERATED)[number]> = [
  ...REAL,
  ...GENERATED,
]
export type HabitSet = (typeof HABIT_SETS)[number]

/**
 * `uniform`: any other label. `pairflip`: the next one. `asymmetric`: the next one too, but of every other class alone, so that
 * about half as many labels are wrong.
 */
export const FLIPS = ['uniform', 'pairflip', 'asymmetric'] as const
export type Flips = (typeof FLIPS)[number]

const TRAIN = 0.7

/** 70 % of the rows for training, each of whose labels is wrong by chance. */
export function flippedSplit(set: HabitSet, flips: Flips, rate: number, seed: number, run: number): Split {
  const random = draws(seed, 'habits', set, flips, rate, run)
  const { x, y, classes } = loadSet(set, seed, run)
  const order = shuffled(y.length, random)
  const count = Math.round(TRAIN * y.length)
  const take = (rows: readonly number[]) => ({
    x: takeRows(x, rows),
    y: Float64Array.from(rows, (i) => y[i]),
  })
  const train = take(order.slice(0, count))
  const test = take(order.slice(count))
  const given = train.y.map((label) => flipped(label, classes, flips, rate, random))
  standardise(train, test)
  const places = shuffled(count, random)
  return {
    classes,
    train: { x: train.x, y: given },
    flipped: Array.from(given, (label, i) => label !== train.y[i]),
    test,
    fold: places.map((place) => place % FOLDS),
  }
}

function flipped(label: number, classes: number, flips: Flips, rate: number, random: Draws): number {
  const wrong = random.uniform(0, 1) < rate
  const other = Math.floor(random.uniform(0, classes - 1))
  if (!wrong || (flips === 'asymmetric' && label % 2 === 1)) return label
  return (label + 1 + (flips === 'uniform' ? other : 0)) % classes
}

const loaded = new Map<HabitSet, LabelSet>()

function loadSet(set: HabitSet, seed: number, run: number): LabelSet {
  if (set === 'two') return generated(500, 4, 2, 2.5, draws(seed, 'habits two', run))
  if (set === 'three') return generated(500, 4, 3, 2.5, draws(seed, 'habits three', run))
  // The size of the vehicle silhouettes of Statlog, and a best classifier that is about as often right.
  if (set === 'vehicles') return generated(846, 18, 4, 0.7, draws(seed, 'habits vehicles', run))
  const known = loaded.get(set) ?? (set === 'digits' ? digits() : fromCsv(set))
  loaded.set(set, known)
  return known
}

/** Labels drawn from a softmax model of normal features. */
function generated(rows: number, cols: number, classes: number, spread: number, random: Draws): LabelSet {
  const x = matrix(rows, cols)
  for (let k = 0; k < x.values.length; k++) x.values[k] = random.normal()
  const coefficients = Array.from({ length: classes * cols }, () => spread * random.normal())
  const y = Float64Array.from({ length: rows }, (_, i) => {
    const values = Array.from({ length: classes }, (_, c) => {
      let eta = -Math.log(-Math.log(random.uniform(0, 1)))
      for (let j = 0; j < cols; j++) eta += coefficients[c * cols + j] * x.values[i * cols + j]
      return eta
    })
    return values.indexOf(Math.max(...values))
  })
  return { x, y, classes }
}

function fromCsv(set: string): LabelSet {
  const columns = readColumns(`bench/quality/data/${set}.csv`)
  const labels = columns.get('class')!
  const names = [...new Set(labels)].sort()
  const features = [...columns.keys()].filter((column) => column !== 'class')
  const x = matrix(labels.length, features.length)
  features.forEach((feature, j) => {
    columns.get(feature)!.forEach((text, i) => {
      x.values[i * features.length + j] = Number(text)
    })
  })
  return { x, y: Float64Array.from(labels, (label) => names.indexOf(label)), classes: names.length }
}

/** Without the pixels that hardly ever have ink: in a part of the rows they would be constant. */
function digits(): LabelSet {
  const lines = readFileSync(fromRoot('bench/quality/data/digits.txt'), 'utf8').trim().split('\n')
  const pixels = lines.map((line) => Array.from(line.slice(0, 64), (c) => c.charCodeAt(0) - 97))
  const used = Array.from({ length: 64 }, (_, j) => j).filter(
    (j) => pixels.filter((row) => row[j] > 0).length >= 20,
  )
  const x = matrix(lines.length, used.length)
  pixels.forEach((row, i) => {
    x.values.set(
      used.map((j) => row[j]),
      i * used.length,
    )
  })
  return { x, y: Float64Array.from(lines, (line) => Number(line.slice(65))), classes: 10 }
}
