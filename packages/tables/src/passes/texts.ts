import { columnIn, textSql } from '../numeric.js'
import { quoteText } from '../sql/duckdb.js'
import type { Part, Table } from '../table.js'

/** With more different texts than this a column is not looked up by codes. */
const MOST_TEXTS = 10_000

/** What all rows of a table say of a column of texts. */
export interface ColumnTexts {
  /** Sorted; left out where there are too many. */
  readonly values?: readonly string[]
  /** What each is called, where that is another text: of numbers that are categories. */
  readonly names?: readonly string[]
  readonly counts?: readonly number[]
  /** Rows with a value, and how many different ones they have. */
  readonly there: number
  readonly different: number
}

/** The different texts of a column, counted by the database. */
export async function textsIn(table: Table, name: string): Promise<ColumnTexts> {
  const counts = new Map<string, number>()
  for (const part of table.parts) {
    const sql = `select ${textSql(part, name)} as text, count(*) from ${part.from} where ${columnIn(part, name).alias} is not null group by text limit ${MOST_TEXTS + 1}`
    for (const [text, count] of (await table.connection.runAndReadAll(sql)).getRows())
      counts.set(String(text), (counts.get(String(text)) ?? 0) + Number(count))
    if (counts.size > MOST_TEXTS) return await many(table, name)
  }
  const values = [...counts.keys()].sort(byCodeUnits)
  const each = values.map((value) => counts.get(value)!)
  return {
    values,
    counts: each,
    there: each.reduce((sum, count) => sum + count, 0),
    different: values.length,
  }
}

async function many(table: Table, name: string): Promise<ColumnTexts> {
  const all = table.parts
    .map((part) => `select ${textSql(part, name)} as text from ${part.from}`)
    .join(' union all ')
  const sql = `select count(text), count(distinct text) from (${all})`
  const [[there, different] = []] = (await table.connection.runAndReadAll(sql)).getRows()
  return { there: Number(there), different: Number(different) }
}

/** The code of each row's text, NaN where there is none. */
export function codesSql(part: Part, name: string, values: readonly string[]): string {
  if (values.length === 0) return "'nan'::double"
  if (values.some((value) => value.includes('\0'))) return codesByPlace(textSql(part, name), values)
  const known = `enum(${values.map(quoteText).join(', ')})`
  return `coalesce(enum_code(try_cast(${textSql(part, name)} as ${known}))::double, 'nan'::double)`
}

/** No literal has a zero byte, and a type is made of literals: such texts are looked for one by one. */
function codesByPlace(text: string, values: readonly string[]): string {
  const known = values.map((value) => value.split('\0').map(quoteText).join(' || chr(0) || '))
  return `case when ${text} is null then 'nan'::double else (list_position([${known.join(', ')}], ${text}) - 1)::double end`
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
