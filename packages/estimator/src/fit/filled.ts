import type { Typed } from '../columns/column.js'
import type { Needed } from '../columns/complete.js'

/** Of the rows that count, how many have a value in each column. */
export interface Filled {
  /** Rows that have the target; without one, rows that have anything at all. */
  readonly rows: number
  readonly columns: ReadonlyMap<string, number>
}

export function filledIn(columns: readonly Needed[], target: Typed | undefined): Filled {
  const rows = (target ?? columns[0]?.data)?.length ?? 0
  const counts = new Uint8Array(rows)
  for (const data of target === undefined ? columns.map((column) => column.data) : [target])
    for (let i = 0; i < rows; i++) if (counts[i] === 0 && isThere(data, i)) counts[i] = 1
  return {
    rows: counts.reduce((sum, one) => sum + one, 0),
    columns: new Map(
      columns.map(({ name, data }) => {
        let there = 0
        for (let i = 0; i < rows; i++) if (counts[i] === 1 && isThere(data, i)) there++
        return [name, there]
      }),
    ),
  }
}

function isThere(data: Typed, i: number): boolean {
  if (data.kind === 'text') return data.codes[i]! >= 0
  return !Number.isNaN(data.values[data.offset + i * data.stride]!)
}

/** Whether most of the rows that count would be lost for the sake of a column. */
export function isMostlyEmpty({ rows, columns }: Filled, name: string): boolean {
  return 2 * columns.get(name)! < rows
}

/** How many of the rows that count have no value there. */
export function gapsOf({ rows, columns }: Filled, name: string): number {
  return rows - (columns.get(name) ?? rows)
}
