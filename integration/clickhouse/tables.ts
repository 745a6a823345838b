import { clickhouse } from '../../packages/tables/src/sql/clickhouse.js'
import { type Cluster, cluster as clusterName, type Node } from './cluster.js'

export type Cell = number | string | null

/** A table of a test: a kind for each column, and rows. */
export interface TestTable {
  readonly names: readonly string[]
  readonly kinds: readonly ('number' | 'text')[]
  readonly rows: readonly (readonly Cell[])[]
}

const types = { number: 'Nullable(Float64)', text: 'Nullable(String)' } as const

/** Creates a table of one server, with these rows. */
export async function put({ ask }: Node, name: string, { names, kinds, rows }: TestTable): Promise<void> {
  const columns = names.map((own, j) => `${clickhouse.name(own)} ${types[kinds[j]!]}`)
  const table = clickhouse.name(name)
  await ask(`CREATE TABLE ${table} (${columns.join(', ')}) ENGINE = MergeTree() ORDER BY tuple()`)
  await ask(`INSERT INTO ${table} FORMAT RowBinary`, binaryRows(rows))
}

/** Creates it as `name` on the first server, and dealt out to all of them as `name_three`. */
export async function load({ nodes }: Cluster, name: string, table: TestTable): Promise<void> {
  await put(nodes[0]!, name, table)
  for (const [k, node] of nodes.entries()) {
    const rows = table.rows.filter((_, i) => i % nodes.length === k)
    await put(node, `${name}_part`, { ...table, rows })
  }
  await nodes[0]!.ask(
    `CREATE TABLE ${clickhouse.name(`${name}_three`)} AS ${clickhouse.name(`${name}_part`)} ` +
      `ENGINE = Distributed(${clusterName}, default, ${clickhouse.name(`${name}_part`)}, rand())`,
  )
}

/** In ClickHouse's own binary form: text would be read to nearly the last digit only. */
function binaryRows(rows: readonly (readonly Cell[])[]): Uint8Array {
  return Buffer.concat(rows.flatMap((row) => row.map(binary)))
}

function binary(cell: Cell): Uint8Array {
  if (cell === null) return Uint8Array.of(1)
  if (typeof cell === 'number') {
    const bytes = Buffer.alloc(9)
    bytes.writeDoubleLE(cell, 1)
    return bytes
  }
  const text = Buffer.from(cell)
  const length: number[] = []
  for (let left = text.length; ; left >>= 7) {
    length.push(left < 128 ? left : (left & 127) | 128)
    if (left < 128) break
  }
  return Buffer.concat([Uint8Array.of(0, ...length), text])
}

/** An answer as rows of values. */
export async function rowsOf({ ask }: Node, sql: string): Promise<Cell[][]> {
  return (JSON.parse(await ask(`${sql} FORMAT JSONCompact`)) as { data: Cell[][] }).data
}

/** Names of the tables of a server. */
export async function tablesOf(node: Node): Promise<string[]> {
  const rows = await rowsOf(node, "SELECT name FROM system.tables WHERE database = 'default' ORDER BY name")
  return rows.map(([name]) => String(name))
}

/** The address of a table, for the command. */
export function addressOf({ url }: Node, table: string): string {
  return `${url}?table=${encodeURIComponent(table)}`
}
