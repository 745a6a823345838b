import type { SavedModel, TablePredictions } from '@rlvi/estimator'
import type { Cell, OutColumn, OutTable } from '@rlvi/tables'
import type { Matrix } from 'rlvi'
import { knownRows } from '../fit/rows.js'
import { numberColumn } from '../table/number-column.js'

/** A line for each input row; empty where the model has nothing to say. */
export function toRows({ target }: SavedModel, found: TablePredictions): OutTable {
  const known = knownRows(found.inputRows, found.rows)
  const columns: OutColumn[] = [numberColumn]
  const add = (name: string, kind: OutColumn['kind'], value: (i: number) => Cell): void => {
    columns.push(known(name, kind, value))
  }
  const { predicted, suggested, probabilities, scores, distances, losses, intervals } = found
  const classes = target?.classes ?? []
  if (predicted !== undefined) add('predicted', 'number', (i) => predicted[i]!)
  if (intervals !== undefined) {
    add('low', 'number', (i) => intervals.low[i]!)
    add('high', 'number', (i) => intervals.high[i]!)
  }
  if (suggested !== undefined) add('suggested', 'text', (i) => classes[suggested[i]!] ?? null)
  if (probabilities !== undefined) {
    classes.forEach((name, k) => {
      const title = `${target?.name}=${name}`
      const at = (of: Matrix) => (i: number) => of.values[i * classes.length + k]!
      add(title, 'number', at(probabilities))
      if (intervals?.classes === undefined) return
      add(`${title}.low`, 'number', at(intervals.classes.low))
      add(`${title}.high`, 'number', at(intervals.classes.high))
    })
  }
  if (scores !== undefined) {
    for (let c = 0; c < scores.cols; c++) {
      add(`component${c + 1}`, 'number', (i) => scores.values[i * scores.cols + c]!)
    }
  }
  if (distances !== undefined) add('distance', 'number', (i) => distances[i]!)
  if (losses !== undefined) add('loss', 'number', (i) => losses[i]!)
  return { rows: found.inputRows, columns }
}
