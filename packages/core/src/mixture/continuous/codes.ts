import { columnOf } from '../../matrix.js'
import type { Apart } from './leverage-groups.js'
import type { Measures } from './measures.js'

/** Codes at one end of a column have at most so many values, each in at least so many rows. */
const MOST_VALUES = 3
const FEWEST_ROWS = 3
/** More rows than this share are no codes. */
const MOST_ROWS = 0.4
/** The others have at least so many values: of few levels one may well lie apart. */
const LEAST_VALUES = 5
/** The gap before codes is at least so large a part of the others' range, and so many times their largest gap. */
const OF_RANGE = 0.15
const OF_GAPS = 3

/**
 * Rows with values that look like codes of missing ones, such as -8 and -9 among ages: a few values in many rows each, at one
 * end of a column, with a gap between them and all others that has none like it.
 */
export function codesIn({ x, columns }: Measures): Apart[] {
  return columns.flatMap((column, k) => {
    const values = columnOf(x, k)
    const sorted = values.slice().sort()
    return [codesBelow(sorted, 1), codesBelow(sorted.map((v) => -v).reverse(), -1)].flatMap((from) => {
      if (from === undefined) return []
      const rows = Array.from(values.keys()).filter((i) => from.side * values[i] < from.value)
      return [{ rows, column, alike: true }]
    })
  })
}

/** The value below which values are codes, where there are any; `sorted` with the smallest first. */
function codesBelow(
  sorted: Float64Array,
  side: number,
): { readonly value: number; readonly side: number } | undefined {
  const n = sorted.length
  let start = 0
  for (let count = 1; count <= MOST_VALUES; count++) {
    let end = start
    while (end < n && sorted[end] === sorted[start]) end++
    if (end - start < FEWEST_ROWS || end > MOST_ROWS * n) return undefined
    if (isGap(sorted, end)) return { value: sorted[end], side }
    start = end
  }
  return undefined
}

/** Whether the values from `from` on are a range of their own. */
function isGap(sorted: Float64Array, from: number): boolean {
  const n = sorted.length
  const gap = sorted[from] - sorted[from - 1]
  if (gap < OF_RANGE * (sorted[n - 1] - sorted[from])) return false
  let different = 1
  for (let i = from + 1; i < n; i++) {
    if (sorted[i] === sorted[i - 1]) continue
    if (gap < OF_GAPS * (sorted[i] - sorted[i - 1])) return false
    different++
  }
  return different >= LEAST_VALUES
}
