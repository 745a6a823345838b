import type { DuckDBConnection, DuckDBTypeId as TypeId } from '@duckdb/node-api'
import { duckdb } from '../duckdb.js'
import type { Column, Kind } from '../table.js'
import type { Source } from './source.js'

const { DuckDBTypeId } = duckdb

/** A table whose columns have types. */
export async function typedSource(connection: DuckDBConnection, from: string): Promise<Source> {
  const columns = await describe(connection, from)
  return { from: aliased(from, columns), columns, remarks: [] }
}

/** The columns called `c<j>`. */
export function aliased(from: string, columns: readonly Column[]): string {
  return `${from} as t(${columns.map((_, j) => `c${j}`).join(', ')})`
}

export async function describe(connection: DuckDBConnection, from: string): Promise<Column[]> {
  const result = await connection.run(`select * from ${from} limit 0`)
  return result.columnNames().map((name, j) => {
    const kind = kindOf(result.columnTypeId(j))
    return { name, type: String(result.columnType(j)), kind, ...(kind === 'text' ? { asText: true } : {}) }
  })
}

const kinds: Readonly<Record<Exclude<Kind, 'other'>, readonly TypeId[]>> = {
  number: [
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
  ],
  text: [DuckDBTypeId.VARCHAR, DuckDBTypeId.ENUM, DuckDBTypeId.UUID],
  boolean: [DuckDBTypeId.BOOLEAN],
  date: [
    DuckDBTypeId.DATE,
    DuckDBTypeId.TIMESTAMP,
    DuckDBTypeId.TIMESTAMP_S,
    DuckDBTypeId.TIMESTAMP_MS,
    DuckDBTypeId.TIMESTAMP_NS,
    DuckDBTypeId.TIMESTAMP_TZ,
  ],
}

function kindOf(type: TypeId): Kind {
  const found = (Object.keys(kinds) as (keyof typeof kinds)[]).find((kind) => kinds[kind].includes(type))
  return found ?? 'other'
}
