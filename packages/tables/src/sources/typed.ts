import type { DuckDBConnection, DuckDBTypeId as TypeId } from '@duckdb/node-api'
import { duckdb } from '../duckdb.js'
import type { Column, Kind } from '../table.js'
import { isStruct, type Leaf, leavesOf, withOwnNames } from './nested.js'
import type { Source } from './source.js'

const { DuckDBTypeId } = duckdb

/** A table whose columns have types; values inside of structures are columns of their own. */
export async function typedSource(connection: DuckDBConnection, from: string): Promise<Source> {
  return await leafColumns(connection, from)
}

/**
 * All single values of the rows of a table, called `c<j>`.
 *
 * @param group - in place of the name of an only column, which is a structure: '' for none
 */
export async function leafColumns(
  connection: DuckDBConnection,
  from: string,
  group?: string,
): Promise<Source> {
  const types = await typesIn(connection, from)
  const tops = types.map(({ name, type }, j): Leaf => ({ name: group ?? name, value: `t.c${j}`, type }))
  const leaves = withOwnNames(
    tops.flatMap(leavesOf).map((leaf) => (group === '' ? { ...leaf, name: leaf.name.slice(1) } : leaf)),
  )
  const columns = leaves.map(({ name, type }): Column => {
    const kind = kindOf(type.typeId)
    return {
      name,
      type: String(type),
      kind,
      ...(kind === 'text' ? { asText: true } : {}),
      ...(name === PANDAS_INDEX ? { isIndex: true } : {}),
    }
  })
  const inner = `${from} as t(${types.map((_, j) => `c${j}`).join(', ')})`
  if (!types.some(({ type }) => isStruct(type))) return { from: inner, columns, remarks: [] }
  const selected = leaves.map(({ value }, j) => `${value} as c${j}`).join(', ')
  return { from: `(select ${selected} from ${inner})`, columns, remarks: [] }
}

/** What pandas calls an index that has no name, where a file needs one. */
const PANDAS_INDEX = '__index_level_0__'

/** The columns of a table by their types. */
export async function typesIn(
  connection: DuckDBConnection,
  from: string,
): Promise<readonly Pick<Leaf, 'name' | 'type'>[]> {
  const result = await connection.run(`select * from ${from} limit 0`)
  return result.columnNames().map((name, j) => ({ name, type: result.columnType(j) }))
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
  text: [DuckDBTypeId.VARCHAR, DuckDBTypeId.ENUM, DuckDBTypeId.UUID, DuckDBTypeId.TIME],
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
