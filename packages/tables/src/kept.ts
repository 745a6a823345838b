import { collect } from './collect.js'
import { fromDuckDB } from './errors.js'
import { type Labels, LabelsBuilder } from './labels.js'
import type { Column, Table } from './table.js'
import type { Cell, OutColumn, OutTable } from './write.js'

/** Chunks of 2048 rows that may wait to be freed. */
const COLLECT_EVERY = 32

/** All columns of a file as they are, to be written beside what is said of its rows. */
export async function keptColumns(table: Table): Promise<OutColumn[]> {
  try {
    const counted = await table.connection.runAndReadAll(`select count(*) from ${table.from}`)
    const rows = Number(counted.getRows()[0]?.[0])
    const builders = table.columns.map(() => new LabelsBuilder(rows))
    const selected = table.columns.map((_, j) => `c${j}::varchar`).join(', ')
    const result = await table.connection.stream(`select ${selected} from ${table.from}`)
    for (let chunks = 1, at = 0; ; chunks++) {
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) break
      builders.forEach((builder, j) => {
        const texts = chunk.getColumnVector(j)
        for (let i = 0; i < chunk.rowCount; i++) builder.set(at + i, texts.getItem(i) as string | null)
      })
      at += chunk.rowCount
      if (chunks % COLLECT_EVERY === 0) collect()
    }
    return table.columns.map((column, j) => kept(column, builders[j]!.finish()))
  } catch (error) {
    throw fromDuckDB(table.path, error, 'could not be read')
  }
}

/** In the type that it came in; whole numbers that no double holds stay texts, to the last digit. */
function kept({ name, type, kind }: Column, { codes, values }: Labels): OutColumn {
  const column = (out: OutColumn['kind'], cell: (text: string) => Cell): OutColumn => ({
    name,
    kind: out,
    at: (row) => (codes[row]! < 0 ? null : cell(values[codes[row]!]!)),
  })
  if (kind === 'boolean') return column('boolean', (text) => text === 'true')
  if (kind !== 'number') return column('text', (text) => text)
  if (!/INT/.test(type)) return column('number', Number)
  const exact = values.every((text) => Number.isSafeInteger(Number(text)))
  return exact ? column('integer', Number) : column('text', (text) => text)
}

/** The listed rows of a table, in that order. */
export function rowsOf({ columns }: OutTable, rows: ArrayLike<number>): OutTable {
  return {
    rows: rows.length,
    columns: columns.map((column) => ({ ...column, at: (row) => column.at(rows[row]!) })),
  }
}

/** A table beside another one of the same rows; a name that both have is `rlvi_name` in the second. */
export function beside(first: readonly OutColumn[], second: OutTable): OutTable {
  const taken = new Set(first.map(({ name }) => name))
  const named = second.columns.map((column) => {
    let { name } = column
    while (taken.has(name)) name = `rlvi_${name}`
    return { ...column, name }
  })
  return { rows: second.rows, columns: [...first, ...named] }
}
