import type { DuckDBConnection } from '@duckdb/node-api'
import { RlviError, show } from 'rlvi'
import { quoteName } from '../sql.js'
import type { Source } from './source.js'
import { typedSource } from './typed.js'

/** A table of a DuckDB file, or a query. */
export async function databaseSource(
  connection: DuckDBConnection,
  path: string,
  table: string | undefined,
): Promise<Source> {
  const listed = await connection.runAndReadAll(
    'select table_name from information_schema.tables order by table_name',
  )
  const names = listed.getRows().map((row) => String(row[0]))
  if (table !== undefined)
    return await typedSource(connection, names.includes(table) ? quoteName(table) : `(${table}\n)`)
  if (names.length === 1) return await typedSource(connection, quoteName(names[0]!))
  const todo = `choose \`table\`, one of: ${names.map(show).join(', ')}`
  throw new RlviError(path, 'one table is needed', names.length, todo)
}
