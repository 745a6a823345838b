import { show } from 'rlvi'
import type { DesignColumn, Encoding } from '../encoding/encoding.js'
import { flagBelow } from '../fit/flag-below.js'
import type { JudgedLabels } from './hidden-labels.js'

const MOST_NAMES = 5

/**
 * A remark on the categories all of whose rows that the fit trusts have one label: where labels can be told perfectly, these are most
 * often why, and who knows them can join them with others or leave their column out. Undefined where there are none.
 */
export function tellingCategoriesRemark(
  { x, y, clean }: JudgedLabels,
  columns: readonly DesignColumn[],
  encodings: readonly Encoding[],
  classes: readonly string[],
): string | undefined {
  const isCategory = encodings.flatMap((encoding) =>
    encoding.kind === 'number' ? [false] : encoding.values.map(() => true),
  )
  const found = columns.flatMap(({ name }, j) => {
    if (!isCategory[j]) return []
    let [upper, label, rows] = [Number.NEGATIVE_INFINITY, -1, 0]
    for (let at = j; at < x.values.length; at += x.cols) upper = Math.max(upper, x.values[at]!)
    for (let i = 0; i < x.rows; i++) {
      if (x.values[i * x.cols + j] !== upper || clean[i]! < flagBelow) continue
      if (rows > 0 && label !== y[i]) return []
      label = y[i]!
      rows++
    }
    return rows === 0 ? [] : `${show(name)} (${rows} ${rows === 1 ? 'row' : 'rows'}, ${show(classes[label])})`
  })
  if (found.length === 0) return undefined
  const more = found.length > MOST_NAMES ? ` and ${found.length - MOST_NAMES} more` : ''
  return `categories that have one label alone in the rows that the fit trusts: ${found.slice(0, MOST_NAMES).join(', ')}${more}`
}
