import { flagBelow, type TableFit } from '@rlvi/estimator'
import type { Cell, OutColumn, OutTable } from '@rlvi/tables'
import { numberColumn } from '../table/number-column.js'

/** A line for each input row, in input order; rows that were dropped have a number and nothing else. */
export function toRows({ inputRows, rows, clean, losses, predicted, suggested, model }: TableFit): OutTable {
  const known = knownRows(inputRows, rows)
  const classes = model.target?.classes
  const columns: OutColumn[] = [
    numberColumn,
    known('clean', 'number', (i) => clean[i]!),
    known('flagged', 'boolean', (i) => clean[i]! < flagBelow),
    known('loss', 'number', (i) => losses[i]!),
  ]
  if (predicted !== undefined) columns.push(known('predicted', 'number', (i) => predicted[i]!))
  if (suggested !== undefined)
    columns.push(known('suggested', 'text', (i) => classes?.[suggested[i]!] ?? null))
  return { rows: inputRows, columns }
}

/** Makes columns over all input rows from values of the used ones, empty elsewhere. */
export function knownRows(
  inputRows: number,
  rows: Int32Array,
): (name: string, kind: OutColumn['kind'], value: (i: number) => Cell) => OutColumn {
  const place = new Int32Array(inputRows).fill(-1)
  rows.forEach((row, i) => {
    place[row] = i
  })
  return (name, kind, value) => ({ name, kind, at: (row) => (place[row]! < 0 ? null : value(place[row]!)) })
}
