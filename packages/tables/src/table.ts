import { resolve } from 'node:path'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { phrase, RlviError } from 'rlvi'
import { duckdb } from './duckdb.js'
import { fromDuckDB, HeaderAgain, NotesBelow, OtherText } from './errors.js'
import { arrowAsCsv } from './inputs/arrow.js'
import { checkDepth } from './inputs/depth.js'
import { encodingOf, readable, rewritten } from './inputs/encoding.js'
import { sheetAsCsv } from './inputs/excel.js'
import { type InputFile, inputFiles } from './inputs/files.js'
import { type TemporaryFiles, temporaryError, temporaryFiles } from './inputs/temporary.js'
import { withoutHeaders } from './inputs/without-headers.js'
import { withoutNotes } from './inputs/without-notes.js'
import { csvSource } from './sources/csv.js'
import { databaseSource } from './sources/database.js'
import { jsonSource } from './sources/json.js'
import type { Doubles, Source, TextOptions } from './sources/source.js'
import { typedSource } from './sources/typed.js'
import { quotePath } from './sql/duckdb.js'

/** `text`: also numbers, in a file without types; `other`: lists, structures, times without a day. */
export type Kind = 'number' | 'text' | 'boolean' | 'date' | 'other'

/** A column of a file, as it is before anything is read. */
export interface Column {
  readonly name: string
  /** The type as DuckDB calls it. */
  readonly type: string
  readonly kind: Kind
  /** Whether whoever wrote it says that it holds texts: by its type, or by quotes where other columns have numbers without. */
  readonly asText?: boolean
  /** Whether some of its whole numbers are written with a zero before them, as codes are. */
  readonly hasZeros?: boolean
  /** One of its values, where all points in them have three digits behind them and may part thousands. */
  readonly mayBeThousands?: string
  /** Whether it numbers or names the rows and has no name itself, as R and pandas write it. */
  readonly isIndex?: boolean
}

/** A file of a table. */
export interface Part {
  readonly path: string
  readonly columns: readonly Column[]
  /** What stands behind FROM: column number j is called `c<j>` there, whatever its real name is. */
  readonly from: string
  /** Of a text file: the same with some columns as doubles. */
  readonly doubles?: Doubles
  /** Of a text file: the line that names the columns. */
  readonly header?: string
}

/** Files, opened: their columns are known, their rows are still where they are. */
export interface Table {
  /** What messages call it. */
  readonly path: string
  readonly columns: readonly Column[]
  readonly connection: DuckDBConnection
  /** One after the other they are the table. */
  readonly parts: readonly Part[]
  /** What a person should know of how the files were read, a sentence each. */
  readonly remarks: readonly string[]
  /** A path for a file that is removed when the table is closed. */
  temporary(name: string): string
}

/** How to open files. */
export interface OpenOptions extends TextOptions {
  /** For a DuckDB file: the name of a table, or a query. For a spreadsheet: the name of a sheet. For JSON: the name of a list of rows. */
  readonly table?: string | undefined
}

/**
 * Opens files, lets `use` work with them and closes them. Where the letters of a text file turn out to be others than
 * UTF-8, or its lines to end in different ways, it is written anew and `use` is called once more.
 *
 * @param paths - a file, or several with the same columns that are read as one table; a pattern such as `day-*.csv`, where
 *   no file has that name; `-` for stdin
 * @example
 * const columns = await withTable('stars.csv', {}, (table) => read(table, { features: ['log_temperature'] }))
 */
export async function withTable<T>(
  paths: string | readonly string[],
  options: OpenOptions,
  use: (table: Table) => Promise<T>,
): Promise<T> {
  const temporary = temporaryFiles()
  const opened = new OpenDatabase(temporary)
  try {
    const names = typeof paths === 'string' ? [paths] : paths
    const files = await inputFiles(names, await opened.connect(undefined), temporary)
    checkTable(options.table, files)
    for (const [k, file] of files.entries()) {
      const encoding = await encodingOf(file, options.encoding)
      if (encoding !== undefined) files[k] = await rewritten(file, encoding, temporary)
    }
    for (const [k, file] of files.entries()) {
      if (file.format === 'excel') files[k] = await sheetAsCsv(file, options.table, temporary)
      if (file.format === 'arrow') files[k] = await arrowAsCsv(file, temporary)
    }
    const isDatabase = files[0]?.format === 'database'
    const connection = await opened.connect(isDatabase ? files[0]?.file : undefined)
    for (;;) {
      let table: Table | undefined
      try {
        table = await tableOf(files, connection, options, (name) => temporary.path(name))
        return await use(table)
      } catch (error) {
        if (error instanceof HeaderAgain && (await withOneHeader(files, table?.parts ?? [], temporary)))
          continue
        if (!(error instanceof OtherText || error instanceof NotesBelow)) throw error
        const k = files.findIndex(({ path }) => path === error.path)
        if (k < 0) throw error
        files[k] =
          error instanceof NotesBelow
            ? await withoutNotes(files[k]!, error, temporary)
            : await readable(files[k]!, error, options.encoding, temporary)
      }
    }
  } catch (error) {
    throw temporaryError(error)
  } finally {
    opened.close()
    await temporary.remove()
  }
}

/** Takes headers out that stand among the rows; whether there were some. */
async function withOneHeader(
  files: InputFile[],
  parts: readonly Part[],
  temporary: TemporaryFiles,
): Promise<boolean> {
  let some = false
  for (const [k, { header }] of parts.entries()) {
    const found = header === undefined ? undefined : await withoutHeaders(files[k]!, header, temporary)
    if (found === undefined) continue
    files[k] = found
    some = true
  }
  return some
}

/** An open connection would keep the database, and what it holds in memory, until it is collected. */
class OpenDatabase {
  private instance: DuckDBInstance | undefined
  private connection: DuckDBConnection | undefined
  private path: string | undefined
  private readonly temporary: TemporaryFiles

  constructor(temporary: TemporaryFiles) {
    this.temporary = temporary
  }

  async connect(path: string | undefined): Promise<DuckDBConnection> {
    if (this.connection !== undefined && path === this.path) return this.connection
    this.close()
    this.path = path
    // What DuckDB puts aside goes to a folder of its own: it may always read that one.
    const settings = {
      autoinstall_known_extensions: 'false',
      temp_directory: this.temporary.path('aside'),
    }
    // A view in a foreign database, or a query, reads that file and no other.
    const alone = { access_mode: 'READ_ONLY', enable_external_access: 'false' }
    try {
      this.instance =
        path === undefined
          ? await duckdb.DuckDBInstance.create(':memory:', settings)
          : await duckdb.DuckDBInstance.create(resolve(path), { ...settings, ...alone })
      this.connection = await this.instance.connect()
      // Points in time are the same wherever they are read.
      await this.connection.run("set timezone = 'UTC'")
      // With the usual megabyte its threads wait for who reads rows, most of the time.
      await this.connection.run("set streaming_buffer_size = '16MB'")
    } catch (error) {
      throw fromDuckDB(path ?? 'DuckDB', error, 'could not be read')
    }
    return this.connection
  }

  close(): void {
    this.connection?.closeSync()
    this.instance?.closeSync()
    this.connection = undefined
  }
}

function checkTable(table: string | undefined, files: readonly InputFile[]): void {
  const database = files.find(({ format }) => format === 'database')
  const hasTables = files.some(({ format }) => ['database', 'excel', 'json'].includes(format))
  if (table !== undefined && !hasTables) {
    const rule =
      'only a DuckDB file (.duckdb, .db), a spreadsheet (.xlsx) or JSON with several lists has tables to choose from'
    throw new RlviError('table', rule, table, 'leave `table` out')
  }
  if (database !== undefined && files.length > 1) {
    const todo = 'join its tables by a query in `table`'
    throw new RlviError(database.path, 'a DuckDB file is read alone', phrase(`${files.length} files`), todo)
  }
}

async function tableOf(
  files: readonly InputFile[],
  connection: DuckDBConnection,
  options: OpenOptions,
  temporary: Table['temporary'],
): Promise<Table> {
  const parts: Part[] = []
  const remarks: string[] = []
  for (const file of files) {
    try {
      const source = await sourceOf(file, connection, options)
      parts.push({ path: file.path, ...source })
      remarks.push(...file.remarks, ...source.remarks)
    } catch (error) {
      throw fromDuckDB(file.path, error, 'could not be read')
    }
  }
  for (const part of parts) checkWidth(part)
  const [first, ...others] = parts
  for (const part of others) checkSame(part, first!)
  const path = others.length === 0 ? first!.path : `${first!.path} and ${others.length} more`
  return { path, columns: first!.columns, connection, parts, remarks, temporary }
}

async function sourceOf(
  { file: original, path, format, isSheet, isTable, rewritten: written }: InputFile,
  connection: DuckDBConnection,
  options: OpenOptions,
): Promise<Source> {
  const file = written?.file ?? original
  switch (format) {
    case 'csv':
      return await csvSource(connection, resolve(file), path, {
        ...options,
        ...(isSheet || isTable ? { delimiter: ',' } : {}),
        ...(isTable ? { header: true, skip: 0 } : {}),
      })
    case 'json':
      await checkDepth(file, path)
      return await jsonSource(connection, resolve(file), path, options.table)
    case 'parquet':
      return await typedSource(
        connection,
        `read_parquet(${quotePath(resolve(file))}, hive_partitioning = false)`,
      )
    case 'excel':
    case 'arrow':
    case 'database':
      return await databaseSource(connection, path, options.table)
  }
}

/** The columns of a file are named in every question to DuckDB. */
const MOST_COLUMNS = 10_000

function checkWidth({ path, columns }: Part): void {
  const given = process.env.RLVI_MAX_COLUMNS
  const most = given === undefined || given === '' ? MOST_COLUMNS : Number(given)
  if (!(Number.isSafeInteger(most) && most > 0))
    throw new RlviError('RLVI_MAX_COLUMNS', 'a whole number above 0 is needed', given)
  if (columns.length <= most) return
  const todo = 'write a file with those that matter, or set RLVI_MAX_COLUMNS to more'
  throw new RlviError(path, `at most ${most} columns are read`, columns.length, todo)
}

/** Files that are read one after the other are one table; their columns may come in any order. */
function checkSame(part: Part, first: Part): void {
  const names = part.columns.map(({ name }) => name)
  const odd =
    first.columns.find(({ name }) => !names.includes(name))?.name ??
    names.find((name) => !first.columns.some((column) => column.name === name))
  if (odd === undefined) return
  const rule = `the columns of ${first.path} are needed`
  const got = phrase(`${names.includes(odd) ? 'also' : 'no'} ${JSON.stringify(odd)}`)
  throw new RlviError(part.path, rule, got, 'give each table by itself')
}
