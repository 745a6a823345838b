import type { DuckDBListType, DuckDBStructType, DuckDBType } from '@duckdb/node-api'
import { duckdb } from '../duckdb.js'
import { quoteName, quoteText } from '../sql/duckdb.js'

const { DuckDBTypeId } = duckdb

/** A value of a row: a column, or what is inside of one. */
export interface Leaf {
  /** `user.age` for what `user` has as its `age`. */
  readonly name: string
  /** SQL for it. */
  readonly value: string
  readonly type: DuckDBType
}

/** A column, or the values inside of it where it is a structure, however deep. */
export function leavesOf(leaf: Leaf): Leaf[] {
  if (!isStruct(leaf.type)) return [leaf]
  const { entryNames, entryTypes } = leaf.type
  return entryNames.flatMap((name, k) =>
    leavesOf({
      name: `${leaf.name}.${name}`,
      value: `struct_extract(${leaf.value}, ${quoteText(name)})`,
      type: entryTypes[k]!,
    }),
  )
}

/** The same leaves, none with the name of another. */
export function withOwnNames(leaves: readonly Leaf[]): Leaf[] {
  const taken = new Set<string>()
  return leaves.map((leaf) => {
    let { name } = leaf
    for (let k = 1; taken.has(name); k++) name = `${leaf.name}_${k}`
    taken.add(name)
    return { ...leaf, name }
  })
}

/** A type with texts in place of all single values but true and false. */
export function asTexts(type: DuckDBType): string {
  if (isStruct(type)) {
    const entries = type.entryNames.map((name, k) => `${quoteName(name)} ${asTexts(type.entryTypes[k]!)}`)
    return `STRUCT(${entries.join(', ')})`
  }
  if (isListType(type)) return `${asTexts(type.valueType)}[]`
  const isKept = [DuckDBTypeId.BOOLEAN, DuckDBTypeId.MAP, DuckDBTypeId.ARRAY].includes(type.typeId)
  return isKept ? String(type) : 'VARCHAR'
}

export function isStruct(type: DuckDBType): type is DuckDBStructType {
  return type.typeId === DuckDBTypeId.STRUCT
}

function isListType(type: DuckDBType): type is DuckDBListType {
  return type.typeId === DuckDBTypeId.LIST
}

/** Whether a column, by the name of its type, holds lists: nobody knows how many values each has. */
export function isList(type: string): boolean {
  return /^MAP\b|\[\d*\]$/.test(type)
}

/** The structure that each value of a list is. */
export function structInList(type: DuckDBType): DuckDBStructType | undefined {
  return isListType(type) && isStruct(type.valueType) ? type.valueType : undefined
}
