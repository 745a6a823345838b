import type { DuckDBConnection } from '@duckdb/node-api'
import { phrase, RlviError, showList } from 'rlvi'
import { duckdb } from '../duckdb.js'
import { fromDuckDB } from '../errors.js'
import { quoteName } from '../sql/duckdb.js'
import { settled } from './settled.js'
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
  if (table !== undefined) {
    const from = names.includes(table) ? quoteName(table) : await query(connection, path, table)
    return await typedSource(connection, await settled(connection, from))
  }
  if (names.length === 1)
    return await typedSource(connection, await settled(connection, quoteName(names[0]!)))
  const todo = `choose \`table\`, one of: ${showList(names)}`
  throw new RlviError(path, 'one table is needed', names.length, todo)
}

/**
 * A query to stand behind FROM. By itself it must be one statement, and one that only reads: what is put between parentheses
 * unseen could close them, and go on with anything.
 */
async function query(connection: DuckDBConnection, path: string, text: string): Promise<string> {
  const rule = 'a table of the file, or one query that reads, is needed as `table`'
  const found = await connection.extractStatements(text).catch((error: unknown) => {
    throw fromDuckDB(path, error, rule)
  })
  if (found.count !== 1) throw new RlviError(path, rule, phrase(`${found.count} statements`))
  const { statementType } = await found.prepare(0)
  if (statementType !== duckdb.StatementType.SELECT)
    throw new RlviError(path, rule, phrase(`a statement ${duckdb.StatementType[statementType]}`))
  return `(${text.replace(/;\s*$/, '')}\n)`
}
