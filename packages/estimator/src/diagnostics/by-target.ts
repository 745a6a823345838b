import { show } from 'rlvi'
import type { Feature } from '../encoding/design.js'
import type { Words } from '../words.js'

/** In fewer rows groups lie apart by chance, and so do groups of fewer rows. */
const FEWEST_ROWS = 20
const FEWEST_EACH = 3
/** More values than these are no groups. */
const MOST_GROUPS = 10

interface Group {
  readonly value: string
  least: number
  most: number
  rows: number
}

/**
 * A remark on columns whose groups lie one above the other in the target, without a row of one among those of another: a mark of
 * high values, or a grade, was made from the target, and of a wrong one it is wrong too, so that the row looks good.
 */
export function byTargetRemark(
  features: readonly Feature[],
  rows: Int32Array,
  y: Float64Array,
  words: Words,
): string | undefined {
  if (rows.length < FEWEST_ROWS) return undefined
  const found = features.flatMap(({ encoding, data }) => {
    const groups = encoding.date === undefined ? groupsOf(data, rows, y) : undefined
    groups?.sort((a, b) => a.least - b.least)
    if (groups === undefined || groups.length < 2) return []
    const isApart = groups.every((group, k) => k === 0 || group.least > groups[k - 1]!.most)
    const [, second = 0] = groups.map((group) => group.rows).sort((a, b) => b - a)
    return isApart && second >= FEWEST_EACH ? [{ name: encoding.name, groups }] : []
  })
  const [first] = found
  if (first === undefined) return undefined
  const names = found.map(({ name }) => name)
  const [which, it] =
    names.length > 1
      ? [`columns ${names.map(show).join(', ')} go`, 'them']
      : [`column ${show(first.name)} goes`, 'it']
  const [lower, upper] = [first.groups.at(-2)!, first.groups.at(-1)!].map(({ value }) => show(value))
  const how = `all rows with ${upper} in ${show(first.name)} have a larger target than all with ${lower}`
  return `${which} by the target (${how}): made from it, an error is in both and its row looks good; ${words.option('exclude', names)} leaves ${it} out`
}

/** Where the rows of each value lie in the target; undefined of too many values. */
function groupsOf(data: Feature['data'], rows: Int32Array, y: Float64Array): Group[] | undefined {
  const groups = new Map<number, Group>()
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!
    const key = data.kind === 'text' ? data.codes[row]! : data.values[data.offset + row * data.stride]!
    const group = groups.get(key)
    if (group === undefined) {
      if (groups.size === MOST_GROUPS) return undefined
      const value = data.kind === 'text' ? data.values[key]! : String(key)
      groups.set(key, { value, least: y[i]!, most: y[i]!, rows: 1 })
      continue
    }
    group.least = Math.min(group.least, y[i]!)
    group.most = Math.max(group.most, y[i]!)
    group.rows++
  }
  return [...groups.values()]
}
