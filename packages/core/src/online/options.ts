import { checkBetween } from '../check.js'
import { RlviError } from '../errors.js'
import { findModel } from './models/find.js'
import type { OnlineModel, OnlineModelName } from './models/model.js'

const modelNames: readonly string[] = ['logistic', 'softmax', 'linear'] satisfies OnlineModelName[]
const methods = ['calibrated', 'paper', 'rrm', 'sgd'] as const
const schedules = ['adaptive', 'optimal'] as const
const scalings = ['running', 'batch', 'none'] as const
const sums = ['mean', 'sum'] as const

/** How the E-step weighs a batch's rows; `OnlineOptions.method` explains each. */
export type OnlineMethod = (typeof methods)[number]
/** How the rate of the gradient steps falls; `OnlineOptions.schedule` explains each. */
export type OnlineSchedule = (typeof schedules)[number]
/** How features are standardised; `OnlineOptions.scaling` explains each. */
export type OnlineScaling = (typeof scalings)[number]

/** What `online.init` is given. */
export interface OnlineOptions {
  /** A name, or a model of your own; then pass the same object to every `update` and `predict`. */
  readonly model: OnlineModelName | OnlineModel
  /** Number of features in each row. */
  readonly features: number
  /** Number of labels, for `softmax`. */
  readonly classes?: number
  /**
   * How a batch's rows are weighed:
   * - `calibrated` (the default): by P(good) under a mixture with a reference density, so that the level means something
   * - `paper`: by the paper's E-step (start .5, at most 100 iterations, tolerance 1e-3)
   * - `rrm`: by robust risk minimisation with at most the `assumed` share of bad rows
   * - `sgd`: all alike
   */
  readonly method?: OnlineMethod
  /** For `rrm`: the assumed corruption level, an upper bound. Default .3, the paper's. */
  readonly assumed?: number
  /**
   * - `adaptive` (the default) needs no tuning
   * - `optimal` is scikit-learn's: eta_t = 1 / (alpha (1 / (alpha eta_0) + t - 1)), t counting rows from 1
   */
  readonly schedule?: OnlineSchedule
  /** The ridge penalty alpha. Default 1e-4 with `optimal`, as scikit-learn's; 0 with `adaptive`. */
  readonly alpha?: number
  /**
   * - `running` (the default): by means and scales of the rows seen before, robust to outliers
   * - `batch`: by those of the batch itself, as in the paper's experiment
   * - `none`
   */
  readonly scaling?: OnlineScaling
  /**
   * Whether a batch counts as one row in the step (`mean`: weights are divided by the number of rows, as the paper's
   * code does for RLVI and RRM) or as its rows (`sum`). Default `sum` for `adaptive`, `mean` for `optimal`.
   */
  readonly weights?: (typeof sums)[number]
  /**
   * For labels 0 and 1, as the authors' released code: rows are weighed by -log P(label 1), whatever their label, and
   * RRM's temperature is sought with e^(-l / alpha) held above 1e-16.
   */
  readonly asReleased?: boolean
  /** Whether to tell drift from corruption and to follow it: for `calibrated` only, and its default. */
  readonly drift?: boolean
}

/** The options with nothing left open, as plain data. */
export interface ResolvedOnlineOptions {
  /** The model's name; that of the object for a model of your own. */
  readonly model: string
  /** Number of features in each row. */
  readonly features: number
  /** Number of labels, for `softmax`; 0 for other models. */
  readonly classes: number
  readonly method: OnlineMethod
  /** The corruption level that `rrm` assumes. */
  readonly assumed: number
  readonly schedule: OnlineSchedule
  /** The ridge penalty. */
  readonly alpha: number
  readonly scaling: OnlineScaling
  readonly weights: (typeof sums)[number]
  readonly asReleased: boolean
  readonly drift: boolean
}

/** Every choice made, and none that contradicts another. */
export function resolveOptions(options: OnlineOptions): ResolvedOnlineOptions {
  const { features, method = 'calibrated', schedule = 'adaptive', scaling = 'running' } = options
  oneOf('online method', method, methods)
  oneOf('online schedule', schedule, schedules)
  oneOf('online scaling', scaling, scalings)
  const { weights = schedule === 'optimal' ? 'mean' : 'sum' } = options
  oneOf('online weights', weights, sums)
  if (!Number.isInteger(features) || features < 0) {
    throw new RlviError('online features', 'a whole number of columns is needed', features)
  }
  const { assumed = 0.3, alpha = schedule === 'optimal' ? 1e-4 : 0, asReleased = false } = options
  checkBetween('online assumed', assumed, 0, 1)
  if (!(alpha >= 0 && alpha < 1)) throw new RlviError('online alpha', 'a number from 0 to 1 is needed', alpha)
  if (schedule === 'optimal' && alpha === 0) {
    throw new RlviError('online alpha', "the schedule 'optimal' needs a positive penalty", alpha)
  }
  const { drift = method === 'calibrated', classes = 0 } = options
  const model = typeof options.model === 'string' ? options.model : ownName(options.model)
  const resolved: ResolvedOnlineOptions = {
    model,
    features,
    classes,
    method,
    assumed,
    schedule,
    alpha,
    scaling,
    weights,
    asReleased,
    drift,
  }
  checkAgainstModel(
    resolved,
    findModel(resolved, typeof options.model === 'string' ? undefined : options.model),
  )
  return resolved
}

/** A state that names a built-in model goes on without an object, so that another model must not be called that. */
function ownName({ name }: OnlineModel): string {
  if (!modelNames.includes(name)) return name
  throw new RlviError('online model', 'a name that no built-in model has is needed', name)
}

function checkAgainstModel(options: ResolvedOnlineOptions, { labels, reference }: OnlineModel): void {
  const { model, method, scaling, asReleased, drift } = options
  if (asReleased && labels !== 2) {
    throw new RlviError('online asReleased', 'the released code has labels 0 and 1 only', model)
  }
  if (method === 'calibrated' && labels === undefined && reference === undefined) {
    throw new RlviError(
      'online method',
      "'calibrated' needs a model with labels or a reference",
      model,
      "add `reference` to it, or choose the method 'paper'",
    )
  }
  if (scaling === 'batch' && labels === undefined) {
    throw new RlviError(
      'online scaling',
      "'batch' is for labels: the scale of a response would betray it to its own prediction",
      model,
    )
  }
  if (drift && method !== 'calibrated') {
    throw new RlviError('online drift', "only the method 'calibrated' detects drift", method)
  }
}

function oneOf(where: string, value: string, known: readonly string[]): void {
  if (!known.includes(value)) throw new RlviError(where, `one of ${known.join(', ')} is needed`, value)
}
