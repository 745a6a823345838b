import { RlviError, show } from 'rlvi'
import { type CellRules, cells } from '../columns/cells.js'
import { type Columns, checkLengths, columnNames, columnOf } from '../columns/column.js'
import { type Complete, completeRows } from '../columns/complete.js'
import { missingByColumn } from '../columns/missing-by-column.js'
import { checkNumberRules } from '../columns/number-text.js'
import { checkProblems, type Problem } from '../columns/problem.js'
import { design, type Feature } from '../encoding/design.js'
import type { SavedModel } from '../model/saved-model.js'
import { checkName } from '../names.js'
import { argumentWords, type Words } from '../words.js'
import { type PredictionError, predictionError } from './error.js'
import { type PredictionIntervals, predictionIntervals } from './intervals.js'
import { asFitted, knownRows, type Unseen } from './known.js'
import { type Predictions, predictions } from './predictions.js'

/** The options of `predictTable`. */
export interface PredictTableOptions extends CellRules {
  /** A missing value, or a category that the model has never seen, is an error. */
  readonly strict?: boolean | undefined
  /** 90 % intervals of the predictions too, for models with a target. */
  readonly intervals?: boolean | undefined
  /** Columns of a matrix may be changed: no copy of them is needed then. Default false. */
  readonly reuse?: boolean | undefined
}

/** A model's word on a table. Arrays have an entry for each row with a prediction. */
export interface TablePredictions extends Predictions {
  /** Where the predictions lie with a probability of 90 %, where that was asked for. */
  readonly intervals: PredictionIntervals | undefined
  /** Rows of the table. */
  readonly inputRows: number
  /** The place in the table of each row with a prediction: an index, from 0. (`rlvi predict` shows these plus 1.) */
  readonly rows: Int32Array
  /** Rows without one because a value is missing. */
  readonly missing: number
  /** Rows without one because the model has never seen their category, and the first of those. */
  readonly unseen: number
  readonly firstUnseen: Unseen | undefined
  /** Where the table has the target: how far off the model is. */
  readonly error: PredictionError | undefined
  /** What a person should know: how many rows have no prediction and why, and the error. */
  readonly remarks: readonly string[]
}

/**
 * Applies a saved model to a table with the columns that it was fitted to, in any order. What `rlvi predict` does,
 * with the same numbers.
 *
 * @example
 * const { model } = fitTable({ size, price }, { target: 'price' })
 * const { predicted } = predictTable(model, { size: [60, 80] })
 */
export function predictTable(
  model: SavedModel,
  columns: Columns,
  options: PredictTableOptions = {},
  words: Words = argumentWords,
): TablePredictions {
  const names = columnNames(columns)
  for (const { name } of model.features) checkName(words.source, name, names, words.holder)
  // What stood for a missing value in the rows that the model learned from still does.
  checkNumberRules(options, words)
  const read = cells({ ...options, missing: options.missing ?? model.missing })
  const features: Feature[] = []
  const problems: Problem[] = []
  for (const encoding of model.features) {
    const column = encoding.name
    const found = asFitted(encoding, columnOf(columns, column), read)
    if ('encoding' in found) features.push(found)
    else if (!problems.some((problem) => problem.column === column))
      problems.push({ column, optional: false, ...found })
  }
  checkProblems(problems, words)
  const needed = features.map(({ encoding, data }) => ({ name: encoding.name, data }))
  const target = targetOf(model, names)
  const given = target === undefined ? undefined : { name: target, data: columnOf(columns, target) }
  const inputRows = checkLengths(given === undefined ? needed : [...needed, given])
  const complete = completeRows(needed, inputRows, options.strict ?? false, words)
  const { rows, firstUnseen } = knownRows(features, complete.rows)
  if (options.strict && firstUnseen !== undefined) throw unknownCategory(firstUnseen, words)
  const x = design(features, rows, { reuse: options.reuse ?? false, changes: false })
  const predicted = predictions(model.fitted, x)
  const found = {
    ...predicted,
    intervals: options.intervals ? predictionIntervals(model, x, predicted, words) : undefined,
    inputRows: complete.inputRows,
    rows,
    missing: complete.inputRows - complete.rows.length,
    unseen: complete.rows.length - rows.length,
    firstUnseen,
    error: given && predictionError(given.data, model.target?.classes, rows, predicted, read),
  }
  return { ...found, remarks: remarks(found, complete, words) }
}

/** The target, if the table has it and the model does not look at it. */
function targetOf({ target, features }: SavedModel, names: readonly string[]): string | undefined {
  if (target === undefined || !names.includes(target.name)) return undefined
  return features.some(({ name }) => name === target.name) ? undefined : target.name
}

function unknownCategory({ row, column, value }: Unseen, words: Words): RlviError {
  const where = `${words.row(row)}, column ${show(column)}`
  const todo = `leave ${words.option('strict')} out to go on; ${words.rowsCount}`
  return new RlviError(where, 'a category that the model knows is needed', value, todo)
}

function remarks(found: Omit<TablePredictions, 'remarks'>, complete: Complete, words: Words): string[] {
  const { inputRows, missing, unseen, firstUnseen, error } = found
  const out: string[] = []
  if (missing > 0) {
    const columns = missingByColumn(complete.missing, complete.emptyBelow)
    out.push(`no prediction for ${missing} of ${inputRows} rows: values are missing (${columns})`)
  }
  if (firstUnseen !== undefined) {
    const { column, value, row } = firstUnseen
    const first = `the first in ${words.row(row)}, column ${show(column)}: ${show(value)} (${words.rowsCount})`
    out.push(
      `no prediction for ${unseen} of ${inputRows} rows: categories that the model has never seen, ${first}`,
    )
  }
  if (error !== undefined) {
    const [name, value] = 'rmse' in error ? ['rmse', error.rmse] : ['accuracy', error.accuracy]
    out.push(`${name} ${Number(value.toPrecision(5))} on the ${error.rows} rows with a known target`)
  }
  return out
}
