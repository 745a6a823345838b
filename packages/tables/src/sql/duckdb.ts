import { RlviError } from 'rlvi'
import { type Dialect, number, powersOf, sum, tailOf } from './dialect.js'

/** A name as SQL reads it: `a"b` becomes `"a""b"`. */
export function quoteName(name: string): string {
  if (name === '') throw new RlviError('column name', 'SQL has no empty names', name)
  if (name.includes('\0')) throw new RlviError('column name', 'SQL has no names with a zero byte', name)
  return `"${name.replaceAll('"', '""')}"`
}

/** A text as SQL reads it: `it's` becomes `'it''s'`. */
export function quoteText(text: string): string {
  if (text.includes('\0')) throw new RlviError('text', 'SQL has no texts with a zero byte', text)
  return `'${text.replaceAll("'", "''")}'`
}

/** A path as DuckDB's readers take it: they would read `[1]`, `*` and `?` in a file's name as patterns. */
export function quotePath(path: string): string {
  return quoteText(path.replaceAll(/[*?[]/g, (sign) => `[${sign}]`))
}

/** DuckDB. */
export const duckdbSql: Dialect = {
  name: quoteName,
  text: quoteText,
  double: (sql) => `(${sql})::double`,
  greatest: (a, b) => `greatest(${a}, ${b})`,
  least: (a, b) => `least(${a}, ${b})`,
  ln: (sql) => `ln(${sql})`,
  log2: (sql) => `log2(${sql})`,
  logSumExp(values) {
    const most = `greatest(${values.join(', ')})`
    return `(${most} + ln(${sum(values.map((value) => `exp(${value} - ${most})`))}))`
  },
  bindAll: (values, body) => ({ lets: values, sql: body }),
  sumOfSquares: (values) => sum(values.map((value) => `${value} * ${value}`)),
  whole: (sql) => `(${sql})::integer`,
  isNaN: (sql) => `isnan(${sql})`,

  bind: (value, _name, body) => body(`(${value})`),
  entry: (list, place) =>
    `coalesce(list_extract([${[0, ...list].map(number).join(', ')}], (${place})::integer + 2), ${number(0)})`,

  // It takes the first value with at least that share of all up to it.
  ordered: (sql, place, rows) => `quantile_disc(${sql}, ${number((place + 0.5) / rows)})`,

  select(scan) {
    const { from, where, lets, items, having } = scan
    const named = lets.map(([name, sql]) => `${sql} as ${name}`)
    const inner = `select ${named.length === 0 ? '0' : named.join(', ')} from ${from} where ${where}`
    return `select ${items.join(', ')} from (${inner})${having === undefined ? '' : ` where ${having}`}${tailOf(scan)}`
  },

  powers(value, count) {
    const sums = powersOf(value, count).map((power) => `sum(${power})`)
    return `[${sums.join(', ')}]`
  },
  sums: (weight, columns) => `[${columns.map((column) => `sum(${weight} * ${column})`).join(', ')}]`,

  products(weight, columns, [from, to], prefix) {
    const w = `${prefix}w`
    return {
      lets: [[w, weight]],
      items: columns.slice(from, to).map((column, j) => {
        const sums = columns.slice(from + j).map((other) => `sum(${w} * ${column} * ${other})`)
        return `[${sums.join(', ')}]`
      }),
    }
  },
}
