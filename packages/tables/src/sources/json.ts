import type { DuckDBConnection, DuckDBType } from '@duckdb/node-api'
import { phrase, RlviError, show, showList } from 'rlvi'
import { keysAlike } from '../errors.js'
import { quoteName, quotePath, quoteText } from '../sql/duckdb.js'
import { asTexts, isStruct, type Leaf, structInList } from './nested.js'
import type { Source } from './source.js'
import { leafColumns, typesIn } from './typed.js'

const perRow = "in pandas: df.to_json(FILE, orient='records')"

/**
 * A JSON file as a table of texts, but for true and false. DuckDB would take texts for dates, and write them in its own
 * way; what a column holds is found out from all rows. Values inside of structures are columns, `user.age`; where the file is
 * one object with one list of objects in it, as programs export it, those are the rows.
 */
export async function jsonSource(connection: DuckDBConnection, file: string, path: string): Promise<Source> {
  const reader = `read_json(${quotePath(file)}, hive_partitioning = false`
  const types = await typesIn(connection, `${reader}, sample_size = -1)`)
  await checkKeys(connection, file, path, types)
  const asked = types.map(({ name, type }) => `${quoteText(name)}: ${quoteText(asTexts(type))}`).join(', ')
  const table = `${reader}, columns = {${asked}})`
  const found = await connection.runAndReadAll(`select 1 from ${reader}, sample_size = -1) limit 2`)
  const list = found.currentRowCount === 1 ? listOfRows(types, path) : undefined
  if (list === undefined) return untyped(await leafColumns(connection, table))
  const rows = `(select unnest(${quoteName(list)}) as c0 from ${table})`
  const source = untyped(await leafColumns(connection, rows, ''))
  return { ...source, remarks: [`${path}: the rows are those of the list ${show(list)}`] }
}

/** A key that differs from another one in capitals alone got another name, by which nothing would be found. */
async function checkKeys(
  connection: DuckDBConnection,
  file: string,
  path: string,
  types: readonly Pick<Leaf, 'name'>[],
): Promise<void> {
  const known = new Map(types.map(({ name }) => [name.toLowerCase(), name]))
  for (const { name } of types) {
    const stem = /^(.*)_\d+$/s.exec(name)?.[1]
    if (stem === undefined || !known.has(stem.toLowerCase())) continue
    const key = quoteText(`$."${name.replaceAll('"', '\\"')}"`)
    const sql = `select 1 from read_json_objects(${quotePath(file)}, format = 'auto') where json_exists(json, ${key}) limit 1`
    if ((await connection.runAndReadAll(sql)).currentRowCount === 0) throw keysAlike(path, stem)
  }
}

/** All values came as texts, whatever they are. */
function untyped(source: Source): Source {
  return { ...source, columns: source.columns.map(({ name, type, kind }) => ({ name, type, kind })) }
}

/** The column of the only object that holds the rows; undefined where that object is a row. */
function listOfRows(types: readonly Pick<Leaf, 'name' | 'type'>[], path: string): string | undefined {
  const lists = types.filter(({ type }) => structInList(type) !== undefined).map(({ name }) => name)
  if (lists.length > 1) {
    const todo = 'write one of them to a file by itself'
    throw new RlviError(path, 'one list of rows is needed', phrase(showList(lists)), todo)
  }
  if (lists.length === 0 && types.every(({ type }) => isNested(type)))
    throw new RlviError(path, 'an object for each row is needed', phrase('one for each column'), perRow)
  return lists[0]
}

function isNested(type: DuckDBType): boolean {
  return isStruct(type) || /^MAP|\[\d*\]$/.test(String(type))
}
