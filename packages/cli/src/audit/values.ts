import type { Column } from '@rlvi/estimator'
import { asWritten } from '../terminal/layout.js'

/** The value of a row as a person would write it; empty where it is missing. */
export function valueAt(column: Column, row: number): string {
  if ('matrix' in column) return numberText(column.matrix.values[row * column.matrix.cols + column.column]!)
  if ('codes' in column) return column.values[column.codes[row]!] ?? ''
  const value = column[row]
  if (value === null || value === undefined) return ''
  return typeof value === 'number' ? numberText(value) : String(value)
}

function numberText(value: number): string {
  return Number.isNaN(value) ? '' : asWritten(value)
}
