import { phrase, RlviError, show } from 'rlvi'
import { clickhouse } from '../sql/clickhouse.js'
import { textSql } from './cells.js'
import type { ClickhouseTable } from './table.js'

/** With more different texts than this a column is not looked up text by text: they all stand in a query. */
const MOST_TEXTS = 2000

/** What all rows of a table say of a column of texts. */
export interface ColumnTexts {
  /** Sorted; left out where there are too many. */
  readonly values?: readonly string[]
  readonly counts?: readonly number[]
  /** The same of rows that miss nothing. */
  readonly complete?: readonly number[]
  /** Rows with a value, and how many different ones they have. */
  readonly there: number
  readonly different: number
}

/** The different texts of a column, counted by the database. */
export async function textsIn({ server, from }: ClickhouseTable, name: string): Promise<ColumnTexts> {
  const text = textSql(name)
  const where = `isNotNull(${clickhouse.name(name)})`
  const found = await server.ask(
    `SELECT hex(${text}), count() FROM ${from} WHERE ${where} GROUP BY ${text} LIMIT ${MOST_TEXTS + 1}`,
  )
  if (found.length > MOST_TEXTS) {
    const [[there = 0, different = 0] = []] = await server.ask(
      `SELECT count(), uniqExact(${text}) FROM ${from} WHERE ${where}`,
    )
    return { there: Number(there), different: Number(different) }
  }
  const sorted = found
    .map(([bytes, count]) => [textOf(name, String(bytes)), Number(count)] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return {
    values: sorted.map(([value]) => value),
    counts: sorted.map(([, count]) => count),
    there: sorted.reduce((sum, [, count]) => sum + count, 0),
    different: sorted.length,
  }
}

/** With how often each comes in rows that miss nothing. */
export async function withComplete(
  { server, from }: ClickhouseTable,
  name: string,
  found: ColumnTexts,
  complete: string,
): Promise<ColumnTexts> {
  const { values } = found
  if (values === undefined) return found
  const text = textSql(name)
  const where = `isNotNull(${clickhouse.name(name)}) AND ${complete}`
  const rows = await server.ask(`SELECT hex(${text}), count() FROM ${from} WHERE ${where} GROUP BY ${text}`)
  const counts = new Map(rows.map(([bytes, count]) => [textOf(name, String(bytes)), Number(count)]))
  return { ...found, complete: values.map((value) => counts.get(value) ?? 0) }
}

/** Texts go there and back: what is none in UTF-8 would come back as another one. */
function textOf(name: string, hex: string): string {
  try {
    return utf8.decode(Buffer.from(hex, 'hex'))
  } catch {
    const todo = 'let a query make texts of them, or leave the column out'
    throw new RlviError(`column ${show(name)}`, 'texts in UTF-8 are needed', phrase(`bytes ${hex}`), todo)
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
