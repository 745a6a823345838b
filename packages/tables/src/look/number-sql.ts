import { type Cells, thousandsSigns } from '@rlvi/estimator'
import { numberSql } from '../numeric.js'
import { quoteText } from '../sql/duckdb.js'
import type { Column } from '../table.js'

/** Blanks as RE2, which the database has, does not know them all. */
const blank = '[\\s\\x{00a0}\\x{202f}\\x{2009}]'

/** A column as doubles, by the rules that a user gave for groups of digits and units too; null for a text that is none. */
export function ruledNumberSql(alias: string, column: Column, how: Cells): string {
  const { thousands, units = [] } = how.rules
  if (column.kind === 'number' || (thousands === undefined && units.length === 0))
    return numberSql(alias, column, how)
  let text = `${alias}::varchar`
  if (units.length > 0) {
    const any = units.map(escaped).join('|')
    const before = `^${blank}*([+-]?)${blank}*(?:${any})${blank}*([+-]?[\\d.,])`
    const behind = `(\\d[.,]?)${blank}*(?:${any})${blank}*$`
    text = replaced(replaced(text, before, '\\1\\2'), behind, '\\1')
  }
  if (thousands !== undefined) {
    const sign = `[${escaped(thousandsSigns[thousands])}]`
    const grouped = `${blank}*[+-]?\\d{1,3}(?:${sign}\\d{2,3})*${sign}\\d{3}(?:${escaped(how.decimal)}\\d*)?${blank}*`
    const other = thousands === '.' ? `case when contains(${text}, '.') then null else ${text} end` : text
    text = `case when regexp_full_match(${text}, ${quoteText(grouped)}) then ${replaced(text, sign, '', 'g')} else ${other} end`
  }
  return numberSql(`(${text})`, column, how)
}

/** A time without a date, `1:02:03`, as hours; null for other texts. */
export function hoursSql(alias: string): string {
  const text = `trim(${alias}::varchar)`
  const is = `regexp_full_match(${text}, '\\d{1,3}:[0-5]\\d(?::[0-5]\\d(?:[.,]\\d+)?)?')`
  const part = (k: number): string => `replace(split_part(${text}, ':', ${k}), ',', '.')`
  const seconds = `coalesce(try_cast(${part(3)} as double), 0)`
  return `case when ${is} then ${part(1)}::double + ${part(2)}::double / 60 + ${seconds} / 3600 end`
}

/** Minutes and seconds, `1:25.273`, as minutes; null for other texts. */
export function minutesSql(alias: string): string {
  const text = `trim(${alias}::varchar)`
  const is = `regexp_full_match(${text}, '(?:\\d{1,3}:[0-5]\\d|\\d{1,4}):[0-5]\\d(?:[.,]\\d+)?')`
  const part = (k: number): string => `replace(split_part(${text}, ':', ${k}), ',', '.')::double`
  const short = `${part(1)} + ${part(2)} / 60`
  const long = `60 * ${part(1)} + ${part(2)} + ${part(3)} / 60`
  return `case when not ${is} then null when split_part(${text}, ':', 3) = '' then ${short} else ${long} end`
}

function replaced(text: string, pattern: string, by: string, options = ''): string {
  return `regexp_replace(${text}, ${quoteText(pattern)}, ${quoteText(by)}, '${options}')`
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
