import type { Fit, Params } from 'rlvi'
import type { Fitted, SavedModel } from '../model-file.js'
import { type Predictions, predictions } from '../predictions.js'
import { defaultEpsilon, methods } from './methods.js'
import { fitModel } from './models.js'
import type { FitOptions } from './options.js'
import type { Prepared } from './prepare.js'
import { checkComponents, checkIndependent, judge, thinSupport } from './problems.js'
import { type StandardErrors, standardErrors } from './standard-errors.js'
import {
  inUserUnits,
  type ResponseUnits,
  spread,
  standardise,
  standardiseRobustly,
  type Units,
  unchanged,
} from './units.js'

/** A finished fit, in the user's units, with all that the outputs tell of it. */
export interface Outcome {
  readonly prepared: Prepared
  readonly options: FitOptions
  readonly fitted: Fitted
  readonly standardErrors: StandardErrors | undefined
  /** In which `prepared.x` is now. */
  readonly units: Units
  readonly fit: Fit<Params>
  readonly told: Predictions
  readonly flagged: number
  readonly seconds: number
  /** What a person should know before using the result. */
  readonly remarks: readonly string[]
}

/** A row counts as bad where it is more probably bad than good. */
export const FLAG_BELOW = 0.5

export function outcome(prepared: Prepared, options: FitOptions, started: number): Outcome {
  const { model, x, columns, target } = prepared
  const remarks = choices(prepared, options)
  if (model === 'pca') checkComponents(options.components, x.cols, options.method)
  const { intercept } = options
  const units = standardised(prepared, intercept)
  const response = { centre: 0, scale: 1 }
  let explained = target
  if (model === 'linear' && target !== undefined) {
    const y = { rows: target.y.length, cols: 1, values: target.y }
    const { mean, sd, rootMeanSquare } = spread(y, 0)
    response.centre = intercept ? mean : 0
    response.scale = (intercept ? sd : rootMeanSquare) || 1
    explained = { ...target, y: target.y.map((value) => (value - response.centre) / response.scale) }
  }
  if (target !== undefined && model !== 'linear') checkIndependent(x, columns, intercept)
  const { fit, fitted } = fitModel(model, x, explained, options)
  const remark = judge(fit.status, x, columns)
  const thin = thinSupport(fit.clean, x.cols, model, options.method)
  for (const line of [remark, thin]) if (line !== undefined) remarks.push(line)
  const told = target === undefined ? {} : predictions(fitted, x)
  if (model === 'linear') rescale(told.predicted!, response)
  let flagged = 0
  for (const clean of fit.clean) if (clean < FLAG_BELOW) flagged++
  return {
    prepared,
    options,
    fitted: inUserUnits(fitted, units, response),
    standardErrors: standardErrors(fit, model, intercept, units, response),
    units,
    fit,
    told,
    flagged,
    seconds: (performance.now() - started) / 1000,
    remarks,
  }
}

/** The columns in units in which all count alike, where the model would otherwise depend on the user's. */
function standardised({ model, x, target, encodings }: Prepared, intercept: boolean): Units {
  if (model === 'mean') return standardiseRobustly(x)
  if (target === undefined) return unchanged(x.cols)
  const isNumber = encodings.flatMap((encoding) =>
    encoding.kind === 'number' ? [true] : encoding.values.map(() => false),
  )
  return standardise(x, isNumber, intercept)
}

function rescale(values: Float64Array, { centre, scale }: ResponseUnits): void {
  for (let i = 0; i < values.length; i++) values[i] = values[i]! * scale + centre
}

/** What was chosen for the user, to be said aloud. */
function choices(prepared: Prepared, options: FitOptions): string[] {
  const { model, dropped, target } = prepared
  const out: string[] = []
  if (options.model === undefined) out.push(`model: ${model} (chosen by the target; --model overrides)`)
  if (dropped > 0) out.push(`dropped ${dropped} of ${prepared.inputRows} rows for missing values`)
  if (model === 'logistic') out.push(`positive class: ${JSON.stringify(target?.classes?.[1])}`)
  const { epsilonFor, epsilonRemark } = methods[options.method]
  if (options.assumed !== undefined && epsilonRemark !== undefined) out.push(epsilonRemark)
  if (options.assumed === undefined && epsilonRemark === undefined && epsilonFor.includes(model)) {
    const meaning =
      options.method === 'paper'
        ? `at least ${1 - defaultEpsilon} of the rows are taken as good (n0 = n (1 - ${defaultEpsilon}))`
        : `up to ${defaultEpsilon} of the rows are taken as bad`
    out.push(`assumed level: ${defaultEpsilon}, ${meaning}; --assume overrides`)
  }
  return out
}

export function savedModel(done: Outcome): SavedModel {
  const { prepared } = done
  const { target } = prepared
  const classes = target?.classes
  return {
    format: 'rlvi-model',
    version: 1,
    method: done.options.method,
    rows: prepared.x.rows,
    features: prepared.encodings,
    ...(target === undefined
      ? {}
      : { target: { name: target.name, ...(classes === undefined ? {} : { classes }) } }),
    fitted: done.fitted,
  }
}
