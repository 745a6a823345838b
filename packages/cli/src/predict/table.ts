import type { Cell, OutColumn, OutTable } from '@rlvi/tables'
import { placeOf } from '../fit/rows.js'
import type { SavedModel } from '../model-file.js'
import type { Applied } from './apply.js'

/** A line for each input row; empty where the model has nothing to say. */
export function predictionsTable(saved: SavedModel, applied: Applied): OutTable {
  const { told, isUnseen } = applied
  const place = placeOf(applied.inputRows, applied.rows)
  const columns: OutColumn[] = [{ name: 'row', kind: 'integer', at: (row) => row }]
  const add = (name: string, kind: OutColumn['kind'], value: (i: number) => Cell): void => {
    const at = (row: number): Cell => {
      const i = place[row]!
      return i < 0 || isUnseen?.[i] === 1 ? null : value(i)
    }
    columns.push({ name, kind, at })
  }
  const { predicted, suggested, probabilities, scores, distance, loss } = told
  const classes = saved.target?.classes ?? []
  if (predicted !== undefined) add('predicted', 'number', (i) => predicted[i]!)
  if (suggested !== undefined) add('suggested', 'text', (i) => classes[suggested[i]!] ?? null)
  if (probabilities !== undefined) {
    classes.forEach((name, k) => {
      add(`${saved.target?.name}=${name}`, 'number', (i) => probabilities.values[i * classes.length + k]!)
    })
  }
  if (scores !== undefined) {
    for (let c = 0; c < scores.cols; c++) {
      add(`component${c + 1}`, 'number', (i) => scores.values[i * scores.cols + c]!)
    }
  }
  if (distance !== undefined) add('distance', 'number', (i) => distance[i]!)
  if (loss !== undefined) add('loss', 'number', (i) => loss[i]!)
  return { rows: applied.inputRows, columns }
}
