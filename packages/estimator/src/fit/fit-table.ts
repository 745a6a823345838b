import type { Status } from 'rlvi'
import type { Columns } from '../columns/column.js'
import { checkComponents, checkIndependent } from '../diagnostics/design.js'
import { effectiveSampleSize } from '../diagnostics/effective-sample-size.js'
import { separations } from '../diagnostics/separation.js'
import { predictions } from '../predict/predictions.js'
import { argumentWords, type Words } from '../words.js'
import { assemble } from './assemble.js'
import { explained } from './explained.js'
import { flagBelow } from './flag-below.js'
import { fitModel, type ModelFit } from './models.js'
import { checkFitOptions, type FitTableOptions, type Settings } from './options.js'
import { type Prepared, prepare } from './prepare.js'
import { Passes } from './progress.js'
import type { TableFit } from './table-fit.js'
import {
  type ResponseUnits,
  shiftToZero,
  standardise,
  standardiseResponse,
  standardiseRobustly,
  type Units,
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
  if (model === 'pca') checkComponents(settings.components, x.cols, method, words)
  const units = standardised(prepared, intercept)
  const standard = model === 'linear' ? standardiseResponse(response!.y, intercept) : undefined
  if (response !== undefined && model !== 'linear') checkIndependent(x, prepared.columns, intercept, words)
  const { onProgress } = settings
  const passes = onProgress === undefined ? undefined : new Passes(x.rows, method, onProgress)
  const by = (how: Settings): ModelFit =>
    fitModel(model, x, standard?.y ?? response?.y, response?.classes, how, standard?.units, passes)
  const { fit, fitted } = by(settings)
  const more = untrustedCategories(fit.status, prepared)
  if (more.length > 0) return fitPrepared(columns, settings, words, new Set([...untrusted, ...more]))
  const { clean, losses } = fit
  const { predicted, suggested } = response === undefined ? {} : predictions(fitted, x)
  const answer = standard?.units ?? { centre: 0, scale: 1 }
  if (model === 'linear') rescale(predicted!, answer)
  const y = response?.y ?? new Float64Array(0)
  return assemble({
    prepared,
    settings,
    words,
    fit,
    fitted,
    ml() {
      if (passes !== undefined) passes.comparing = true
      return by(asMl(settings)).fitted
    },
    units,
    answer,
    separations:
      response?.classes &&
      separations({
        x,
        y,
        classes: response.classes.length,
        suggested: suggested!,
        trusted: Array.from(clean, (p) => p >= flagBelow),
        intercept,
      }),
    labels: { x, y, clean, intercept },
    x,
    rows: {
      clean,
      losses,
      predicted,
      suggested,
      rows: prepared.rows,
      response,
      explained: response && explained(model, response, predicted!, losses, clean, intercept),
      effectiveRows: effectiveSampleSize(clean),
      flagged: clean.reduce((count, p) => (p < flagBelow ? count + 1 : count), 0),
    },
  })
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

function asMl(settings: Settings): Settings {
  return { ...settings, method: 'ml', assumed: undefined, errors: undefined }
}

/** The columns in units in which all count alike, where the model would otherwise depend on the user's. */
function standardised({ model, x, response, encodings }: Prepared, intercept: boolean): Units {
  if (model === 'mean') return standardiseRobustly(x)
  const isNumber = encodings.flatMap((encoding) =>
    encoding.kind === 'number' ? [true] : encoding.values.map(() => false),
  )
  return response === undefined ? shiftToZero(x, isNumber) : standardise(x, isNumber, intercept)
}

export function rescale(values: Float64Array, { centre, scale }: ResponseUnits): void {
  for (let i = 0; i < values.length; i++) values[i] = values[i]! * scale + centre
}
