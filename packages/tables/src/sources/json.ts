import type { DuckDBConnection } from '@duckdb/node-api'
import { phrase, RlviError } from 'rlvi'
import { quotePath, quoteText } from '../sql/duckdb.js'
import type { Column } from '../table.js'
import type { Source } from './source.js'
import { aliased, describe } from './typed.js'

/**
 * A JSON file as a table of texts, but for true and false. DuckDB would take texts for dates, and write them in its own
 * way; what a column holds is found out from all rows.
 */
export async function jsonSource(connection: DuckDBConnection, file: string, path: string): Promise<Source> {
  const reader = `read_json(${quotePath(file)}, hive_partitioning = false`
  const guessed = await describe(connection, `${reader}, sample_size = -1)`)
  if (guessed.every(({ type }) => /^(?:STRUCT|MAP)/.test(type))) {
    const todo = "in pandas: df.to_json(FILE, orient='records')"
    throw new RlviError(path, 'an object for each row is needed', phrase('one for each column'), todo)
  }
  const columns = guessed.map((column): Column => {
    const isKept = column.kind === 'other' && !/^(?:JSON|TIME)\b/.test(column.type)
    return isKept || column.kind === 'boolean' ? column : { name: column.name, type: 'VARCHAR', kind: 'text' }
  })
  const types = columns.map(({ name, type }) => `${quoteText(name)}: ${quoteText(type)}`).join(', ')
  const from = aliased(`${reader}, columns = {${types}})`, columns)
  return { from, columns, remarks: [] }
}
