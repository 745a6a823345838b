import { type CellRules, cells, type Filled, type Source } from '@rlvi/estimator'
import { choose, number } from '../sql/dialect.js'
import type { SqlPassRows } from '../sql/pass-rows.js'
import { doubleSql, hasNumber, hasText } from './cells.js'
import { checkFinite, openRows } from './open-rows.js'
import { sampleOf } from './sample.js'
import type { ClickhouseTable } from './table.js'
import { type ColumnTexts, textsIn, withComplete } from './texts.js'

/** Which columns a fit asks for, by name, and how their values are written. */
export interface ClickhouseWanted extends CellRules {
  readonly features: readonly string[]
  readonly target?: string | undefined
}

/** Columns of a table by what they hold. */
export interface Contents {
  readonly table: ClickhouseTable
  /** Rows of the table. */
  readonly rows: number
  readonly numeric: ReadonlySet<string>
  /** Of the others. */
  readonly texts: ReadonlyMap<string, ColumnTexts>
  /** Which rows miss nothing, by SQL; columns that have nothing at all, and those that are ignored, do not count. */
  readonly complete: string
  /** Where columns have values. */
  readonly filled: Filled
}

/** A table of a ClickHouse server as `fitDatabase` asks for it. */
export interface ClickhouseSource extends Source<SqlPassRows> {
  readonly contents: Contents
  /** The hashes of the rows, where all of them came. */
  readonly hashes: readonly string[]
}

/** Some thousands of rows come here, of all others nothing but sums. */
export async function clickhouseSource(
  table: ClickhouseTable,
  wanted: ClickhouseWanted,
  ignored: readonly string[] = [],
): Promise<ClickhouseSource> {
  const { features, target, ...rules } = wanted
  const names = target === undefined ? [...features] : [...features, target]
  const kindOf = new Map(table.columns.map(({ name, kind }) => [name, kind]))
  const numeric = new Set(names.filter((name) => kindOf.get(name) === 'number'))
  const how = cells(rules)
  const numbers = [...numeric].map((name) => hasNumber(name, how))
  const there = numbers.map((sql) => `sum(${choose(sql, number(1), number(0))})`)
  // What is infinite would come here as nothing.
  const infinite = [...numeric].map((name, k) => {
    const condition = `${numbers[k]} AND isInfinite(${doubleSql(name)})`
    return `sum(${choose(condition, number(1), number(0))})`
  })
  const [[rows = 0, ...counts] = []] = await table.server.ask(
    `SELECT ${['count()', ...there, ...infinite].join(', ')} FROM ${table.from}`,
  )
  checkFinite([...numeric], counts.slice(there.length).map(Number))
  const texts = new Map<string, ColumnTexts>()
  for (const name of names) if (!numeric.has(name)) texts.set(name, await textsIn(table, name))
  const conditions = new Map<string, string>()
  for (const [k, name] of [...numeric].entries()) if (Number(counts[k]) > 0) conditions.set(name, numbers[k]!)
  for (const [name, { values = [], there }] of texts) {
    const gone = values.filter((text) => how.missing.isText(text))
    if (there > 0 && (gone.length === 0 || gone.length < values.length))
      conditions.set(name, hasText(name, gone))
  }
  const counting = [...conditions].flatMap(([name, sql]) => (ignored.includes(name) ? [] : `(${sql})`))
  const complete = counting.join(' AND ') || '1'
  for (const [name, found] of texts) texts.set(name, await withComplete(table, name, found, complete))
  const filled = await filledIn(table, names, conditions, target)
  const contents: Contents = { table, rows: Number(rows), numeric, texts, complete, filled }
  const { columns, even, whole, hashes } = await sampleOf(contents, names, target, how)
  const known = [...texts].flatMap(([name, { values }]) =>
    values === undefined ? [] : [[name, values] as const],
  )
  return {
    contents,
    hashes,
    sample: columns,
    places: Float64Array.from({ length: rowsIn(columns) }, () => -1),
    even,
    whole,
    texts: new Map(known),
    dates: new Set(names.filter((name) => isDate(table, name) && texts.get(name)?.values === undefined)),
    isDatabase: true,
    ignored,
    ignoring: (columns) => clickhouseSource(table, wanted, columns),
    open: (plan) => openRows(contents, plan, how),
  }
}

/** Of rows that have the target, or anything where there is none: how many have a value in each column. */
async function filledIn(
  { server, from }: ClickhouseTable,
  names: readonly string[],
  conditions: ReadonlyMap<string, string>,
  target: string | undefined,
): Promise<Filled> {
  const any = [...conditions.values()].map((sql) => `(${sql})`).join(' OR ')
  const counts = (target === undefined ? any : conditions.get(target)) || '0'
  const own = names.map((name) => conditions.get(name) ?? '0')
  const asked = ['1', ...own].map((sql) => `sum(${choose(sql, number(1), number(0))})`)
  // Said once: beside each column, a condition on all of them would make a query of their square.
  const [[rows = 0, ...there] = []] = await server.ask(
    `SELECT ${asked.join(', ')} FROM ${from} WHERE ${counts}`,
  )
  return { rows: Number(rows), columns: new Map(names.map((name, k) => [name, Number(there[k])])) }
}

/** Days and seconds since 1970, which all versions take for numbers. */
function isDate({ columns }: ClickhouseTable, name: string): boolean {
  const type = columns.find((column) => column.name === name)?.type ?? ''
  return /^(LowCardinality\()?(Nullable\()?Date(Time(\('[^']*'\))?)?\)*$/.test(type)
}

function rowsIn(columns: Awaited<ReturnType<typeof sampleOf>>['columns']): number {
  const [first] = columns.values()
  return first === undefined ? 0 : 'codes' in first ? first.codes.length : first.length
}
