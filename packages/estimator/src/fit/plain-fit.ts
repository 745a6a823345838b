import {
  type Fit as CoreFit,
  linear,
  logistic,
  type Matrix,
  mean,
  type Params,
  poisson,
  softmax,
  standardErrorsOf,
} from 'rlvi'
import type { Fitted } from '../model/saved-model.js'
import { argumentWords } from '../words.js'
import { type Intervals, intervals, reach } from './intervals.js'
import { fitModel, type ModelFit, ridge } from './models.js'
import { type NamedParams, namedErrors, namedParams } from './named-params.js'
import { checkFitOptions } from './options.js'
import { standardErrors } from './standard-errors.js'
import type { TableFit } from './table-fit.js'
import { inUserUnits, type ResponseUnits, standardiseResponse, type Units } from './units.js'

/** The same model of the same rows without protection: maximum likelihood, every row counting alike. */
export interface PlainFit {
  readonly fitted: Fitted
  readonly params: NamedParams
  /** Where the parameters would lie with a probability of 90 % if no row were bad; of models that have such. */
  readonly intervals: Intervals | undefined
}

/**
 * What a fit would have been without protection, with intervals, to stand beside it. `intercept` and `components` as the
 * fit had them.
 *
 * @example
 * const fit = fitTable({ size, price }, { target: 'price' })
 * plainFit(fit).intervals // beside fit.intervals
 */
export function plainFit(
  fit: TableFit,
  { intercept = true, components }: { readonly intercept?: boolean; readonly components?: number } = {},
): PlainFit {
  const { response, design } = fit
  const { model } = fit.model.fitted
  const { x, units, names } = design
  const settings = checkFitOptions(
    {
      model,
      method: 'ml',
      intercept,
      ...(response === undefined ? {} : { target: response.name }),
      ...(model === 'pca' ? { components: components ?? fit.model.fitted.params.components.length } : {}),
    },
    argumentWords,
  )
  const standard = model === 'linear' ? standardiseResponse(response!.y, intercept) : undefined
  const y = standard?.y ?? response?.y
  const classes = response?.classes ?? []
  const found = fitModel(model, x, y, classes, settings, standard?.units)
  const answer = standard?.units ?? { centre: 0, scale: 1 }
  const fitted = inUserUnits(found.fitted, units, answer)
  const covariance = covarianceOf(found, x, y, classes.length, intercept)
  return plainOf(fitted, covariance, x.rows, names, classes, intercept, units, answer)
}

/** A plain fit of so many rows, by its parameters in the table's units and their covariance in those of the fit. */
export function plainOf(
  fitted: Fitted,
  covariance: Matrix | undefined,
  rows: number,
  names: readonly string[],
  classes: readonly string[],
  intercept: boolean,
  units: Units,
  answer: ResponseUnits,
): PlainFit {
  const { model } = fitted
  const params = namedParams(fitted, names, classes)
  const free = freeRows(model, rows, names.length, intercept)
  const errors =
    covariance === undefined
      ? undefined
      : standardErrors({ covariance: times(covariance, rows / free) }, model, intercept, units, answer)
  const named = namedErrors(model, errors, names, classes)
  const degrees = model === 'linear' || model === 'mean' ? free : Number.POSITIVE_INFINITY
  return { fitted, params, intervals: named && intervals(params, named, reach(degrees)) }
}

/** Rows less what the parameters take, where the same rows must say the scale; else all of them. */
function freeRows(model: Fitted['model'], rows: number, cols: number, intercept: boolean): number {
  if (model === 'mean') return Math.max(1, rows - 1)
  return model === 'linear' ? Math.max(1, rows - cols - (intercept ? 1 : 0)) : rows
}

function covarianceOf(
  { fit, fitted }: ModelFit,
  x: Matrix,
  y: Float64Array | undefined,
  classes: number,
  intercept: boolean,
): Matrix | undefined {
  const all = new Float64Array(x.rows).fill(1)
  const params = fit.params as never
  const data = { x, y: y ?? new Float64Array(0) }
  const of = (found: Pick<CoreFit<Params>, 'covariance'>): Matrix | undefined => found.covariance
  switch (fitted.model) {
    case 'linear':
      return of(standardErrorsOf(linear({ intercept }), data, params, all))
    case 'logistic':
      return of(standardErrorsOf(logistic({ intercept, ridge }), data, params, all))
    case 'poisson':
      return of(standardErrorsOf(poisson({ intercept }), data, params, all))
    case 'softmax':
      return of(standardErrorsOf(softmax({ classes, intercept, ridge }), data, params, all))
    case 'mean':
      return of(standardErrorsOf(mean(), { x }, params, all))
    default:
      return undefined
  }
}

function times({ rows, cols, values }: Matrix, factor: number): Matrix {
  return { rows, cols, values: values.map((value) => value * factor) }
}
