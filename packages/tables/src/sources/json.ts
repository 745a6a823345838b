import type { DuckDBConnection, DuckDBType } from '@duckdb/node-api'
import { phrase, RlviError, show, showList } from 'rlvi'
import { keysAlike } from '../errors.js'
import { quoteName, quotePath, quoteText } from '../sql/duckdb.js'
import { asTexts, isStruct, type Leaf, leavesOf, structInList } from './nested.js'
import { parallelLists } from './parallel.js'
import { withPoints } from './points.js'
import type { Source } from './source.js'
import { leafColumns, typesIn } from './typed.js'

const perRow =
  "in pandas: df.to_json(FILE, orient='records'); of an object with a row for each id: jq '[.[]]' FILE"

/**
 * A JSON file as a table of texts, but for true and false. DuckDB would take texts for dates, and write them in its own
 * way; what a column holds is found out from all rows. Values inside of structures are columns, `user.age`; where the file is
 * one object with one list of objects in it, as programs export it, those are the rows.
 */
export async function jsonSource(
  connection: DuckDBConnection,
  file: string,
  path: string,
  wanted?: string,
): Promise<Source> {
  const reader = `read_json(${quotePath(file)}, hive_partitioning = false`
  const types = await typesIn(connection, `${reader}, sample_size = -1)`)
  await checkKeys(connection, file, path, types)
  const asked = types.map(({ name, type }) => `${quoteText(name)}: ${quoteText(asTexts(type))}`).join(', ')
  const table = `${reader}, columns = {${asked}})`
  const found = await connection.runAndReadAll(`select 1 from ${reader}, sample_size = -1) limit 2`)
  const isOne = found.currentRowCount === 1
  const list = isOne ? listOfRows(types, path, wanted) : undefined
  if (list === undefined) {
    const source = await withPoints(connection, untyped(await leafColumns(connection, table)))
    const byColumns = isOne ? await parallelLists(connection, source, path, wanted) : undefined
    if (byColumns !== undefined) return byColumns
    if (isOne && types.every(({ type }) => isNested(type)))
      throw new RlviError(
        path,
        'an object for each row is needed',
        phrase('one object of objects, by columns or by ids'),
        perRow,
      )
    if (wanted === undefined) return source
    throw new RlviError('table', `a list of rows in ${path} is needed`, wanted, 'leave `table` out')
  }
  const rows = `(select unnest(${list.value}) as c0 from ${table})`
  const source = await withPoints(connection, untyped(await leafColumns(connection, rows, '')))
  return { ...source, remarks: [`${path}: the rows are those of the list ${show(list.name)}`] }
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

/** The list in the only object that holds the rows, however deep in it; undefined where that object is a row. */
function listOfRows(
  types: readonly Pick<Leaf, 'name' | 'type'>[],
  path: string,
  wanted: string | undefined,
): Leaf | undefined {
  const leaves = types.flatMap(({ name, type }) => leavesOf({ name, value: quoteName(name), type }))
  const lists = leaves.filter(({ type }) => structInList(type) !== undefined)
  const names = lists.map(({ name }) => name)
  if (wanted !== undefined) {
    const found = lists.find(({ name }) => name === wanted)
    if (found !== undefined || lists.length === 0) return found
    throw new RlviError(
      'table',
      `a list of rows in ${path} is needed`,
      wanted,
      `there are ${showList(names)}`,
    )
  }
  if (lists.length > 1) {
    const todo = `choose one by \`table\`, such as ${show(names[0])}`
    throw new RlviError(path, 'one list of rows is needed', phrase(showList(names)), todo)
  }
  return lists[0]
}

function isNested(type: DuckDBType): boolean {
  return isStruct(type) || /^MAP|\[\d*\]$/.test(String(type))
}
