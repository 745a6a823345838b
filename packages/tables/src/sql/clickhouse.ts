import { RlviError } from 'rlvi'
import { type Dialect, number, powersOf, tailOf } from './dialect.js'

/**
 * ClickHouse, of 2018 and of today. Everything stands in one SELECT over the table itself: what stands in a subquery of a
 * `Distributed` table would be sent to one server row by row.
 */
export const clickhouse: Dialect = {
  name(name) {
    if (name === '') throw new RlviError('column name', 'SQL has no empty names', name)
    return `\`${escaped(name)}\``
  },
  text: (text) => `'${escaped(text)}'`,
  double: (sql) => `toFloat64(${sql})`,
  greatest: (a, b) => `greatest(${a}, ${b})`,
  least: (a, b) => `least(${a}, ${b})`,
  ln: (sql) => `log(${sql})`,
  log2: (sql) => `log2(${sql})`,
  logSumExp(values, prefix) {
    const [e, m, s] = [`${prefix}e`, `${prefix}m`, `${prefix}s`]
    const body = `${m} + log(arraySum(${s} -> exp(${s} - ${m}), ${e}))`
    const most = values.reduce((a, b) => `greatest(${a}, ${b})`)
    return `arrayMap((${e}, ${m}) -> ${body}, [[${values.join(', ')}]], [${most}])[1]`
  },
  bindAll(values, body) {
    const names = values.map(([name]) => name)
    const lists = values.map(([, sql]) => `[${sql}]`)
    return { lets: [], sql: `arrayMap((${names.join(', ')}) -> ${body}, ${lists.join(', ')})[1]` }
  },
  // Written once: names of values are replaced by what they stand for wherever they come.
  sumOfSquares: (values, prefix) => `arraySum(${prefix}q -> ${prefix}q * ${prefix}q, [${values.join(', ')}])`,
  whole: (sql) => `toInt32(${sql})`,
  isNaN: (sql) => `isNaN(${sql})`,

  // A name stands for its expression wherever it is used; as argument of a function it is computed once.
  bind: (value, name, body) => `arrayMap(${name} -> ${body(name)}, [${value}])[1]`,
  entry: (list, place) =>
    list.length === 0 ? number(0) : `[${list.map(number).join(', ')}][toInt32(${place}) + 1]`,

  // It takes the value at floor(level * rows).
  ordered: (sql, place, rows) => `quantileExact(${number((place + 0.5) / rows)})(${sql})`,

  select(scan) {
    const { from, where, lets, items, having } = scan
    const which = having === undefined ? where : `(${where}) AND (${having})`
    const named = lets.map(([name, sql]) => `${sql} AS ${name}`)
    const head = named.length === 0 ? '' : `WITH ${named.join(', ')} `
    return `${head}SELECT ${items.join(', ')} FROM ${from} WHERE ${which}${tailOf(scan)}`
  },

  powers(value, count, prefix) {
    const powers = clickhouse.bind(value, `${prefix}v`, (v) => `[${powersOf(v, count).join(', ')}]`)
    return `sumForEach(${powers})`
  },
  sums: (weight, columns, prefix) => `sumForEach(${weighted(weight, columns, prefix)})`,

  products(weight, columns, [from, to], prefix) {
    const [v, list, all] = [`${prefix}v`, `${prefix}products`, `${prefix}all`]
    const rows = (of: string): string[] =>
      columns
        .slice(from, to)
        .map((column, j) => `arrayMap(${v} -> ${v} * ${column}, arraySlice(${of}, ${j + 1}))`)
    // To make one array of all takes longer, but for very long weights.
    const together = clickhouse.bind(list, all, (own) => `arrayConcat(${rows(own).join(', ')})`)
    return {
      lets: [[list, weighted(weight, columns.slice(from), prefix)]],
      items: rows(list).map((row) => `sumForEach(${row})`),
      once: `sumForEach(${together})`,
    }
  },
}

/** The columns times a weight. */
function weighted(weight: string, columns: readonly string[], prefix: string): string {
  return clickhouse.bind(
    weight,
    `${prefix}w`,
    (w) => `[${columns.map((column) => `${w} * ${column}`).join(', ')}]`,
  )
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '`': '\\`',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\0': '\\0',
}

/** Within quotes of either kind. */
function escaped(text: string): string {
  return text.replaceAll(/[\\'`\n\r\t\0]/g, (sign) => escapes[sign]!)
}
