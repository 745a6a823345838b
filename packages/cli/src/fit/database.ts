import type { Column, TableFit } from '@rlvi/estimator'
import { checkNoTable, fitClickhouse, isClickhouse, withClickhouse, withoutPassword } from '@rlvi/tables'
import { chosenColumns, likeCodes } from '../table/columns.js'
import { showing } from '../table/fit-progress.js'
import { databaseWords } from '../table/flag-words.js'
import type { Show } from '../terminal/busy.js'
import { checkOutputs } from '../terminal/outputs.js'
import { UsageError } from '../terminal/usage.js'
import type { FitOptions } from './options.js'

const form = 'clickhouse://user@host:8123/database'

/** The address of a ClickHouse server, where the command line has one in place of files. */
export function databaseAddress(files: readonly string[], options: FitOptions): string | undefined {
  const { engine } = options
  const found = files.find(isClickhouse)
  if (found !== undefined && engine === 'duckdb')
    throw new UsageError('--engine', 'an address of ClickHouse is read by clickhouse', engine, 'leave it out')
  const address = found ?? (engine === 'clickhouse' ? fromWeb(files[0]!) : undefined)
  if (address === undefined) {
    if (options.rowsTable === undefined) return undefined
    throw new UsageError('--rows-table', 'is for a table of ClickHouse', options.rowsTable, 'use --rows FILE')
  }
  if (files.length > 1)
    throw new UsageError(
      'rlvi fit',
      'one table of a database is fitted',
      files.map(withoutPassword),
      'give one address',
    )
  checkDatabaseOptions(options)
  return address
}

/** The server's own address, as a browser has it. */
function fromWeb(file: string): string {
  if (/^https?:\/\//i.test(file))
    return file.replace(/^http(s?):/i, (_, secure) => `clickhouse${secure && '+https'}:`)
  throw new UsageError('--engine', `clickhouse needs an address like ${form}`, file)
}

/** Flags that speak of files, and what to do in place of them. */
const forFiles: Readonly<Partial<Record<keyof FitOptions, readonly [flag: string, todo: string]>>> = {
  rows: ['--rows', 'use --rows-table NAME, which writes them to a table there'],
  good: ['--good', 'use --rows-table NAME, and select from it WHERE flagged = 0'],
  flagged: ['--flagged', 'use --rows-table NAME, and select from it WHERE flagged = 1'],
  keep: ['--keep', '--rows-table NAME has all columns'],
  report: ['--report', 'write some of the rows to a file, and report that'],
  memory: ['--memory', 'leave it out'],
  spreadsheetSafe: ['--spreadsheet-safe', 'leave it out'],
  delimiter: ['--delimiter', 'leave it out'],
  encoding: ['--encoding', 'leave it out'],
  skip: ['--skip', 'leave it out'],
  header: ['--header', 'leave it out'],
}

function checkDatabaseOptions(options: FitOptions): void {
  for (const [key, [flag, todo]] of Object.entries(forFiles)) {
    const given = options[key as keyof FitOptions]
    if (given !== undefined && given !== false)
      throw new UsageError(flag, 'is for files, and these rows stay in their database', given, todo)
  }
}

/** A fit of a table of a ClickHouse server, where it is; its rows are written there too, where they were asked for. */
export async function fitInDatabase(
  address: string,
  options: FitOptions,
  show: Show | undefined,
): Promise<TableFit> {
  const { rowsTable, save, table: chosenTable } = options
  checkOutputs([], { '--save': save })
  return await withClickhouse(address, chosenTable, async (table) => {
    const words = databaseWords(table.path)
    if (rowsTable !== undefined) await checkNoTable(table, rowsTable)
    const chosen = chosenColumns(table, options, words)
    const { names, target, features, categories, numbers } = chosen
    show?.('looking at the columns')
    const exclude = table.columns.map(({ name }) => name).filter((name) => ![...names, target].includes(name))
    const how = { ...options, features, exclude, categories, numbers, ...showing(show) }
    const fit = await fitClickhouse(table, how, words)
    const remarks = [...chosen.remarks, ...likeCodes(table, asNumbers(fit), chosen), ...fit.remarks]
    if (rowsTable !== undefined) {
      show?.(`writing ${fit.inputRows} rows`)
      await fit.writeRows(rowsTable)
      remarks.push(`rows: written to the table ${JSON.stringify(rowsTable)} of ${table.path}`)
    }
    return { ...fit, remarks }
  })
}

/** The columns that became numbers. */
function asNumbers({ model }: TableFit): Map<string, Column> {
  const found = model.features.filter(({ kind, date }) => kind === 'number' && date === undefined)
  return new Map(found.map(({ name }) => [name, new Float64Array(0)]))
}
