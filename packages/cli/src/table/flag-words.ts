import type { OptionName, Words } from '@rlvi/estimator'
import { show } from 'rlvi'
import { rowNumber, rowsCount } from '../terminal/row-number.js'

const flags: Partial<Record<OptionName, string>> = {
  assumed: '--assume',
  intercept: '--no-intercept',
  dateParts: '--date-parts',
  dateOrder: '--date-order',
}

/** The library's options as the flags that they are here, for its messages about a file. */
export function flagWords(path: string): Words {
  return {
    option(name, value) {
      const flag = flags[name] ?? `--${name}`
      if (value === undefined) return flag
      const text = typeof value === 'string' ? value : word(value.join(','))
      return `${flag} ${text}`
    },
    row: (index) => `row ${rowNumber(index)}`,
    rowsCount,
    holder: 'file',
    source: path,
  }
}

/** The same for a table of a database. */
export function databaseWords(path: string): Words {
  return {
    ...flagWords(path),
    row: () => 'one row',
    rowsCount: 'rows of a database have no numbers',
    holder: 'table',
  }
}

/** Longer lists of columns are no help to anybody. */
const LONGEST = 1000

/** As a shell takes it, whole: what is cut off cannot be copied. */
function word(text: string): string {
  if (/^[\w.,-]+$/.test(text)) return text
  return text.length > LONGEST ? show(text) : JSON.stringify(text)
}
