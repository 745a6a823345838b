import type { DuckDBConnection } from '@duckdb/node-api'

/** Steps of a plan after which rows come in the order in which they lie in their table. */
const IN_ORDER = new Set([
  'PROJECTION',
  'FILTER',
  'SEQ_SCAN',
  'UNION',
  'STREAMING_LIMIT',
  'COLUMN_DATA_SCAN',
  'EMPTY_RESULT',
])
/** What gives other rows, or other values, every time, wherever it stands. */
const CHANCE = /\b(?:random|uuid\w*|gen_random_uuid|nextval)\s*\(|\bsample\b/i

/** Where the rows of a query are put that would come in another order every time. */
const HELD = 'temp.rlvi_rows'

interface Step {
  readonly name: string
  readonly children?: readonly Step[]
}

/**
 * What stands behind FROM, such that every scan has the same rows in the same order: all that says which row is which goes by
 * places, and a table is scanned several times. After a join, a grouping or a sort DuckDB promises no order; the rows of such a
 * query are put aside once.
 */
export async function settled(connection: DuckDBConnection, from: string): Promise<string> {
  const views = await connection.runAndReadAll('select sql from duckdb_views() where not internal')
  const words = [from, ...views.getRows().flat()].join(' ')
  const explained = await connection.runAndReadAll(`explain (format json) select * from ${from}`)
  const plan = String(explained.getRows()[0]?.[1])
  const names = (JSON.parse(plan) as Step[]).flatMap(namesOf)
  if (names.every((name) => IN_ORDER.has(name)) && !CHANCE.test(words)) return from
  await connection.run(`create or replace temp table ${HELD} as select * from ${from}`)
  return HELD
}

function namesOf({ name, children = [] }: Step): string[] {
  return [name.trim(), ...children.flatMap(namesOf)]
}
