import { kthSmallest } from '../../linalg/kth-smallest.js'
import type { Matrix } from '../../matrix.js'
import type { Caution } from '../../result.js'
import type { MajorityCloud } from './majority-cloud.js'
import type { Measures } from './measures.js'

/** Rows that lie apart from all others in one column. */
export interface Apart {
  readonly rows: readonly number[]
  readonly column: number
  /** Whether they are of one kind for certain: with the same few values in the column. */
  readonly alike: boolean
}

/** Such rows, off what the others predict for them. */
export interface LeverageGroup extends Apart {
  /** Their values in the column, each once, the smallest first. */
  readonly values: readonly number[]
  /** Their middle residual, less that of the others, in scales. */
  readonly off: number
}

/** Fewer rows are no group. */
const FEWEST = 3
/** A group that is off by less than a scale is not off, however many rows it has. */
const LEAST_OFF = 1
/** A row that is farther from the middle of its group than so many scales, its own or those of the others, does not belong to it. */
const OF_GROUP = 3
/** Of normal values, over their median distance from the middle. */
const DEVIATION = 1.4826
/** The variance of a median over that of a mean, of normal values. */
const OF_MEDIAN = Math.PI / 2

/**
 * Groups that lie off together. One by one their rows may all be within reach of a good leverage point, as where a tenth of a
 * column is -9, the code of a missing value. By medians: no law of errors is known yet.
 */
export function groupsOff(
  { cols, values }: Matrix,
  apart: readonly Apart[],
  points: ReadonlySet<number>,
  residuals: Float64Array,
  variance: (features: Float64Array) => number,
  limit: number,
): LeverageGroup[] {
  const others = median(residuals.filter((_, i) => !points.has(i)))
  return apart.flatMap(({ rows: all, column, alike }) => {
    const off = median(Float64Array.from(all, (i) => residuals[i])) - others
    const far = Float64Array.from(all, (i) => Math.abs(residuals[i] - others - off))
    const reach = OF_GROUP * Math.max(1, DEVIATION * median(far))
    const rows = alike ? all : all.filter((_, k) => far[k] <= reach)
    if (rows.length < FEWEST) return []
    const middle = new Float64Array(cols)
    for (const i of rows) for (let j = 0; j < cols; j++) middle[j] += values[i * cols + j] / rows.length
    const error = Math.sqrt(OF_MEDIAN / rows.length + variance(middle))
    if (!(Math.abs(off) > LEAST_OFF && Math.abs(off) > limit * error)) return []
    const different = [...new Set(rows.map((i) => values[i * cols + column]))].sort((a, b) => a - b)
    return [{ rows, column, alike, values: different, off }]
  })
}

function median(values: Float64Array): number {
  return kthSmallest(values, values.length >> 1)
}

/** Rows beyond a gap, but for some that are known, by the column in which they lie farthest out, and to which side. */
export function apartBySide(
  { x: { cols, values }, columns }: Measures,
  { inside, apart }: MajorityCloud,
  known: ReadonlySet<number>,
): Apart[] {
  const mean = new Float64Array(cols)
  const square = new Float64Array(cols)
  const count = inside.reduce((sum, w) => sum + w, 0)
  inside.forEach((w, i) => {
    for (let j = 0; j < cols; j++) mean[j] += (w * values[i * cols + j]) / count
  })
  inside.forEach((w, i) => {
    for (let j = 0; j < cols; j++) square[j] += (w * (values[i * cols + j] - mean[j]) ** 2) / count
  })
  const sides = Array.from({ length: 2 * cols }, (): number[] => [])
  apart.forEach((is, i) => {
    if (is === 0 || inside[i] === 1 || known.has(i)) return
    let [farthest, side] = [-1, 0]
    for (let j = 0; j < cols; j++) {
      const out = values[i * cols + j] - mean[j]
      const far = Math.abs(out) / Math.sqrt(square[j])
      if (far > farthest) [farthest, side] = [far, 2 * j + (out > 0 ? 1 : 0)]
    }
    sides[side].push(i)
  })
  return sides.flatMap((rows, side) =>
    rows.length < FEWEST ? [] : [{ rows, column: columns[side >> 1], alike: false }],
  )
}

/** What is to be told of groups that count as bad. */
export function groupCautions(groups: readonly LeverageGroup[]): Caution[] {
  return groups.map(({ rows, column, values, off }) => {
    const side = off > 0 ? 'above' : 'below'
    const message = `${rows.length} rows lie apart in column ${column}, mostly about ${Math.abs(off).toFixed(1)} scales ${side} what the others predict for them: codes of missing values look like that, and so do rows of another kind, or a curve; they count as bad`
    return { about: 'leverage', message, column, values }
  })
}
