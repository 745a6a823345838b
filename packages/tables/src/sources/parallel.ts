import type { DuckDBConnection } from '@duckdb/node-api'
import { phrase, RlviError, show, showList } from 'rlvi'
import type { Column } from '../table.js'
import { isList } from './nested.js'
import type { Source } from './source.js'

/**
 * Rows that one object holds by columns, a list for each (`{"hourly": {"time": […], "temperature": […]}}`), as services of weather
 * and prices answer: all lists of one structure that are equally long, one beside the other. Undefined where there are none.
 *
 * @param source - that object, as a table of one row
 * @param wanted - the structure that the user names
 */
export async function parallelLists(
  connection: DuckDBConnection,
  source: Source,
  path: string,
  wanted: string | undefined,
): Promise<Source | undefined> {
  const groups = new Map<string, number[]>()
  source.columns.forEach(({ name, type }, j) => {
    if (!isList(type) || !/^\w+\[\]$/.test(type)) return
    const parent = name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : ''
    groups.set(parent, [...(groups.get(parent) ?? []), j])
  })
  const found: string[] = []
  for (const [parent, places] of groups)
    if (places.length > 1 && (await haveOneLength(connection, source, places))) found.push(parent)
  const chosen = wanted === undefined ? found : found.filter((parent) => parent === wanted)
  if (chosen.length > 1) {
    const todo = `choose one by \`table\`, such as ${show(chosen[0])}`
    throw new RlviError(path, 'one group of columns is needed', phrase(showList(chosen)), todo)
  }
  const [parent] = chosen
  if (parent === undefined) return undefined
  const places = groups.get(parent)!
  const columns = places.map((j): Column => {
    const { name, type } = source.columns[j]!
    return {
      name: parent === '' ? name : name.slice(parent.length + 1),
      type: type.slice(0, -2),
      kind: 'text',
    }
  })
  const selected = places.map((j, k) => `unnest(c${j}) as c${k}`).join(', ')
  const where = parent === '' ? '' : ` in ${show(parent)}`
  return {
    from: `(select ${selected} from ${source.from})`,
    columns,
    remarks: [
      ...source.remarks,
      `${path}: the columns are the lists${where}, each with a value for every row`,
    ],
  }
}

async function haveOneLength(
  connection: DuckDBConnection,
  { from }: Source,
  places: readonly number[],
): Promise<boolean> {
  const lengths = places.map((j) => `len(c${j})`).join(', ')
  const [row = []] = (await connection.runAndReadAll(`select ${lengths} from ${from}`)).getRows()
  const [first, ...others] = row.map(Number)
  return first !== undefined && first > 1 && others.every((length) => length === first)
}
