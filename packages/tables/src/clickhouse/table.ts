import { phrase, RlviError, show, showList } from 'rlvi'
import { clickhouse } from '../sql/clickhouse.js'
import { freshPrefix } from '../sql/dialect.js'
import type { Column, Kind } from '../table.js'
import { parseAddress } from './address.js'
import { Server } from './server.js'

/** A table of a ClickHouse server: its columns are known, its rows stay where they are. */
export interface ClickhouseTable {
  readonly server: Server
  /** What messages call it. */
  readonly path: string
  readonly columns: readonly Column[]
  /** What stands behind FROM. */
  readonly from: string
  /** What names of ours begin with: no column does. */
  readonly prefix: string
}

/**
 * Opens a table, or a query, of a ClickHouse server, lets `use` work with it and closes the connection.
 *
 * @param address - `clickhouse://user:password@host:8123/database?table=name`
 * @param table - the name of a table of the database, or a query
 */
export async function withClickhouse<T>(
  address: string,
  table: string | undefined,
  use: (table: ClickhouseTable) => Promise<T>,
): Promise<T> {
  const parsed = parseAddress(address)
  if (table !== undefined && parsed.table !== undefined && table !== parsed.table)
    throw new RlviError('table', `${show(parsed.table)} of the address is it already`, table, 'give one')
  const server = new Server(parsed)
  try {
    await server.askForAllRows()
    return await use(await tableOf(server, table ?? parsed.table))
  } finally {
    await server.close()
  }
}

async function tableOf(server: Server, table: string | undefined): Promise<ClickhouseTable> {
  const { database, name: path } = server.address
  await checkDatabase(server)
  const listed = await server.ask(
    `SELECT name FROM system.tables WHERE database = ${clickhouse.text(database)} ORDER BY name`,
  )
  const names = listed.map(([name]) => String(name))
  const from = source(names, database, table, path)
  const found = await server.describe(`SELECT * FROM ${from} LIMIT 0`)
  const columns = found.map(({ name, type }): Column => {
    const kind = kindOf(type)
    return { name, type, kind, ...(kind === 'text' ? { asText: true } : {}) }
  })
  return { server, path, columns, from, prefix: freshPrefix(found.map(({ name }) => name)) }
}

/** ClickHouse of today answers for tables of no database with none, not with an error. */
async function checkDatabase(server: Server): Promise<void> {
  const { database, name } = server.address
  const found = await server.ask(
    `SELECT name FROM system.databases WHERE name = ${clickhouse.text(database)}`,
  )
  if (found.length > 0) return
  throw new RlviError(name, 'a database of the server is needed', database, 'correct the address')
}

function source(names: readonly string[], database: string, table: string | undefined, path: string): string {
  const chosen = table ?? (names.length === 1 ? names[0] : undefined)
  if (chosen !== undefined && names.includes(chosen))
    return `${clickhouse.name(database)}.${clickhouse.name(chosen)}`
  if (chosen !== undefined && /^\s*(--[^\n]*\n\s*)*(select|with)\b/i.test(chosen))
    return `(${chosen.replace(/;\s*$/, '')}\n)`
  const rule = 'a table of the database, or a query, is needed as `table`'
  const todo = names.length === 0 ? 'the database has none' : `choose one of: ${showList(names)}`
  throw new RlviError(path, rule, table ?? phrase('none'), todo)
}

const kinds: readonly (readonly [RegExp, Kind])[] = [
  [/^(U?Int(8|16|32|64|128|256)|Float(32|64)|BFloat16|Decimal.*)$/, 'number'],
  [/^(String|FixedString\(.*\)|Enum(8|16)?\(.*\)|UUID)$/s, 'text'],
  [/^Bool$/, 'boolean'],
  [/^(Date(32)?|DateTime(64)?(\(.*\))?)$/, 'date'],
]

/** What a type of ClickHouse holds, also where there may be none, or where texts are kept once each. */
function kindOf(type: string): Kind {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/s.exec(type)?.[1]
  if (inner !== undefined) return kindOf(inner)
  return kinds.find(([pattern]) => pattern.test(type))?.[1] ?? 'other'
}
