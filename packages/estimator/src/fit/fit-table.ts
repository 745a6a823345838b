import type { ErrorLaw, Status } from 'rlvi'
import { habitsRemark, namedHabits } from '../audit/habits.js'
import type { Columns } from '../columns/column.js'
import { cautionRemark, namedCautions } from '../diagnostics/cautions.js'
import { checkComponents, checkIndependent } from '../diagnostics/design.js'
import { effectiveSampleSize, supportRemark } from '../diagnostics/effective-sample-size.js'
import { judge, statusRemark } from '../diagnostics/judge.js'
import { isSeparable, separable } from '../diagnostics/separation.js'
import type { Fitted, SavedModel, Uncertainty } from '../model/saved-model.js'
import { predictions } from '../predict/predictions.js'
import { argumentWords, type Words } from '../words.js'
import { explained } from './explained.js'
import { flagBelow } from './flag-below.js'
import { intervals, reach } from './intervals.js'
import { fitModel, type ModelFit } from './models.js'
import { type NamedParams, namedErrors, namedParams } from './named-params.js'
import { checkFitOptions, type FitTableOptions, type Settings } from './options.js'
import { type Prepared, prepare } from './prepare.js'
import { Passes } from './progress.js'
import { choices } from './remarks.js'
import { standardErrors, userCovariance } from './standard-errors.js'
import type { TableFit } from './table-fit.js'
import {
  inUserUnits,
  type ResponseUnits,
  standardise,
  standardiseResponse,
  standardiseRobustly,
  type Units,
  unchanged,
} from './units.js'

/**
 * Fits a model to a table of which some rows may be bad: chooses the model by the target, turns texts into indicators,
 * leaves incomplete rows out, standardises, fits, and says all in the table's own names and units. What `rlvi fit`
 * does, with the same numbers.
 *
 * `words` is for programs with options of their own: how messages are to name them.
 *
 * @example
 * const size = Array.from({ length: 30 }, (_, i) => 40 + i)
 * const price = size.map((s, i) => (i % 10 === 9 ? 9999 : 10 * s + (i % 3)))
 * const { params, corruption, clean } = fitTable({ size, price }, { target: 'price' })
 * params.coefficients.size // about 10
 * corruption.level // about 0.1
 */
export function fitTable(
  columns: Columns,
  options: FitTableOptions = {},
  words: Words = argumentWords,
): TableFit {
  return fitPrepared(columns, checkFitOptions(options, words), words, new Set())
}

/** Where all rows of a category turn out to be bad, nothing is known of it: the fit is made without it. */
function fitPrepared(
  columns: Columns,
  settings: Settings,
  words: Words,
  untrusted: ReadonlySet<string>,
): TableFit {
  const prepared = prepare(columns, settings, words, untrusted)
  const { model, x, response } = prepared
  const { intercept, method } = settings
  const remarks = choices(prepared, settings, words)
  if (model === 'pca') checkComponents(settings.components, x.cols, method, words)
  const units = standardised(prepared, intercept)
  const standard = model === 'linear' ? standardiseResponse(response!.y, intercept) : undefined
  if (response !== undefined && model !== 'linear') checkIndependent(x, prepared.columns, intercept, words)
  const { onProgress } = settings
  const passes = onProgress === undefined ? undefined : new Passes(x.rows, onProgress)
  const by = (how: Settings): ModelFit =>
    fitModel(model, x, standard?.y ?? response?.y, response?.classes, how, standard?.units, passes)
  const { fit, fitted } = by(settings)
  const compared = (): Fitted => {
    if (passes !== undefined) passes.comparing = true
    return by(asMl(settings)).fitted
  }
  const { predicted, suggested } = response === undefined ? {} : predictions(fitted, x)
  const separated =
    response?.classes !== undefined &&
    isSeparable({
      x,
      y: response.y,
      classes: response.classes.length,
      suggested: suggested!,
      trusted: Array.from(fit.clean, (clean) => clean >= flagBelow),
      intercept,
    })
  const more = untrustedCategories(fit.status, prepared)
  if (more.length > 0) return fitPrepared(columns, settings, words, new Set([...untrusted, ...more]))
  const ended = judge(fit.status, x, prepared.columns, words)
  const status = separated ? separable : ended
  const names = prepared.columns.map((column) => column.name)
  const cautions = namedCautions(fit.cautions, names)
  const { habits: matrix } = fit.corruption
  const habits = matrix && namedHabits(matrix, response!.classes!)
  for (const remark of [
    statusRemark(status),
    supportRemark(effectiveSampleSize(fit.clean), x.rows, x.cols, model, method, words),
    habits && habitsRemark(habits),
  ])
    if (remark !== undefined) remarks.push(remark)
  remarks.push(...cautions.map(cautionRemark))
  const answer = standard?.units ?? { centre: 0, scale: 1 }
  if (model === 'linear') rescale(predicted!, answer)
  const inUnits = inUserUnits(fitted, units, answer)
  const classes = response?.classes ?? []
  const named = (found: Fitted): NamedParams => namedParams(found, names, classes)
  const params = named(inUnits)
  const errors = separated
    ? undefined
    : namedErrors(model, standardErrors(fit, model, intercept, units, answer), names, classes)
  const effectiveRows = effectiveSampleSize(fit.clean)
  // Only a linear model and a mean have a scale that the same rows must say.
  const scaled = model === 'linear' || model === 'mean'
  const within = reach(
    scaled ? effectiveRows - (model === 'mean' ? 1 : x.cols + (intercept ? 1 : 0)) : Infinity,
  )
  const predicts = hasPredictor(model) || model === 'softmax'
  const covariance =
    separated || !predicts
      ? undefined
      : userCovariance(fit, model === 'softmax' ? classes.length : 1, intercept, units, answer)
  return {
    model: savedModel(
      settings,
      prepared,
      fit.errors,
      inUnits,
      covariance === undefined ? undefined : { covariance, within },
    ),
    params,
    standardErrors: errors,
    intervals: errors && intervals(params, errors, within),
    ml:
      method === 'ml' || !(predicts || model === 'mean')
        ? undefined
        : named(inUserUnits(compared(), units, answer)),
    explained: response && explained(model, response, predicted!, fit.losses, fit.clean, intercept),
    effectiveRows,
    corruption: fit.corruption,
    habits,
    errors: fit.errors,
    cautions,
    clean: fit.clean,
    losses: fit.losses,
    flagged: fit.clean.reduce((count, clean) => (clean < flagBelow ? count + 1 : count), 0),
    predicted,
    suggested,
    inputRows: prepared.inputRows,
    rows: prepared.rows,
    dropped: prepared.inputRows - prepared.rows.length,
    status,
    iterations: fit.iterations,
    trace: fit.trace,
    remarks,
    design: { names, x, units },
    response,
  }
}

/** The categories, by the names of their columns, that no row has which the fit trusts: where these are all that fails. */
export function untrustedCategories(status: Status, { columns, encodings }: Prepared): string[] {
  if (status.kind !== 'degenerate' || status.reason !== 'collinear') return []
  const isCategory = encodings.flatMap((encoding) =>
    encoding.kind === 'number' ? [false] : encoding.values.map(() => true),
  )
  const places = status.columns ?? []
  return places.every((j) => isCategory[j]) ? places.map((j) => columns[j]!.name) : []
}

/** Whether one linear predictor explains the target. */
export function hasPredictor(model: Fitted['model']): boolean {
  return model === 'linear' || model === 'logistic' || model === 'poisson'
}

function asMl(settings: Settings): Settings {
  return { ...settings, method: 'ml', assumed: undefined, errors: undefined }
}

/** The columns in units in which all count alike, where the model would otherwise depend on the user's. */
function standardised({ model, x, response, encodings }: Prepared, intercept: boolean): Units {
  if (model === 'mean') return standardiseRobustly(x)
  if (response === undefined) return unchanged(x.cols)
  const isNumber = encodings.flatMap((encoding) =>
    encoding.kind === 'number' ? [true] : encoding.values.map(() => false),
  )
  return standardise(x, isNumber, intercept)
}

export function rescale(values: Float64Array, { centre, scale }: ResponseUnits): void {
  for (let i = 0; i < values.length; i++) values[i] = values[i]! * scale + centre
}

export function savedModel(
  { method, missing }: Settings,
  { x, encodings, response }: Pick<Prepared, 'x' | 'encodings' | 'response'>,
  errors: ErrorLaw | undefined,
  fitted: Fitted,
  uncertainty: Uncertainty | undefined,
): SavedModel {
  const common = { format: 'rlvi-model', version: 1, method, rows: x.rows, features: encodings } as const
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
