import { type Column, type Read, read, type Table } from '@rlvi/tables'
import { RlviError, show } from 'rlvi'
import { type Design, design } from '../encoding.js'
import { requireNumbers } from '../fit/columns.js'
import type { SavedModel } from '../model-file.js'
import { type Predictions, predictions } from '../predictions.js'
import { find } from '../terminal/names.js'

export type PredictionError =
  | { readonly rmse: number; readonly rows: number }
  | { readonly accuracy: number; readonly rows: number }

/** A model applied to a file. */
export interface Applied {
  readonly saved: SavedModel
  readonly inputRows: number
  /** The number in the file of each row that could be read. */
  readonly rows: Int32Array
  readonly told: Predictions
  /** 1 for rows with a category that the model has never seen. */
  readonly isUnseen: Uint8Array | undefined
  readonly firstUnseen: Design['firstUnseen']
  readonly predicted: number
  readonly missing: number
  readonly unseen: number
  /** Where the file has the target: how far off the model is. */
  readonly error: PredictionError | undefined
}

export async function apply(table: Table, saved: SavedModel, strict: boolean): Promise<Applied> {
  const numbers: string[] = []
  const labels: string[] = []
  for (const feature of saved.features) {
    const column = find(table.path, feature.name, table.columns)
    if (feature.kind === 'number') {
      await requireNumbers(table, column, 'the model was fitted to numbers there')
      numbers.push(feature.name)
    } else labels.push(feature.name)
  }
  const target = usableTarget(table, saved)
  const found = await read(table, {
    matrix: numbers,
    numbers: target?.kind === 'number' ? [target.name] : [],
    labels: target === undefined || target.kind === 'number' ? labels : [...labels, target.name],
    optional: target === undefined ? [] : [target.name],
    strict,
  })
  const { x, unseen: isUnseen, firstUnseen } = design(found, saved.features)
  if (strict && firstUnseen !== undefined) {
    const { row, column, value } = firstUnseen
    const where = `row ${row}, column ${show(column)}`
    throw new RlviError(
      where,
      'a category that the model knows is needed',
      value,
      'leave --strict out to go on',
    )
  }
  const told = predictions(saved.fitted, x)
  const unseen = isUnseen?.reduce((sum, flag) => sum + flag, 0) ?? 0
  return {
    saved,
    inputRows: found.inputRows,
    rows: found.rows,
    told,
    isUnseen,
    firstUnseen,
    predicted: found.rows.length - unseen,
    missing: found.dropped,
    unseen,
    error: target === undefined ? undefined : errorOf(target, saved, found, told, isUnseen),
  }
}

/** The target's column, if the file has it in a form that can be compared. */
function usableTarget(table: Table, saved: SavedModel): Column | undefined {
  const { target } = saved
  if (target === undefined || saved.features.some((feature) => feature.name === target.name)) return undefined
  const column = table.columns.find(({ name }) => name === target.name)
  return target.classes === undefined && column?.kind !== 'number' ? undefined : column
}

function errorOf(
  target: Column,
  saved: SavedModel,
  found: Read,
  { predicted, suggested }: Predictions,
  isUnseen: Uint8Array | undefined,
): PredictionError | undefined {
  const known = found.numbers.get(target.name)
  const labels = found.labels.get(target.name)
  const classes = saved.target?.classes
  let sum = 0
  let rows = 0
  for (let i = 0; i < found.rows.length; i++) {
    const missing = known === undefined ? labels!.codes[i]! < 0 : Number.isNaN(known[i])
    if (missing || isUnseen?.[i] === 1) continue
    rows++
    if (classes === undefined) sum += (predicted![i]! - known![i]!) ** 2
    else {
      const label = known === undefined ? labels!.values[labels!.codes[i]!] : String(known[i])
      sum += label === classes[suggested![i]!] ? 1 : 0
    }
  }
  if (rows === 0) return undefined
  return classes === undefined ? { rmse: Math.sqrt(sum / rows), rows } : { accuracy: sum / rows, rows }
}
