import type { DuckDBConnection } from '@duckdb/node-api'
import type { Column } from '../table.js'
import type { Source } from './source.js'

/** What the numbers of a point of GeoJSON are, in this order (RFC 7946). */
const axes = ['longitude', 'latitude', 'altitude']

/** The points of GeoJSON, which are lists, as columns of their own: where something is may explain much. */
export async function withPoints(connection: DuckDBConnection, source: Source): Promise<Source> {
  const place = source.columns.findIndex(
    ({ name, type }) => /(?:^|\.)geometry\.coordinates$/.test(name) && /^\w+\[\]$/.test(type),
  )
  if (place < 0) return source
  const list = `c${place}`
  const found = await connection.runAndReadAll(`select max(len(${list})) from ${source.from}`)
  const many = Number(found.getRows()[0]?.[0] ?? 0)
  if (many < 2 || many > axes.length) return source
  const { name, type } = source.columns[place]!
  const column = (axis: string): Column => ({
    name: name.replace(/coordinates$/, axis),
    type: type.slice(0, -2),
    kind: 'text',
  })
  const points = axes.slice(0, many).map((axis, k) => ({ column: column(axis), value: `${list}[${k + 1}]` }))
  const all = source.columns.flatMap((own, j) => (j === place ? points : [{ column: own, value: `c${j}` }]))
  const selected = all.map(({ value }, j) => `${value} as c${j}`).join(', ')
  return {
    ...source,
    from: `(select ${selected} from ${source.from})`,
    columns: all.map(({ column: own }) => own),
  }
}
