import { RlviError } from 'rlvi'
import type { Dialect } from './dialect.js'

/**
 * ClickHouse, of 2018 and of today. Everything stands in one SELECT over the table itself: what stands in a subquery of a
 * `Distributed` table would be sent to one server row by row.
 */
export const clickhouse: Dialect = {
  name(name) {
    if (name === '') throw new RlviError('column name', 'SQL has no empty names', name)
    return `\`${escaped('column name', name)}\``
  },
  text: (text) => `'${escaped('text', text)}'`,
  double: (sql) => `toFloat64(${sql})`,
  greatest: (a, b) => `greatest(${a}, ${b})`,
  least: (a, b) => `least(${a}, ${b})`,
  ln: (sql) => `log(${sql})`,
  log2: (sql) => `log2(${sql})`,
  whole: (sql) => `toInt32(${sql})`,
  isNaN: (sql) => `isNaN(${sql})`,

  select({ from, where, lets, items, groupBy }) {
    const named = lets.map(([name, sql]) => `${sql} AS ${name}`)
    const head = named.length === 0 ? '' : `WITH ${named.join(', ')} `
    const tail = groupBy === undefined ? '' : ` GROUP BY ${groupBy}`
    return `${head}SELECT ${items.join(', ')} FROM ${from} WHERE ${where}${tail}`
  },

  products(weight, columns, [from, to], prefix) {
    // A name stands for its expression wherever it is used; within the function of an array it stands for a value.
    const [w, v, list] = [`${prefix}w`, `${prefix}v`, `${prefix}products`]
    const weighted = columns.slice(from).map((column) => `${w} * ${column}`)
    return {
      lets: [[list, `arrayMap(${w} -> [${weighted.join(', ')}], [${weight}])[1]`]],
      items: columns
        .slice(from, to)
        .map((column, j) => `sumForEach(arrayMap(${v} -> ${v} * ${column}, arraySlice(${list}, ${j + 1})))`),
    }
  },
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '`': '\\`',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** Within quotes of either kind. */
function escaped(where: string, text: string): string {
  if (text.includes('\0')) throw new RlviError(where, 'SQL has none with a zero byte', text)
  return text.replaceAll(/[\\'`\n\r\t]/g, (sign) => escapes[sign]!)
}
