import { show } from 'rlvi'
import { type Columns, columnNames, columnOf } from '../columns/column.js'
import type { Words } from '../words.js'

/** What programs and people write beside sums and means, in some languages. */
const total =
  /^(?:means?|averages?|median|sd|std\.?(?: ?dev\.?)?|stdev|mittelwert|durchschnitt|moyenne|(?:grand|sub)?[ -]?totals?|sum|summe|gesamt(?:summe)?|insgesamt|zwischensumme|total g[ée]n[ée]ral|sous-total|somme|totale|suma|totaal|som)\s*:?$/i
/** More of them are the values of a column. */
const MOST_ROWS = 3

/** Whether a text says that its row sums up others. */
export function isTotal(text: string): boolean {
  return total.test(text.trim())
}

/** Rows that hold sums of the others, which no fit should learn from, where they are used: a remark, by the first column that says so. */
export function totalsRemark(table: Columns, rows: Int32Array, words: Words): string | undefined {
  for (const name of columnNames(table)) {
    const column = columnOf(table, name)
    if (column.kind !== 'text') continue
    const codes = new Set(column.values.flatMap((value, code) => (isTotal(value) ? [code] : [])))
    if (codes.size === 0) continue
    const found = Array.from(rows.filter((row) => codes.has(column.codes[row]!)))
    if (found.length === 0 || found.length > MOST_ROWS) continue
    const [first = 0] = found
    const many =
      found.length === 1 ? words.row(first) : `${found.length} rows, the first ${words.row(first)}, `
    const value = show(column.values[column.codes[first]!])
    return `${many} ${found.length === 1 ? 'has' : 'have'} ${value} in column ${show(name)}: what sums up other rows is none to learn from; take it out`
  }
  return undefined
}
