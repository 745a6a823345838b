import type { Column } from '@rlvi/estimator'

/** The value of a row as it is; null where it is missing. */
export function cellAt(column: Column, row: number): number | string | null {
  if ('matrix' in column) return there(column.matrix.values[row * column.matrix.cols + column.column]!)
  if ('codes' in column) return column.values[column.codes[row]!] ?? null
  const value = column[row]
  if (value === null || value === undefined) return null
  return typeof value === 'number' ? there(value) : String(value)
}

function there(value: number): number | null {
  return Number.isNaN(value) ? null : value
}
