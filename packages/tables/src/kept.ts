import { collect } from './collect.js'
import { fromDuckDB } from './errors.js'
import { type Labels, LabelsBuilder } from './labels.js'
import { textSql } from './numeric.js'
import type { Column, Table } from './table.js'
import type { Cell, OutColumn, OutTable } from './write.js'

/** Chunks of 2048 rows that may wait to be freed. */
const COLLECT_EVERY = 32

/** All columns of a table as they are, to be written beside what is said of its rows. */
export async function keptColumns(table: Table): Promise<OutColumn[]> {
  let path = table.path
  try {
    const counts = []
    for (const { from } of table.parts) {
      const counted = await table.connection.runAndReadAll(`select count(*) from ${from}`)
      counts.push(Number(counted.getRows()[0]?.[0]))
    }
    const rows = counts.reduce((sum, count) => sum + count, 0)
    const builders = table.columns.map(() => new LabelsBuilder(rows))
    let at = 0
    for (const part of table.parts) {
      path = part.path
      const selected = table.columns.map(({ name }) => textSql(part, name)).join(', ')
      const result = await table.connection.stream(`select ${selected} from ${part.from}`)
      for (let chunks = 1; ; chunks++) {
        const chunk = await result.fetchChunk()
        if (chunk === null || chunk.rowCount === 0) break
        builders.forEach((builder, j) => {
          const texts = chunk.getColumnVector(j)
          for (let i = 0; i < chunk.rowCount; i++) builder.set(at + i, texts.getItem(i) as string | null)
        })
        at += chunk.rowCount
        if (chunks % COLLECT_EVERY === 0) collect()
      }
    }
    return table.columns.map((column, j) => kept(column, builders[j]!.finish()))
  } catch (error) {
    throw fromDuckDB(path, error, 'could not be read')
  }
}

/** In the type that it came in; of a file without types, as numbers where those are written just so. */
function kept({ name, type, kind }: Column, { codes, values }: Labels): OutColumn {
  const column = (out: OutColumn['kind'], cell: (text: string) => Cell): OutColumn => ({
    name,
    kind: out,
    at: (row) => (codes[row]! < 0 ? null : cell(values[codes[row]!]!)),
  })
  if (kind === 'boolean') return column('boolean', (text) => text === 'true')
  const written = values.length > 0 && values.every((text) => String(Number(text)) === text && text !== 'NaN')
  if (kind !== 'number' && !(kind === 'text' && written)) return column('text', (text) => text)
  // Whole numbers that no double holds stay texts, to the last digit.
  if (values.every((text) => Number.isSafeInteger(Number(text)))) return column('integer', Number)
  return /INT/.test(type) ? column('text', (text) => text) : column('number', Number)
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
