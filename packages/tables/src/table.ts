import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, resolve } from 'node:path'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { systemError } from '@rlvi/io'
import { phrase, RlviError } from 'rlvi'
import { checkCsv } from './csv-lines.js'
import { duckdb } from './duckdb.js'
import { fromDuckDB, LateTypeError } from './errors.js'
import { quoteName, quotePath } from './sql.js'

/** `other`: dates, lists, structures. */
export type Kind = 'number' | 'text' | 'boolean' | 'other'

/** A column of a file, as it is before anything is read. */
export interface Column {
  readonly name: string
  /** The type as DuckDB calls it. */
  readonly type: string
  readonly kind: Kind
}

/** A file, opened: its columns are known, its rows are still where they are. */
export interface Table {
  readonly path: string
  readonly columns: readonly Column[]
  readonly connection: DuckDBConnection
  /** What stands behind FROM: column number j is called `c<j>` there, whatever its real name is. */
  readonly from: string
}

/** How to open a file. */
export interface OpenOptions {
  /** For a DuckDB file: the name of a table, or a query. */
  readonly table?: string | undefined
}

/**
 * Opens a file, lets `use` work with it and closes it. Where a CSV file turns out to hold text below the rows from
 * which the types were guessed, `use` is called once more, with types that hold for every row.
 */
export async function withTable<T>(
  path: string,
  options: OpenOptions,
  use: (table: Table) => Promise<T>,
): Promise<T> {
  try {
    return await once(path, options, false, use)
  } catch (error) {
    if (!(error instanceof LateTypeError)) throw error
    try {
      return await once(path, options, true, use)
    } catch (again) {
      throw again instanceof LateTypeError ? again.asBadInput(path) : again
    }
  }
}

async function once<T>(
  path: string,
  options: OpenOptions,
  everyRow: boolean,
  use: (table: Table) => Promise<T>,
): Promise<T> {
  await checkFile(path)
  const isDatabase = ['.duckdb', '.db'].includes(extname(path).toLowerCase())
  if (options.table !== undefined && !isDatabase) {
    const rule = 'only a DuckDB file (.duckdb, .db) has tables to choose from'
    throw new RlviError('table', rule, options.table, 'leave `table` out')
  }
  let instance: DuckDBInstance | undefined
  let connection: DuckDBConnection | undefined
  try {
    let table: Table
    try {
      instance = await connect(path, isDatabase)
      connection = await instance.connect()
      const source = isDatabase
        ? await tableOf(connection, path, options.table)
        : await reader(path, everyRow)
      const { columns, aliases } = await describe(connection, source)
      table = { path, columns, connection, from: `${source} as t(${aliases})` }
    } catch (error) {
      throw fromDuckDB(path, error, 'could not be read')
    }
    return await use(table)
  } finally {
    // An open connection would keep the database, and what it holds in memory, until it is collected.
    connection?.closeSync()
    instance?.closeSync()
  }
}

async function connect(path: string, isDatabase: boolean): Promise<DuckDBInstance> {
  const settings = { autoinstall_known_extensions: 'false', temp_directory: tmpdir() }
  if (!isDatabase) return await duckdb.DuckDBInstance.create(':memory:', settings)
  return await duckdb.DuckDBInstance.create(resolve(path), { ...settings, access_mode: 'READ_ONLY' })
}

async function checkFile(path: string): Promise<void> {
  try {
    const found = await stat(path)
    if (!found.isFile())
      throw new RlviError(path, 'a file is needed', found.isDirectory() ? 'a folder' : 'a device')
    if (found.size === 0) {
      throw new RlviError(path, 'a header and rows are needed', 'an empty file', 'was it written completely?')
    }
  } catch (error) {
    if (error instanceof RlviError) throw error
    throw new RlviError(
      path,
      'a file that can be read is needed',
      phrase(systemError(error)),
      'check the name',
    )
  }
}

/** The reader for a file by its ending; DuckDB finds out delimiters and types. */
async function reader(path: string, everyRow: boolean): Promise<string> {
  const file = quotePath(resolve(path))
  const name = path.toLowerCase().replace(/\.(gz|zst)$/, '')
  if (/\.(csv|tsv|txt)$/.test(name)) {
    await checkCsv(path)
    // skip = 0 and no comments: otherwise the sniffer may take odd first rows for a preamble, and a row that begins
    // with `#` for a comment, and leave them out without a word.
    // No booleans: it would turn a person's `yes` into `true`.
    const types = "['BIGINT', 'DOUBLE', 'DATE', 'TIME', 'TIMESTAMP', 'VARCHAR']"
    const sample = everyRow ? ', sample_size = -1' : ''
    return `read_csv(${file}, skip = 0, comment = '', hive_partitioning = false, auto_type_candidates = ${types}${sample})`
  }
  if (/\.(parquet|pq)$/.test(name)) return `read_parquet(${file}, hive_partitioning = false)`
  if (/\.(json|ndjson|jsonl)$/.test(name)) {
    return `read_json(${file}, sample_size = -1, hive_partitioning = false)`
  }
  const rule = 'the ending says how to read a file: .csv, .tsv, .parquet, .json, .ndjson, .duckdb'
  throw new RlviError(path, rule, extname(path), 'rename the file')
}

async function tableOf(connection: DuckDBConnection, path: string, table?: string): Promise<string> {
  const listed = await connection.runAndReadAll(
    'select table_name from information_schema.tables order by table_name',
  )
  const names = listed.getRows().map((row) => String(row[0]))
  if (table !== undefined) return names.includes(table) ? quoteName(table) : `(${table}\n)`
  if (names.length === 1 && names[0] !== undefined) return quoteName(names[0])
  const list = names.map((name) => JSON.stringify(name)).join(', ')
  throw new RlviError(path, 'one table is needed', names.length, `choose \`table\`, one of: ${list}`)
}

async function describe(
  connection: DuckDBConnection,
  source: string,
): Promise<{ columns: Column[]; aliases: string }> {
  const result = await connection.run(`select * from ${source} limit 0`)
  const columns: Column[] = result.columnNames().map((name, j) => {
    return { name, type: String(result.columnType(j)), kind: kindOf(result.columnTypeId(j)) }
  })
  return { columns, aliases: columns.map((_, j) => `c${j}`).join(', ') }
}

const { DuckDBTypeId } = duckdb
const numbers: ReadonlySet<number> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.DECIMAL,
])
const texts: ReadonlySet<number> = new Set([DuckDBTypeId.VARCHAR, DuckDBTypeId.ENUM, DuckDBTypeId.UUID])

function kindOf(type: number): Kind {
  if (numbers.has(type)) return 'number'
  if (texts.has(type)) return 'text'
  return type === DuckDBTypeId.BOOLEAN ? 'boolean' : 'other'
}
