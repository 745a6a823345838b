import type { DuckDBConnection } from '@duckdb/node-api'
import { delimiterOf, fields, namesOf, splitter } from '@rlvi/io'
import { phrase, RlviError, showList } from 'rlvi'
import { quotePath, quoteText } from '../sql.js'
import type { Column } from '../table.js'
import { isHeader } from './header.js'
import type { Source, TextOptions } from './source.js'

const LINES_TO_LOOK_AT = 100

/**
 * A CSV file as a table of texts. Nothing is left to be guessed from the first rows: delimiter, quotes and names are said,
 * and what a column holds is found out from all of them.
 */
export async function csvSource(
  connection: DuckDBConnection,
  file: string,
  path: string,
  options: TextOptions,
): Promise<Source> {
  const lines = await firstLines(connection, file)
  const delimiter = options.delimiter ?? delimiterOf(lines)
  const [first, second] = records(lines, delimiter)
  if (first === undefined) throw new RlviError(path, 'a header and rows are needed', phrase('blank lines'))
  const hasHeader = options.header ?? isHeader(first)
  // R's write.table gives row names, but no name to their column.
  const unnamed = hasHeader && second !== undefined && second.length === first.length + 1
  const cells = hasHeader ? (unnamed ? ['', ...first] : first) : first.map(() => '')
  const { names, renamed, index } = namesOf(cells)
  const remarks: string[] = []
  if (options.header === undefined && !hasHeader)
    remarks.push(`${path}: the first line holds values, no names: columns are called ${some(names)}`)
  if (renamed.length > 0) remarks.push(`${path}: columns of the same name are called ${showList(renamed)}`)
  const asText = quotedColumns(lines, delimiter, names.length)
  const columns = names.map((name, j): Column => {
    const isIndex = hasHeader && name === index
    return {
      name,
      type: 'VARCHAR',
      kind: 'text',
      ...(asText[j] ? { asText: true } : {}),
      ...(isIndex ? { isIndex } : {}),
    }
  })
  const types = columns.map((_, j) => `'c${j}': 'VARCHAR'`).join(', ')
  const from = `read_csv(${quotePath(file)}, ${strictly(delimiter)}, header = ${hasHeader}, columns = {${types}})`
  return { from, columns, remarks }
}

function strictly(delimiter: string): string {
  const dialect = `delim = ${quoteText(delimiter)}, quote = '"', escape = '"', comment = ''`
  return `auto_detect = false, hive_partitioning = false, skip = 0, ${dialect}`
}

/** Through DuckDB, which also knows compressed files. */
async function firstLines(connection: DuckDBConnection, file: string): Promise<string[]> {
  const whole =
    "auto_detect = false, strict_mode = false, delim = '\x1f', quote = '', escape = '', comment = ''"
  const from = `read_csv(${quotePath(file)}, ${whole}, header = false, columns = {'line': 'VARCHAR'})`
  const found = await connection.runAndReadAll(`select line from ${from} limit ${LINES_TO_LOOK_AT}`)
  return found.getRows().map(([line]) => (line === null ? '' : String(line)))
}

/** The columns whose first values are all in quotes, where those of others are not: so R writes texts and factors. */
function quotedColumns(lines: readonly string[], delimiter: string, width: number): boolean[] {
  // Values with quotes or delimiters in them are of no use here, and their lines are left out.
  const rows = lines.slice(1).map((line) => line.split(delimiter))
  const whole = rows.filter((row) => row.length === width)
  const isQuoted = (cell: string): boolean => /^"[^"]*"$/.test(cell.trim())
  const quoted = Array.from({ length: width }, (_, j) => {
    const there = whole.map((row) => row[j]!).filter((cell) => cell !== '' && cell !== 'NA')
    return there.length > 0 && there.every(isQuoted)
  })
  return quoted.every(Boolean) ? quoted.map(() => false) : quoted
}

/** The first records, which may be longer than a line. */
function records(lines: readonly string[], delimiter: string): string[][] {
  const found: string[][] = []
  const split = splitter({ bytes: 0, lines: 0, crc: 0 }, delimiter)
  split.take(Buffer.from(`${lines.join('\n')}\n`), (text) => {
    if (found.length < 2) found.push(fields(text, delimiter))
  })
  return found
}

function some(names: readonly string[]): string {
  return names.length < 3 ? names.join(' and ') : `${names[0]} to ${names.at(-1)}`
}
