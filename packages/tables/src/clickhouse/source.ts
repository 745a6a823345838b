import { type CellRules, cells, type Source } from '@rlvi/estimator'
import type { SqlPassRows } from '../sql/pass-rows.js'
import { openRows } from './open-rows.js'
import { sampleOf } from './sample.js'
import type { ClickhouseTable } from './table.js'
import { type ColumnTexts, textsIn } from './texts.js'

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
}

/** A table of a ClickHouse server as `fitDatabase` asks for it. */
export interface ClickhouseSource extends Source<SqlPassRows> {
  readonly contents: Contents
}

/** Some thousands of rows come here, of all others nothing but sums. */
export async function clickhouseSource(
  table: ClickhouseTable,
  { features, target, ...rules }: ClickhouseWanted,
): Promise<ClickhouseSource> {
  const names = target === undefined ? [...features] : [...features, target]
  const kindOf = new Map(table.columns.map(({ name, kind }) => [name, kind]))
  const numeric = new Set(names.filter((name) => kindOf.get(name) === 'number'))
  const [[count = 0] = []] = await table.server.ask(`SELECT count() FROM ${table.from}`)
  const texts = new Map<string, ColumnTexts>()
  for (const name of names) if (!numeric.has(name)) texts.set(name, await textsIn(table, name))
  const contents: Contents = { table, rows: Number(count), numeric, texts }
  const how = cells(rules)
  const { columns, even, whole } = await sampleOf(contents, names, target, how)
  const known = [...texts].flatMap(([name, { values }]) =>
    values === undefined ? [] : [[name, values] as const],
  )
  return {
    contents,
    sample: columns,
    places: Float64Array.from({ length: rowsIn(columns) }, () => -1),
    even,
    whole,
    texts: new Map(known),
    dates: new Set(names.filter((name) => isDate(table, name) && texts.get(name)?.values === undefined)),
    isDatabase: true,
    open: (plan) => openRows(contents, plan, how),
  }
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
