import { type Cells, cells } from '../columns/cells.js'
import { checkNumberRules, type NumberRules } from '../columns/number-text.js'
import { OptionError, type Words } from '../words.js'
import { checkErrors, type ErrorLawChoice, errorLawChoices } from './error-laws.js'
import {
  checkMethod,
  defaultMethod,
  type MethodName,
  type ModelName,
  methodNames,
  modelNames,
  supervisedModels,
} from './methods.js'
import type { FitProgress } from './progress.js'

/** The options of `fitTable`. */
export interface FitTableOptions extends NumberRules {
  /** The column to explain. Needed by all models but `mean`, `covariance` and `pca`, which have none. */
  readonly target?: string | undefined
  /** Chosen by the target where it is not given. */
  readonly model?: ModelName | undefined
  /**
   * The target is known to hold labels: up to 20 different whole numbers are labels then, and not only where each is
   * frequent. Says nothing where a model is given. Default false.
   */
  readonly labels?: boolean | undefined
  /** The columns that explain it; default: all but the target. */
  readonly features?: readonly string[] | undefined
  /** Columns to leave out, in place of `features`. */
  readonly exclude?: readonly string[] | undefined
  /** Default true. */
  readonly intercept?: boolean | undefined
  /** Of `pca`, default 1. */
  readonly components?: number | undefined
  /** Default `calibrated`. */
  readonly method?: MethodName | undefined
  /** The share of bad rows that `sever`, `rrm`, and `paper` for a covariance, must be given: default 0.3. */
  readonly assumed?: number | undefined
  /**
   * The law of good rows' errors, for `calibrated`. `auto` (default): the one that the rows speak for. For measured
   * rows also `normal`, `student` or `skewed`, for `linear` also `varying`, for `poisson` itself or `negative-binomial`.
   */
  readonly errors?: ErrorLawChoice | undefined
  /** Default 0. */
  readonly seed?: number | undefined
  /** A missing value is an error. */
  readonly strict?: boolean | undefined
  /**
   * The texts, or numbers as texts, that stand for missing values, in place of the usual ones (`NA`, `null`, `-`, …). An
   * empty text always does.
   */
  readonly missing?: readonly string[] | undefined
  /** Features whose values are categories, though they may look like numbers or dates. */
  readonly categories?: readonly string[] | undefined
  /** Features whose values are numbers: words among them are missing values. */
  readonly numbers?: readonly string[] | undefined
  /** Dates become year, month, weekday and hour, instead of days since the first. Default false. */
  readonly dateParts?: boolean | undefined
  /** Whether day (`dmy`) or month (`mdy`) comes first in dates such as 1/2/2020; without it the dates must tell. */
  readonly dateOrder?: 'dmy' | 'mdy' | undefined
  /**
   * Columns of a matrix (`{ matrix, column }`) may be changed: the fit then needs no copy of them, and leaves them
   * without the incomplete rows, in units of its own (`design`). Default false.
   */
  readonly reuse?: boolean | undefined
  /** Told, a few times a second, how far the fit has come. The numbers are the same with it and without. */
  readonly onProgress?: ((progress: FitProgress) => void) | undefined
}

export interface Settings {
  readonly target: string | undefined
  readonly model: ModelName | undefined
  readonly labels: boolean
  readonly features: readonly string[] | undefined
  readonly exclude: readonly string[] | undefined
  readonly intercept: boolean
  readonly components: number
  readonly method: MethodName
  readonly assumed: number | undefined
  readonly errors: ErrorLawChoice | undefined
  readonly seed: number
  readonly strict: boolean
  readonly cells: Cells
  /** The texts for missing values that were given. */
  readonly missing: readonly string[] | undefined
  readonly categories: readonly string[]
  readonly numbers: readonly string[]
  readonly dateParts: boolean
  readonly reuse: boolean
  readonly onProgress: ((progress: FitProgress) => void) | undefined
}

/** Everything that can be wrong with the options by themselves is found here, before any data are looked at. */
export function checkFitOptions(options: FitTableOptions, words: Words): Settings {
  const { target, features, exclude, assumed } = options
  const model =
    options.model === undefined ? undefined : oneOf(words.option('model'), options.model, modelNames)
  const method = oneOf(words.option('method'), options.method ?? defaultMethod, methodNames)
  const errors =
    options.errors === undefined ? undefined : oneOf(words.option('errors'), options.errors, errorLawChoices)
  if (assumed !== undefined && !(assumed > 0 && assumed < 1))
    throw new OptionError(words.option('assumed'), 'a number between 0 and 1 is needed', assumed)
  checkTarget(options, model, words)
  checkMethod(method, model, assumed, words)
  checkErrors(errors, method, model, words)
  if (features !== undefined && exclude !== undefined) {
    const rule = `give either ${words.option('features')} or ${words.option('exclude')}`
    throw new OptionError(words.option('exclude'), rule, exclude)
  }
  if (options.components !== undefined && model !== 'pca') {
    const rule = `is for ${words.option('model', 'pca')} only`
    throw new OptionError(words.option('components'), rule, model ?? 'none')
  }
  checkNumberRules(options, words)
  const both = options.categories?.find((name) => options.numbers?.includes(name))
  if (both !== undefined) {
    const rule = `a column is in ${words.option('categories')} or in ${words.option('numbers')}`
    throw new OptionError(words.option('numbers'), rule, both)
  }
  return {
    target,
    model,
    labels: options.labels ?? false,
    features,
    exclude,
    intercept: options.intercept ?? true,
    components: wholeNumber(words.option('components'), options.components ?? 1, 1),
    method,
    assumed,
    errors,
    seed: wholeNumber(words.option('seed'), options.seed ?? 0, 0),
    strict: options.strict ?? false,
    cells: cells(options),
    missing: options.missing,
    categories: options.categories ?? [],
    numbers: options.numbers ?? [],
    dateParts: options.dateParts ?? false,
    reuse: options.reuse ?? false,
    onProgress: options.onProgress,
  }
}

function checkTarget(
  { target, intercept }: FitTableOptions,
  model: ModelName | undefined,
  words: Words,
): void {
  const unsupervised = model !== undefined && !supervisedModels.includes(model)
  if (unsupervised && target !== undefined) {
    const rule = `${words.option('model', model)} has none`
    throw new OptionError(words.option('target'), rule, target, 'leave it out')
  }
  if (unsupervised && intercept === false)
    throw new OptionError(words.option('intercept'), 'is for models with a target', model)
  if (!unsupervised && target === undefined) {
    const todo = `or choose ${words.option('model', 'mean')}, covariance or pca, which need none`
    throw new OptionError(words.option('target'), 'the column to explain is needed', 'none', todo)
  }
}

function oneOf<T extends string>(where: string, given: string, allowed: readonly T[]): T {
  const found = allowed.find((name) => name === given)
  if (found === undefined) throw new OptionError(where, `one of ${allowed.join(', ')} is needed`, given)
  return found
}

function wholeNumber(where: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value
  throw new OptionError(where, `a whole number of at least ${least} is needed`, value)
}
