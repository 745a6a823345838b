import type { Cells } from '../columns/cells.js'
import type { Numbers, Texts } from '../columns/column.js'
import {
  asTexts,
  coerced,
  isUnusable,
  named,
  requireDates,
  requireNumbers,
  type Unusable,
} from '../columns/typed.js'
import type { Feature } from '../encoding/design.js'
import { type Encoding, knownValues } from '../encoding/encoding.js'
import { ofDate } from '../encoding/of-date.js'

/** A column in the form in which the model was fitted to it. */
export function asFitted(encoding: Encoding, data: Numbers | Texts, cells: Cells): Feature | Unusable {
  if (encoding.date !== undefined) {
    const dates = requireDates(data, encoding.date.order, cells)
    return isUnusable(dates) ? unlikeFit(dates, 'dates') : { encoding, data: ofDate(dates, encoding.date) }
  }
  if (encoding.kind === 'number' && encoding.words === 'missing')
    return { encoding, data: coerced(data, cells).data }
  if (encoding.kind === 'number') {
    // Streams, which cannot be looked through for categories, are learned with true and false as 1 and 0.
    const found = requireNumbers(data, cells, (text) =>
      typeof cells.numberOf(text) === 'number' ? 'number' : cells.kindOfText(text),
    )
    return isUnusable(found) ? unlikeFit(found, 'numbers') : { encoding, data: found }
  }
  const texts = data.kind === 'number' ? asTexts(data) : data
  return { encoding, data: named(texts, cells, knownValues(encoding)) }
}

function unlikeFit({ asNumbers, asCategories, ...unusable }: Unusable, what: string): Unusable {
  return { ...unusable, todo: `give ${what}, which the model was fitted to there` }
}

/** A category that the model has never seen. */
export interface Unseen {
  readonly column: string
  readonly value: string
  /** Its place in the table: an index, from 0. */
  readonly row: number
}

/** The rows whose categories the model knows, and the first that it does not. */
export function knownRows(
  features: readonly Feature[],
  rows: Int32Array,
): { readonly rows: Int32Array; readonly firstUnseen: Unseen | undefined } {
  const unseen = new Set<number>()
  let firstUnseen: Unseen | undefined
  for (const { encoding, data } of features) {
    if (encoding.kind !== 'category' || data.kind !== 'text') continue
    const known = new Set(knownValues(encoding))
    const isNew = data.values.map((value) => !known.has(value))
    if (!isNew.includes(true)) continue
    for (const row of rows) {
      if (!isNew[data.codes[row]!]) continue
      unseen.add(row)
      firstUnseen ??= { column: encoding.name, value: data.values[data.codes[row]!]!, row }
    }
  }
  return { rows: unseen.size === 0 ? rows : rows.filter((row) => !unseen.has(row)), firstUnseen }
}
