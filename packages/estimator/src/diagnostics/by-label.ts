import { show } from 'rlvi'
import type { Feature } from '../encoding/design.js'
import type { Response } from '../fit/target.js'
import type { Words } from '../words.js'

/** In fewer rows values go with labels by chance, and so do those of fewer rows. */
const FEWEST_ROWS = 20
const FEWEST_EACH = 3
/** More values than these are no groups. */
const MOST_GROUPS = 10

/**
 * A remark on columns each of which tells every label by itself, without a row that differs: `alive` beside `survived`, or the mark
 * beside `passed`. One of the two was made from the other, and of a wrong label it is wrong too, so that the row looks good.
 */
export function byLabelRemark(
  features: readonly Feature[],
  rows: Int32Array,
  { y, classes }: Response,
  words: Words,
): string | undefined {
  if (rows.length < FEWEST_ROWS || classes === undefined) return undefined
  const found = features.flatMap(({ encoding, data }) => {
    if (encoding.kind === 'number' && encoding.date !== undefined) return []
    const how = inGroups(data, rows, y)
      ? `all rows with the same ${show(encoding.name)} have one label`
      : inOrder(encoding.name, data, rows, y, classes)
    return how === undefined ? [] : [{ name: encoding.name, how }]
  })
  const [first] = found
  if (first === undefined) return undefined
  const names = found.map(({ name }) => name)
  const [which, it] =
    names.length > 1
      ? [`columns ${names.map(show).join(', ')} tell`, 'them']
      : [`column ${show(first.name)} tells`, 'it']
  return `${which} every label alone (${first.how}): where one was made from the other, an error is in both and its row looks good; ${words.option('exclude', names)} leaves ${it} out`
}

function valueAt(data: Feature['data'], row: number): number {
  return data.kind === 'text' ? data.codes[row]! : data.values[data.offset + row * data.stride]!
}

/** Whether few values have one label each. */
function inGroups(data: Feature['data'], rows: Int32Array, y: Float64Array): boolean {
  const labels = new Map<number, number>()
  const counts = new Map<number, number>()
  for (let i = 0; i < rows.length; i++) {
    const value = valueAt(data, rows[i]!)
    const label = labels.get(value)
    if (label !== undefined && label !== y[i]) return false
    if (label === undefined && labels.size === MOST_GROUPS) return false
    labels.set(value, y[i]!)
    counts.set(y[i]!, (counts.get(y[i]!) ?? 0) + 1)
  }
  return areFrequent(counts)
}

/** Where the rows of each label lie apart from those of the others, in a column of numbers: between which values. */
function inOrder(
  name: string,
  data: Feature['data'],
  rows: Int32Array,
  y: Float64Array,
  classes: readonly string[],
): string | undefined {
  if (data.kind === 'text') return undefined
  const ranges = classes.map((label) => ({
    label,
    least: Number.POSITIVE_INFINITY,
    most: Number.NEGATIVE_INFINITY,
    rows: 0,
  }))
  for (let i = 0; i < rows.length; i++) {
    const value = valueAt(data, rows[i]!)
    const range = ranges[y[i]!]!
    range.least = Math.min(range.least, value)
    range.most = Math.max(range.most, value)
    range.rows++
  }
  ranges.sort((a, b) => a.least - b.least)
  if (ranges.some(({ least }, k) => k > 0 && least <= ranges[k - 1]!.most)) return undefined
  if (!areFrequent(new Map(ranges.map((range, k) => [k, range.rows])))) return undefined
  const [lower, upper] = [ranges.at(-2)!, ranges.at(-1)!].map(({ label }) => show(label))
  return `all rows of ${upper} have a larger ${show(name)} than all of ${lower}`
}

/** Whether more than one label is told in more than a few rows. */
function areFrequent(counts: ReadonlyMap<number, number>): boolean {
  const [, second = 0] = [...counts.values()].sort((a, b) => b - a)
  return second >= FEWEST_EACH
}
