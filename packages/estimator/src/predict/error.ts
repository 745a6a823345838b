import type { Cells } from '../columns/cells.js'
import type { Numbers, Texts } from '../columns/column.js'
import { isUnusable, named, requireNumbers } from '../columns/typed.js'
import { hours } from '../encoding/of-date.js'
import type { Predictions } from './predictions.js'

/** How far off a model is where the target is known: by root mean squared error, or by the share of right labels. */
export type PredictionError =
  | { readonly rmse: number; readonly rows: number }
  | { readonly accuracy: number; readonly rows: number }

/** Undefined where the target has no value in any of the rows, or none that can be compared. */
export function predictionError(
  data: Numbers | Texts,
  classes: readonly string[] | undefined,
  rows: Int32Array,
  { predicted, suggested }: Predictions,
  cells: Cells,
): PredictionError | undefined {
  const known = classes === undefined ? numbersIn(data, cells) : labelsIn(data, classes, cells)
  if (known === undefined) return undefined
  let sum = 0
  let count = 0
  rows.forEach((row, i) => {
    const value = known(row)
    if (Number.isNaN(value)) return
    count++
    if (classes === undefined) sum += (predicted![i]! - value) ** 2
    else if (value === suggested![i]) sum++
  })
  if (count === 0) return undefined
  return classes === undefined
    ? { rmse: Math.sqrt(sum / count), rows: count }
    : { accuracy: sum / count, rows: count }
}

/** The number of each row, NaN where there is none. */
type Known = (row: number) => number

function numbersIn(data: Numbers | Texts, cells: Cells): Known | undefined {
  const found = hours(data, cells) ?? requireNumbers(data, cells)
  if (isUnusable(found)) return undefined
  const { values, offset, stride } = found
  return (row) => values[offset + row * stride]!
}

/** The place of each row's label among the classes; -1 for one that the model does not know. */
function labelsIn(data: Numbers | Texts, classes: readonly string[], cells: Cells): Known {
  if (data.kind === 'number') {
    const at: Known = (row) => data.values[data.offset + row * data.stride]!
    return (row) => {
      const value = cells.numberOf(at(row))
      return typeof value === 'number' ? cells.labelOf(value, classes) : Number.NaN
    }
  }
  const { codes, values } = named(data, cells, classes)
  const places = values.map((value) => cells.labelOf(value, classes))
  return (row) => places[codes[row]!] ?? Number.NaN
}
