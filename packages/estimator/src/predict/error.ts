import type { Numbers, Texts } from '../columns/column.js'
import { named, requireNumbers } from '../columns/typed.js'
import { kindOfText, labelOf } from '../columns/values.js'
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
): PredictionError | undefined {
  const known = classes === undefined ? numbersIn(data) : labelsIn(data, classes)
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

function numbersIn(data: Numbers | Texts): Known | undefined {
  const comparable = data.kind === 'number' || !data.values.some((value) => kindOfText(value) === 'word')
  if (!comparable) return undefined
  const { values, offset, stride } = requireNumbers('target', data, '')
  return (row) => values[offset + row * stride]!
}

/** The place of each row's label among the classes; -1 for one that the model does not know. */
function labelsIn(data: Numbers | Texts, classes: readonly string[]): Known {
  if (data.kind === 'number') {
    const at: Known = (row) => data.values[data.offset + row * data.stride]!
    return (row) => (Number.isNaN(at(row)) ? Number.NaN : labelOf(at(row), classes))
  }
  const { codes, values } = named(data, classes)
  const places = values.map((value) => labelOf(value, classes))
  return (row) => places[codes[row]!] ?? Number.NaN
}
