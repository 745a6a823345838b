import { fromDuckDB } from './errors.js'
import type { Table } from './table.js'

/** How many rows a table has, by a scan that looks at nothing else. */
export async function countRows({ connection, parts }: Table): Promise<number> {
  let rows = 0
  for (const { from, path } of parts) {
    try {
      const [[count] = []] = (await connection.runAndReadAll(`select count(*) from ${from}`)).getRows()
      rows += Number(count)
    } catch (error) {
      throw fromDuckDB(path, error, 'could not be read')
    }
  }
  return rows
}
