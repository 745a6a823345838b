import { linear, type Matrix, matrix } from 'rlvi'
import type { Encoding } from '../encoding/encoding.js'
import type { Units } from '../fit/units.js'
import { correlation } from './correlation.js'

/** Of so many columns, at most, and so many that may be the total. */
const MOST_COLUMNS = 50
const MOST_TOTALS = 5
/** In fewer rows little is left over by chance. */
const FEWEST_ROWS = 20
/** So near to 1 or -1 is the coefficient of a part of a sum. */
const NEAR = 0.05
/** A sum leaves nothing or one of so many amounts, such as a fee that has no column, in more than this share of rows, ... */
const AMOUNTS = 3
const MOSTLY = 0.5
/** ... where the most frequent values of the target by itself are in no more than this one. */
const SELDOM = 0.2

/** The rows of a fit of numbers, and what it made of them. */
export interface Summed {
  /** As the fit saw them, in these units. */
  readonly x: Matrix
  readonly units: Units
  readonly encodings: readonly Encoding[]
  readonly y: Float64Array
  /** Places of rows that stand for all. */
  readonly some: Int32Array
  /** P(good). */
  readonly clean: Float64Array
  /** In the table's units; undefined where the model adds nothing up. */
  readonly coefficients: readonly number[] | undefined
  readonly intercept: boolean
}

/** A sum of columns that the target is, but for one of few amounts. */
export interface Sum {
  readonly parts: readonly Part[]
  /** The part that is largest in size, where it is larger than the target, or the only one: it may be a total, or a copy. */
  readonly total: Part | undefined
  readonly amounts: Frequent
}

/** The sum of features that most rows of the target are, where there is one. */
export function sumOf(summed: Summed): Sum | undefined {
  const { x, y, encodings } = summed
  if (x.rows < FEWEST_ROWS || y.length !== x.rows) return undefined
  const table = partOf(summed)
  const grain = grainOf(table.y)
  if (mostFrequent(table.y, grain, 1).share > SELDOM) return undefined
  const isNumber = encodings.flatMap((encoding) =>
    encoding.kind === 'number' ? [encoding.date === undefined] : encoding.values.map(() => false),
  )
  for (const parts of candidates(summed, table, isNumber)) {
    if (parts.length === 0) continue
    const rest = table.y.map((own, i) =>
      parts.reduce((sum, { j, sign }) => sum - sign * table.columns[j]![i]!, own),
    )
    const amounts = mostFrequent(rest, grain, MOSTLY)
    if (!(amounts.share > MOSTLY)) continue
    const sizes = parts.map(({ j }) => size(table.columns[j]!))
    const most = Math.max(...sizes)
    const isTotal = parts.length === 1 || size(table.y) < most
    return { parts, total: isTotal ? parts[sizes.indexOf(most)] : undefined, amounts }
  }
  return undefined
}

function size(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + Math.abs(value), 0)
}

/** A column that is added or taken off. */
export interface Part {
  readonly j: number
  readonly sign: number
}

/** Some rows of the table, in its units. */
interface SomeRows {
  readonly places: readonly number[]
  readonly y: readonly number[]
  readonly columns: readonly (readonly number[])[]
}

function partOf({ x, y, units, some }: Summed): SomeRows {
  const places = Array.from(some)
  const columns = Array.from({ length: x.cols }, (_, j) =>
    places.map((i) => x.values[i * x.cols + j]! * units.scale[j]! + units.centre[j]!),
  )
  return { places, y: places.map((i) => y[i]!), columns }
}

/**
 * What may add up: by the coefficients of the fit; then by those of the features that go most with the target, explained by it and
 * the others. Where an amount that has no column is in a total, it scatters around its parts, and they do not around it.
 */
function* candidates(summed: Summed, table: SomeRows, isNumber: readonly boolean[]): Generator<Part[]> {
  const near = (values: readonly number[]): Part[] =>
    values.flatMap((value, j) =>
      isNumber[j] && Math.abs(Math.abs(value) - 1) < NEAR ? [{ j, sign: Math.sign(value) }] : [],
    )
  yield near(summed.coefficients ?? plainCoefficients(summed))
  const numeric = isNumber.flatMap((is, j) => (is ? [j] : []))
  if (numeric.length > MOST_COLUMNS) return
  const along = numeric.map((j) => ({ j, r: Math.abs(correlation(table.y, table.columns[j]!)) }))
  along.sort((a, b) => b.r - a.r)
  for (const { j } of along.slice(0, MOST_TOTALS)) {
    const others = numeric.filter((k) => k !== j)
    const values = [table.y, ...others.map((k) => table.columns[k]!)]
    const x = matrix(table.places.length, values.length)
    values.forEach((column, at) => {
      column.forEach((value, i) => {
        x.values[i * x.cols + at] = value
      })
    })
    const { coefficients, problem } = linear().fit({ x, y: Float64Array.from(table.columns[j]!) })
    if (problem !== undefined && problem.reason !== 'exact-fit') continue
    const [own = 0, ...rest] = coefficients
    if (!(Math.abs(Math.abs(own) - 1) < NEAR)) continue
    // j = own y + rest, so that y = (j - rest) / own.
    const turned = isNumber.map(() => 0)
    turned[j] = Math.sign(own)
    others.forEach((k, at) => {
      turned[k] = -Math.sign(own) * rest[at]!
    })
    yield near(turned)
  }
}

/** Where the model is not linear: by least squares, of the rows that the fit trusts. */
function plainCoefficients({ x, y, clean, units, intercept }: Summed): readonly number[] {
  const { coefficients, problem } = linear({ intercept }).fit({ x, y }, clean)
  if (problem !== undefined && problem.reason !== 'exact-fit') return []
  return Array.from(coefficients, (value, j) => value / units.scale[j]!)
}

/** The least decimal that values are written with. */
function grainOf(values: readonly number[]): number {
  for (let digits = 0; digits <= 6; digits++) {
    const factor = 10 ** digits
    if (values.every((value) => Math.abs(value * factor - Math.round(value * factor)) < 1e-6))
      return 1 / factor
  }
  return 1e-6
}

/** The most frequent values, as few as make up `enough` rows, and the share of rows that have one of them. */
function mostFrequent(values: readonly number[], grain: number, enough: number): Frequent {
  const counts = new Map<number, number>()
  for (const value of values) {
    const place = Math.round(value / grain)
    counts.set(place, (counts.get(place) ?? 0) + 1)
  }
  const order = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, AMOUNTS)
  let share = 0
  const taken: number[] = []
  for (const [place, count] of order) {
    if (share > enough) break
    share += count / values.length
    taken.push(Number((place * grain).toPrecision(9)))
  }
  return { share, values: taken }
}

export interface Frequent {
  readonly share: number
  readonly values: readonly number[]
}
