import { type Matrix, show } from 'rlvi'
import type { DesignColumn } from '../encoding/encoding.js'
import type { ModelName } from '../fit/methods.js'
import { middle, ROUGHLY, roughMiddle } from '../fit/units.js'
import type { Words } from '../words.js'

/** Without a value so many scales of the middle half away, no rows lie apart. */
const FAR = 6
/** Rows that lie apart together are at least so many and this share, and no more than the other. */
const FEWEST = 3
const LEAST = 0.01
const MOST = 0.2
/** Of fewer values they look like codes, which have a remark of their own; of the others fewer are levels of a scale. */
const VALUES = 4
/** So many rows are named. */
const NAMED = 3

/**
 * Rows that lie apart in a feature, beyond a gap as wide as all others together, where the model judges labels or counts and takes
 * features as they are: some lengths in millimetres among centimetres take all weight from the column. `linear` judges
 * features too.
 */
export function apartFeaturesRemark(
  x: Matrix,
  columns: readonly DesignColumn[],
  rows: Int32Array,
  model: ModelName,
  words: Words,
): string | undefined {
  if (model !== 'logistic' && model !== 'softmax' && model !== 'poisson') return undefined
  for (let j = 0; j < x.cols; j++) {
    if (!reaches(x, j)) continue
    const sorted = Float64Array.from({ length: x.rows }, (_, i) => x.values[i * x.cols + j]!).sort()
    const found = above(sorted) ?? turned(above(sorted.map((value) => -value).reverse()))
    if (found === undefined) continue
    const judged = model === 'poisson' ? 'counts' : 'labels'
    const [first = 0, last = 0] = found.ends
    const [from, to, least, most] = found.ends.map((value) => String(Number(value.toPrecision(4))))
    const those = Array.from(rows.keys()).filter((i) => {
      const value = x.values[i * x.cols + j]!
      return value >= first && value <= last
    })
    const named = those.slice(0, NAMED).map((i) => words.row(rows[i]!))
    const which = `${named.join(', ')}${those.length > NAMED ? ', …' : ''}`
    const times = timesOthers(x, j, first, last)
    return `${found.count} rows (${which}) lie apart in column ${show(columns[j]!.name)}, at ${from} to ${to} where the others have ${least} to ${most}${times}: values in another unit look like that; a model of ${judged} judges the ${judged} and not the features, so that these rows can take all weight from the column, and many of them count as bad; bring them to one unit or leave them out, and fit again`
  }
  return undefined
}

/** How many times the others these rows are, in the median, where that says something. */
function timesOthers(x: Matrix, j: number, first: number, last: number): string {
  const column = Array.from({ length: x.rows }, (_, i) => x.values[i * x.cols + j]!).sort((a, b) => a - b)
  const apart = column.filter((value) => value >= first && value <= last)
  const others = column.filter((value) => !(value >= first && value <= last))
  const median = (values: readonly number[]): number => values[values.length >> 1]!
  const ratio = median(apart) / median(others)
  return ratio > 1 && others[0]! > 0 ? ` (${Number(ratio.toPrecision(3))} times as much in the median)` : ''
}

interface Group {
  readonly count: number
  /** Where it begins and ends, then where the others do. */
  readonly ends: readonly number[]
}

/** The rows at the upper end that lie beyond a gap. */
function above(sorted: Float64Array): Group | undefined {
  const n = sorted.length
  for (let count = Math.max(FEWEST, Math.ceil(LEAST * n)); count <= MOST * n; count++) {
    const [first, last] = [sorted[n - count]!, sorted[n - count - 1]!]
    if (!(first - last > last - sorted[0]!)) continue
    const others = sorted.subarray(0, n - count)
    if (differ(sorted.subarray(n - count)) && differ(others))
      return { count, ends: [first, sorted[n - 1]!, sorted[0]!, last] }
  }
  return undefined
}

function turned(group: Group | undefined): Group | undefined {
  if (group === undefined) return undefined
  const [from = 0, to = 0, least = 0, most = 0] = group.ends
  return { ...group, ends: [-to, -from, -most, -least] }
}

/** Whether there are enough values among sorted ones. */
function differ(sorted: Float64Array): boolean {
  let values = 1
  for (let i = 1; i < sorted.length && values < VALUES; i++) if (sorted[i] !== sorted[i - 1]) values++
  return values >= VALUES
}

/** Whether a column has values far from its middle half; a rough one first, which costs less. */
function reaches(x: Matrix, j: number): boolean {
  const beyond = ({ centre, scale }: { centre: number; scale: number }, times: number): boolean => {
    for (let at = j; at < x.values.length; at += x.cols)
      if (Math.abs(x.values[at]! - centre) > times * scale) return true
    return false
  }
  return beyond(roughMiddle(x, j), FAR / ROUGHLY) && beyond(middle(x, j), FAR)
}
