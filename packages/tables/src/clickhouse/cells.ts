import type { Cells } from '@rlvi/estimator'
import { clickhouse } from '../sql/clickhouse.js'
import { number } from '../sql/dialect.js'

/** A column as doubles, whatever stands where there is none. */
export function doubleSql(name: string): string {
  return `assumeNotNull(toFloat64(${clickhouse.name(name)}))`
}

/** A column as texts, whatever stands where there is none. */
export function textSql(name: string): string {
  return `assumeNotNull(toString(${clickhouse.name(name)}))`
}

/** Whether a row has a number. */
export function hasNumber(name: string, { missing }: Cells): string {
  const value = doubleSql(name)
  const gaps = missing.numbers.map((gap) =>
    Number.isFinite(gap)
      ? `${value} != ${number(gap)}`
      : `NOT (isInfinite(${value}) AND ${value} ${gap > 0 ? '>' : '<'} ${number(0)})`,
  )
  return [`isNotNull(${clickhouse.name(name)})`, `NOT isNaN(${value})`, ...gaps].join(' AND ')
}

/** Days since 1970 of a date, with the time of the day by the clock that its text shows. */
export function daysSql(name: string): string {
  const date = `assumeNotNull(${clickhouse.name(name)})`
  const day = `toFloat64(toUInt16(toDate(${date})))`
  const seconds = `toFloat64(toUnixTimestamp(toDateTime(${date})) - toUnixTimestamp(toStartOfDay(toDateTime(${date}))))`
  return `(${day} + ${seconds} / ${number(86_400)})`
}

/** Whether a row has a text that is none of those that say that there is none. */
export function hasText(name: string, gaps: readonly string[]): string {
  const there = `isNotNull(${clickhouse.name(name)})`
  if (gaps.length === 0) return there
  return `${there} AND ${textSql(name)} NOT IN (${gaps.map(clickhouse.text).join(', ')})`
}

/** The number that stands for each text; for any other one, NaN. */
export function numberOfText(name: string, texts: readonly string[], numbers: readonly number[]): string {
  // One list of texts for each number: indicators have one text, dates a number each.
  const known = texts.flatMap((text, k) =>
    Number.isNaN(numbers[k]!) || numbers[k] === 0 ? [] : [[text, numbers[k]!] as const],
  )
  const text = textSql(name)
  if (known.length === 0) return `${number(0)} * length(${text})`
  if (known.length === 1 && known[0]![1] === 1) return `toFloat64(${text} = ${clickhouse.text(known[0]![0])})`
  const from = known.map(([value]) => clickhouse.text(value)).join(', ')
  const to = known.map(([, value]) => number(value).replaceAll(/[()]/g, '')).join(', ')
  return `transform(${text}, [${from}], [${to}], ${number(0)})`
}
