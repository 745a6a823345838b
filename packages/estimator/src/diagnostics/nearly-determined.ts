import { type Matrix, show } from 'rlvi'
import type { Words } from '../words.js'
import { standardised } from './correlation.js'

/** More would cost their cube. */
const MOST_COLUMNS = 100
/** What others leave of a column's variance where they determine it but for rounding. Measures of one thing, as of a cell, leave more. */
const LEFT = 1 / 5000
const MOST_NAMES = 6

/**
 * A remark on three columns or more that nearly determine each other, as shares do beside their total, which was rounded: no two of them
 * are alike, and yet their coefficients are hard to tell apart. Undefined where there are none.
 *
 * @param columns - places in the design, no two of which say nearly the same
 */
export function nearlyDetermined(
  x: Matrix,
  columns: readonly number[],
  names: readonly string[],
  words: Words,
): string | undefined {
  if (columns.length < 3 || columns.length > MOST_COLUMNS || x.rows <= 2 * columns.length) return undefined
  const left = leftByOthers(columns.map((j) => standardised(x, j)))
  const found = columns.filter((_, k) => left[k]! < LEFT)
  if (found.length < 3) return undefined
  const all = found.map((j) => names[j]!)
  const last = all.at(-1)!
  const shown = all.slice(0, MOST_NAMES).map(show).join(', ')
  const more = all.length > MOST_NAMES ? ` and ${all.length - MOST_NAMES} more` : ''
  return `columns ${shown}${more} nearly determine each other, as parts do beside their sum: their coefficients are hard to tell apart; one of them is enough to leave out, such as by ${words.option('exclude', [last])}`
}

/** The share of each column's variance that the others leave: the inverse of the diagonal of the inverse of their correlations. */
function leftByOthers(columns: readonly Float64Array[]): number[] {
  const d = columns.length
  const width = 2 * d
  const rows = columns.map((own, a) => {
    const row = new Float64Array(width)
    columns.forEach((other, b) => {
      for (let i = 0; i < own.length; i++) row[b]! += own[i]! * other[i]!
    })
    row[d + a] = 1
    return row
  })
  // Gauss-Jordan with the largest pivot; correlations are of one size.
  for (let k = 0; k < d; k++) {
    let pivot = k
    for (let r = k + 1; r < d; r++) if (Math.abs(rows[r]![k]!) > Math.abs(rows[pivot]![k]!)) pivot = r
    const own = rows[pivot]!
    ;[rows[pivot], rows[k]] = [rows[k]!, own]
    const value = own[k]!
    // What is determined exactly has been left out.
    if (!(Math.abs(value) > 1e-12)) return columns.map(() => 1)
    for (let j = k; j < width; j++) own[j]! /= value
    rows.forEach((row, r) => {
      const factor = row[k]!
      if (r !== k && factor !== 0) for (let j = k; j < width; j++) row[j]! -= factor * own[j]!
    })
  }
  return rows.map((row, k) => 1 / row[d + k]!)
}
