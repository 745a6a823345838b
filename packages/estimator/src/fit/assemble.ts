import type { Corruption, Fit, Matrix, Params } from 'rlvi'
import { habitsRemark, namedHabits } from '../audit/habits.js'
import { inTableUnits } from '../diagnostics/bad-from.js'
import { cautionRemark, namedCautions } from '../diagnostics/cautions.js'
import { checkUnits } from '../diagnostics/design.js'
import { supportRemark } from '../diagnostics/effective-sample-size.js'
import { type JudgedLabels, withHiddenLabels } from '../diagnostics/hidden-labels.js'
import { judge, statusRemark } from '../diagnostics/judge.js'
import { type Separation, separable } from '../diagnostics/separation.js'
import { softBorderRemark } from '../diagnostics/soft-border.js'
import { sumRemark } from '../diagnostics/sums.js'
import { tellingCategoriesRemark } from '../diagnostics/telling-categories.js'
import type { Fitted, SavedModel, Uncertainty } from '../model/saved-model.js'
import type { Words } from '../words.js'
import { intervals, reach } from './intervals.js'
import type { ModelName } from './methods.js'
import { fitModel } from './models.js'
import { type NamedParams, namedErrors, namedParams } from './named-params.js'
import type { Settings } from './options.js'
import { choices, type PreparedRows } from './remarks.js'
import { standardErrors, userCovariance } from './standard-errors.js'
import type { TableFit } from './table-fit.js'
import { inUserUnits, type ResponseUnits, type Units } from './units.js'

/** What was fitted, wherever the rows are. */
export interface Ended {
  readonly prepared: PreparedRows
  readonly settings: Settings
  readonly words: Words
  readonly fit: Pick<
    Fit<Params>,
    'status' | 'corruption' | 'cautions' | 'errors' | 'badFrom' | 'covariance' | 'iterations' | 'trace'
  >
  readonly fitted: Fitted
  /** The fit that trusts every row. */
  readonly ml: () => Fitted
  readonly units: Units
  readonly answer: ResponseUnits
  /** The labels that can be told from the others, in these rows; undefined where none can. */
  readonly separations: readonly Separation[] | undefined
  readonly labels: JudgedLabels
  /** The rows that arrays speak of. */
  readonly x: Matrix
  readonly rows: Pick<
    TableFit,
    | 'clean'
    | 'losses'
    | 'predicted'
    | 'suggested'
    | 'rows'
    | 'part'
    | 'response'
    | 'explained'
    | 'effectiveRows'
    | 'flagged'
  >
}

/** A fit in the table's own names and units, with all that is to be said about it. */
export function assemble(ended: Ended): TableFit {
  const { prepared, settings, words, fit, fitted, units, answer, separations, x, rows } = ended
  const { model, response } = prepared
  const { intercept, method } = settings
  const { effectiveRows } = rows
  const found = judge(fit.status, x, prepared.columns, words)
  const isSeparable = separations !== undefined
  const status = isSeparable ? separable : found
  const names = prepared.columns.map((column) => column.name)
  const classes = response?.classes ?? []
  if (response !== undefined) checkUnits(units, answer, names)
  const cautions = namedCautions(fit.cautions, names, units)
  const corruption = isSeparable ? withParts(ended, separations) : fit.corruption
  const habits = corruption.habits && namedHabits(corruption.habits, classes)
  const inUnits = inUserUnits(fitted, units, answer)
  const sum = sumIn(ended, inUnits)
  const remarks = [
    ...choices(prepared, settings, words),
    statusRemark(status, words, sum !== undefined),
    isSeparable
      ? tellingCategoriesRemark(ended.labels, prepared.columns, prepared.encodings, classes)
      : undefined,
    sum,
    supportRemark(effectiveRows, prepared.rows.length, names.length, model, method, words),
    habits && habitsRemark(habits),
    softBorderRemark(corruption, rows),
    ...cautions.map(cautionRemark),
  ].filter((remark) => remark !== undefined)
  const named = (own: Fitted): NamedParams => namedParams(own, names, classes)
  const params = named(inUnits)
  const errors = isSeparable
    ? undefined
    : namedErrors(model, standardErrors(fit, model, intercept, units, answer), names, classes)
  const within = reachOf(model, effectiveRows, names.length, intercept)
  const predicts = hasPredictor(model) || model === 'softmax'
  const covariance =
    isSeparable || !predicts
      ? undefined
      : userCovariance(fit, model === 'softmax' ? classes.length : 1, intercept, units, answer)
  return {
    model: savedModel(ended, inUnits, covariance === undefined ? undefined : { covariance, within }),
    params,
    standardErrors: errors,
    intervals: errors && intervals(params, errors, within),
    ml:
      method === 'ml' || !(predicts || model === 'mean')
        ? undefined
        : named(inUserUnits(ended.ml(), units, answer)),
    corruption,
    habits,
    errors: fit.errors,
    badFrom: inTableUnits(fit.badFrom, inUnits, units, answer),
    cautions,
    inputRows: prepared.inputRows,
    dropped: prepared.inputRows - prepared.rows.length,
    status,
    iterations: fit.iterations,
    trace: fit.trace,
    remarks,
    design: { names, x, units },
    ...rows,
  }
}

/** Whether target and features add up; of labels nothing does. */
function sumIn({ prepared, settings, words, units, x, rows }: Ended, fitted: Fitted): string | undefined {
  const { response, clean } = rows
  if (response === undefined || response.classes !== undefined) return undefined
  const { encodings, left, some } = prepared
  const { intercept } = settings
  const coefficients = fitted.model === 'linear' ? fitted.params.coefficients : undefined
  const summed = { x, units, encodings, y: response.y, some, clean, coefficients, intercept }
  return sumRemark(response.name, summed, left, words)
}

/** Labels that can be told in some rows say little of the others: those are fitted by themselves. */
function withParts({ fit, settings, labels }: Ended, separations: readonly Separation[]): Corruption {
  return withHiddenLabels(fit.corruption, labels, separations, (x, y, classes) => {
    const places = Array.from({ length: classes }, (_, k) => String(k))
    const part = fitModel(classes > 2 ? 'softmax' : 'logistic', x, y, places, settings).fit
    const { kind } = part.status
    return kind === 'degenerate' && part.status.reason !== 'separable' ? undefined : part.corruption.interval
  })
}

/** Only a linear model and a mean have a scale that the same rows must say. */
function reachOf(model: ModelName, effectiveRows: number, columns: number, intercept: boolean): number {
  if (model !== 'linear' && model !== 'mean') return reach(Number.POSITIVE_INFINITY)
  return reach(effectiveRows - (model === 'mean' ? 1 : columns + (intercept ? 1 : 0)))
}

/** Whether one linear predictor explains the target. */
export function hasPredictor(model: Fitted['model']): boolean {
  return model === 'linear' || model === 'logistic' || model === 'poisson'
}

function savedModel(
  { settings: { method, missing }, prepared: { rows, encodings, response }, fit: { errors } }: Ended,
  fitted: Fitted,
  uncertainty: Uncertainty | undefined,
): SavedModel {
  const common = { format: 'rlvi-model', version: 1, method, rows: rows.length, features: encodings } as const
  const found = {
    ...(missing === undefined ? {} : { missing }),
    fitted,
    ...(errors === undefined ? {} : { errors }),
    ...(uncertainty === undefined ? {} : { uncertainty }),
  }
  if (response === undefined) return { ...common, ...found }
  const { name, classes } = response
  return { ...common, target: { name, ...(classes === undefined ? {} : { classes }) }, ...found }
}
