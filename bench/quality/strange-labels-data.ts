import { type Draws, draws } from 'rlvi/random'

/** Tables of labels of kinds that no part of the method was built on. */
export interface LabelKind {
  readonly words: string
  readonly rows: number
  /** The features of a row and its true class, from 0 on. */
  readonly draw: (random: Draws, row: number) => LabelRow
  readonly classes: number
}

export interface LabelRow {
  readonly features: Readonly<Record<string, number | string>>
  readonly label: number
  /** How far from the border it lies, where flips may depend on that. */
  readonly margin?: number
}

const normals = (random: Draws, count: number): number[] =>
  Array.from({ length: count }, () => random.normal())
const named = (values: readonly number[]): Record<string, number> =>
  Object.fromEntries(values.map((value, j) => [`x${j}`, value]))
/** The class by its shares. */
const pick = (random: Draws, shares: readonly number[]): number => {
  let u = random.uniform(0, 1)
  const found = shares.findIndex((share) => {
    u -= share
    return u < 0
  })
  return found < 0 ? shares.length - 1 : found
}
/** A label by a logistic law of the predictor. */
const byLaw = (random: Draws, eta: number): number =>
  random.uniform(0, 1) < 1 / (1 + Math.exp(-eta)) ? 1 : 0
/** Two classes by a logistic law along the first columns. */
const logistic =
  (columns: number, slope: number, intercept = 0, used = Math.min(columns, 3)) =>
  (random: Draws): LabelRow => {
    const x = normals(random, columns)
    const eta = intercept + slope * x.slice(0, used).reduce((sum, v) => sum + v, 0)
    return { features: named(x), label: byLaw(random, eta), margin: Math.abs(eta) }
  }
/** Normal clouds about a centre for each class. */
const clouds =
  (centres: readonly (readonly number[])[], shares: readonly number[], more = 0) =>
  (random: Draws): LabelRow => {
    const label = pick(random, shares)
    const x = centres[label]!.map((centre) => centre + random.normal())
    return { features: named([...x, ...normals(random, more)]), label }
  }
const corners = (count: number, columns: number, apart: number): number[][] => {
  const random = draws('corners', count, columns)
  return Array.from({ length: count }, () => normals(random, columns).map((v) => apart * v))
}
const even = (count: number): number[] => new Array<number>(count).fill(1 / count)

export const LABEL_KINDS: Readonly<Record<string, LabelKind>> = {
  rare20: {
    words: 'one of 20 rows is of the second class, two columns tell',
    rows: 400,
    classes: 2,
    draw: clouds(
      [
        [0, 0],
        [2.5, 1.5],
      ],
      [0.95, 0.05],
      1,
    ),
  },
  rare100: {
    words: 'one of 100 rows is of the second class, 2,000 rows',
    rows: 2000,
    classes: 2,
    draw: clouds(
      [
        [0, 0],
        [3, 2],
      ],
      [0.99, 0.01],
      1,
    ),
  },
  rarethird: {
    words: 'three classes, the third one of 20 rows',
    rows: 400,
    classes: 3,
    draw: clouds(
      [
        [0, 0],
        [3, 0],
        [1.5, 3.5],
      ],
      [0.55, 0.4, 0.05],
      1,
    ),
  },
  ten: {
    words: 'ten classes in six columns',
    rows: 600,
    classes: 10,
    draw: clouds(corners(10, 6, 2.5), even(10)),
  },
  ordinal: {
    words: 'five answers on a scale',
    rows: 400,
    classes: 5,
    draw: (random) => {
      const x = normals(random, 3)
      const latent = 2 * x[0]! - x[1]! + 0.6 * random.normal()
      return { features: named(x), label: [-2.5, -0.8, 0.8, 2.5].filter((t) => latent > t).length }
    },
  },
  overlap: { words: 'classes that overlap', rows: 400, classes: 2, draw: logistic(3, 1) },
  soft: {
    words: 'three classes of one spot',
    rows: 500,
    classes: 3,
    draw: clouds(
      [
        [0, 0],
        [1.2, 0],
        [0, 1.2],
      ],
      even(3),
    ),
  },
  separable: {
    words: 'a gap between the classes',
    rows: 200,
    classes: 2,
    draw: (random) => {
      const x = normals(random, 3)
      const side = x[0]! + x[1]!
      const label = side > 0 ? 1 : 0
      return {
        features: named([x[0]! + (label - 0.5), x[1]! + (label - 0.5), x[2]!]),
        label,
        margin: Math.abs(side),
      }
    },
  },
  sharp: {
    words: 'a border without a gap',
    rows: 300,
    classes: 2,
    draw: (random) => {
      const x = normals(random, 4)
      const side = x[0]! + x[1]! - 0.5 * x[2]!
      return { features: named(x), label: side > 0 ? 1 : 0, margin: Math.abs(side) }
    },
  },
  skewed: {
    words: 'lognormal columns',
    rows: 300,
    classes: 2,
    draw: (random) => {
      const x = normals(random, 3).map(Math.exp)
      const eta = 1.5 * (x[0]! - x[1]!)
      return { features: named(x), label: byLaw(random, eta), margin: Math.abs(eta) }
    },
  },
  tied: {
    words: 'answers from 1 to 5 in four columns',
    rows: 300,
    classes: 2,
    draw: (random) => {
      const x = normals(random, 4).map((v) => Math.min(5, Math.max(1, Math.round(3 + 1.2 * v))))
      const eta = 1.2 * (x[0]! + x[1]! - 6)
      return { features: named(x), label: byLaw(random, eta), margin: Math.abs(eta) }
    },
  },
  categories: {
    words: 'a column of 12 texts, some rare, and a number',
    rows: 500,
    classes: 2,
    draw: (random) => {
      const shares = [0.3, 0.2, 0.15, 0.1, 0.08, 0.06, 0.04, 0.03, 0.015, 0.01, 0.01, 0.005]
      const place = pick(random, shares)
      const a = random.normal()
      const eta = 2 * a + 2.5 * Math.sin(3 * place)
      return { features: { town: `t${place}`, a }, label: byLaw(random, eta), margin: Math.abs(eta) }
    },
  },
  twenty: { words: 'twenty rows', rows: 20, classes: 2, draw: logistic(2, 3) },
  fifty: {
    words: 'fifty rows of three classes',
    rows: 50,
    classes: 3,
    draw: clouds(
      [
        [0, 0],
        [4, 0],
        [0, 4],
      ],
      even(3),
    ),
  },
  many: { words: '5,000 rows', rows: 5000, classes: 2, draw: logistic(5, 2) },
  manythree: {
    words: '5,000 rows of three classes, one of them rare',
    rows: 5000,
    classes: 3,
    draw: clouds(
      [
        [0, 0, 0],
        [3, 0, 0],
        [0, 3, 1],
      ],
      [0.6, 0.37, 0.03],
      2,
    ),
  },
  onecolumn: { words: 'one column', rows: 150, classes: 2, draw: logistic(1, 4) },
  sixty: { words: 'sixty columns', rows: 1000, classes: 2, draw: logistic(60, 2, 0, 6) },
  wide: { words: '60 rows of 40 columns', rows: 60, classes: 2, draw: logistic(40, 3) },
  blobs: {
    words: 'four groups with nothing between them',
    rows: 300,
    classes: 4,
    draw: clouds(
      [
        [0, 0],
        [9, 0],
        [0, 9],
        [9, 9],
      ],
      even(4),
    ),
  },
  scatters: {
    words: 'one class within another that scatters more',
    rows: 400,
    classes: 2,
    draw: (random) => {
      const label = pick(random, [0.5, 0.5])
      const scale = label === 1 ? 3 : 1
      return { features: named(normals(random, 3).map((v) => scale * v + label)), label }
    },
  },
  copies: {
    words: 'columns that are nearly copies',
    rows: 300,
    classes: 2,
    draw: (random) => {
      const x = normals(random, 2)
      const near = x.map((v) => v + 0.05 * random.normal())
      const eta = 2.5 * (x[0]! - x[1]!)
      return { features: named([...x, ...near]), label: byLaw(random, eta), margin: Math.abs(eta) }
    },
  },
  heavy: {
    words: "columns of Student's t with 3 degrees",
    rows: 300,
    classes: 2,
    draw: (random) => {
      const x = Array.from({ length: 3 }, () => random.studentT(3))
      const eta = 2 * (x[0]! + x[1]!)
      return { features: named(x), label: byLaw(random, eta), margin: Math.abs(eta) }
    },
  },
}

/** How labels go wrong: so many in any other class, of the most frequent class in the next, or next to the border. */
export const FLIPS = {
  none: { how: 'any', share: 0 },
  'any 5 %': { how: 'any', share: 0.05 },
  'any 20 %': { how: 'any', share: 0.2 },
  'any 40 %': { how: 'any', share: 0.4 },
  'one-sided 20 %': { how: 'one-sided', share: 0.2 },
  'into the rare 10 %': { how: 'into the rare', share: 0.1 },
  'by a column 20 %': { how: 'by a column', share: 0.2 },
  'at the border 15 %': { how: 'at the border', share: 0.15 },
} as const

export type FlipName = keyof typeof FLIPS

export interface LabelSet {
  readonly columns: Readonly<Record<string, readonly number[] | readonly string[]>>
  readonly truth: number
}

export function labelSet(name: string, flips: FlipName, seed: number, run: number): LabelSet {
  const { rows, classes, draw } = LABEL_KINDS[name]!
  const random = draws(seed, 'strange labels', name, flips, run)
  const table = Array.from({ length: rows }, (_, i) => draw(random, i))
  const labels = table.map(({ label }) => label)
  const { how, share } = FLIPS[flips]
  const counts = Array.from({ length: classes }, (_, c) => labels.filter((l) => l === c).length)
  const largest = counts.indexOf(Math.max(...counts))
  const rarest = counts.indexOf(Math.min(...counts))
  const order = shuffled(random, rows)
  const other = (c: number): number => (c + 1 + Math.floor(random.uniform(0, classes - 1))) % classes
  const wrong = new Map<number, number>()
  const flip = (places: readonly number[], count: number, to: (c: number) => number): void => {
    for (const i of places.slice(0, count)) wrong.set(i, to(labels[i]!))
  }
  if (how === 'any') flip(order, Math.round(share * rows), other)
  // Of one class: a share of its rows.
  if (how === 'one-sided') {
    const own = order.filter((i) => labels[i] === largest)
    flip(own, Math.round(share * own.length), (c) => (c + 1) % classes)
  }
  if (how === 'into the rare') {
    const own = order.filter((i) => labels[i] !== rarest)
    flip(own, Math.round(share * own.length), () => rarest)
  }
  // Two in five where the first column of numbers is above its median.
  if (how === 'by a column') {
    const key = Object.keys(table[0]!.features).find(
      (column) => typeof table[0]!.features[column] === 'number',
    )!
    const values = table.map(({ features }) => features[key] as number)
    const middle = [...values].sort((a, b) => a - b)[Math.floor(rows / 2)]!
    const own = order.filter((i) => values[i]! >= middle)
    flip(own, Math.round(2 * share * own.length), other)
  }
  // Of the third of the rows next to it.
  if (how === 'at the border') {
    const near = table.map(({ margin }, i) => ({ i, margin: margin ?? random.uniform(0, 1) }))
    near.sort((a, b) => a.margin - b.margin)
    const own = new Set(near.slice(0, Math.round(rows / 3)).map(({ i }) => i))
    flip(
      order.filter((i) => own.has(i)),
      Math.round(share * rows),
      other,
    )
  }
  const given = labels.map((label, i) => `c${wrong.get(i) ?? label}`)
  const columns = Object.fromEntries(
    Object.keys(table[0]!.features).map((column) => [column, table.map(({ features }) => features[column]!)]),
  ) as LabelSet['columns']
  return { columns: { ...columns, label: given }, truth: wrong.size / rows }
}

function shuffled(random: Draws, rows: number): number[] {
  return Array.from({ length: rows }, (_, i) => ({ i, at: random.uniform(0, 1) }))
    .sort((a, b) => a.at - b.at)
    .map(({ i }) => i)
}
