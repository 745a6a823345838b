import type { OutColumn, OutTable } from '@rlvi/tables'
import { FLAG_BELOW, type Outcome } from './outcome.js'

/** A line for each input row, in input order; rows that were dropped have a number and nothing else. */
export function rowsTable(done: Outcome): OutTable {
  const { prepared, fit, told } = done
  const place = placeOf(prepared.inputRows, prepared.rows)
  const classes = prepared.target?.classes
  return { rows: prepared.inputRows, columns: columns() }

  function columns(): OutColumn[] {
    const { clean, losses } = fit
    const out: OutColumn[] = [
      { name: 'row', kind: 'integer', at: (row) => row },
      known('clean', 'number', (i) => clean[i]!),
      known('flagged', 'boolean', (i) => clean[i]! < FLAG_BELOW),
      known('loss', 'number', (i) => losses[i]!),
    ]
    const { predicted, suggested } = told
    if (predicted !== undefined) out.push(known('predicted', 'number', (i) => predicted[i]!))
    if (suggested !== undefined) out.push(known('suggested', 'text', (i) => classes?.[suggested[i]!] ?? null))
    return out
  }

  function known(
    name: string,
    kind: OutColumn['kind'],
    value: (i: number) => ReturnType<OutColumn['at']>,
  ): OutColumn {
    return { name, kind, at: (row) => (place[row]! < 0 ? null : value(place[row]!)) }
  }
}

/** For each input row its place among those that were used, or -1. */
export function placeOf(inputRows: number, rows: Int32Array): Int32Array {
  const place = new Int32Array(inputRows).fill(-1)
  rows.forEach((row, i) => {
    place[row] = i
  })
  return place
}
