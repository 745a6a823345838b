import type { Params, Reason } from './likelihoods/likelihood.js'
import type { Matrix } from './matrix.js'

/** How a fit ended. A fit always returns; this says what the result is worth. */
export type Status =
  | { readonly kind: 'converged' }
  | { readonly kind: 'max-iterations'; readonly message: string }
  | {
      readonly kind: 'degenerate'
      readonly reason: Reason
      readonly message: string
      readonly columns?: readonly number[]
    }

/** How much of the data is bad. */
export interface Corruption {
  /** Share of rows that are bad; undefined where a method does not say. */
  readonly level: number | undefined
  /** Where the level can be expected, where a method says so. */
  readonly interval: readonly [number, number] | undefined
  /**
   * - `inferred`: a property of the data
   * - `relative`: 1 - mean weight, with the best row's weight as 1: ranks data sets, but is not a share of rows
   * - `assumed`: given by the user or built into the method
   */
  readonly source: 'inferred' | 'relative' | 'assumed'
  /**
   * Of labels that go wrong by habit: P(given label y | true label c), a row for each true label. Left out where the labels
   * do not speak for habits: then a wrong label is any other, each as likely as another.
   */
  readonly habits?: Matrix
}

/** One iteration. */
export interface TraceStep {
  /** The evidence lower bound at this iteration's losses and weights. */
  readonly bound: number
  /** 1 - mean weight. */
  readonly level: number
  /** What the method stops by: the relative change of the parameters, of P(good), or the gain in log-likelihood. */
  readonly change: number
}

/** The law of good rows' errors that the rows speak for. */
export interface ErrorLaw {
  /** `varying`: normal, with a scale that follows the prediction. */
  readonly name: ErrorLawName
  /** Of `student`: the fewer, the heavier the tails. */
  readonly degreesOfFreedom?: number
  /** Of `skewed`: the share of good rows above the mode; .5 is symmetric. */
  readonly above?: number
  /** Of `skewed` rows of several columns: which columns are, by position. */
  readonly columns?: readonly number[]
  /** How many times as large the scale is where the prediction is larger by one standard deviation of all predictions. */
  readonly growth?: number
  /** Of `negative-binomial`: the variance of a count of mean m is m + dispersion m^2. */
  readonly dispersion?: number
}

/** The laws that errors of good rows may follow. */
export type ErrorLawName =
  | 'normal'
  | 'student'
  | 'light'
  | 'skewed'
  | 'varying'
  | 'poisson'
  | 'negative-binomial'

/** What the method cannot know about these data, or what speaks against the model: one sentence, and what to do. */
export interface Caution {
  readonly about: CautionSubject
  readonly message: string
  /** The column that it is about, by position among the features. */
  readonly column?: number
  /** The values of that column that it is about, from the smallest on. */
  readonly values?: readonly number[]
  /** The columns that its sentence names, where it is about several. */
  readonly columns?: readonly number[]
}

/** What a caution is about. */
export type CautionSubject =
  | 'curvature' // the residuals bend against a feature, two together or the prediction, or come in runs along it
  | 'law' // no law of errors fits the good rows, columns are skewed, or counts hide bad ones in their tail or near the good ones
  | 'leverage' // too few rows to see bad leverage points, or a group of them
  | 'few-rows' // too few rows for the level to mean much
  | 'ties' // many residuals are one value, or responses are coarse steps
  | 'zeros' // many responses are 0
  | 'cluster' // bad rows lie together: they may be a group of their own
  | 'copies' // every row occurs several times
  | 'features' // many parameters for so few rows
  | 'level' // the share of wrong labels is hard to tell, or nearly half of the rows count as bad

/**
 * How far off the fit a row must lie to be more probably bad than good; nearer errors cannot be told from what good rows
 * scatter. Of a response in its units, above the prediction and below it: left out on a side where no row would be bad.
 */
export type BadFrom =
  | {
      readonly above?: number
      readonly below?: number
      /** For this prediction, where the distance depends on it: a middling one. */
      readonly at?: number
    }
  /** Of rows without a response: a distance in standard deviations of good rows. */
  | { readonly distance: number }

/** What every method returns; `E` is the shape of its standard errors. */
export interface Fit<P extends Params, E = unknown> {
  readonly params: P
  /** How good each row is, in [0, 1]: P(row is good), with the best row's as 1 where only ratios are known. */
  readonly clean: Float64Array
  /** The loss of each row under `params`. */
  readonly losses: Float64Array
  readonly corruption: Corruption
  /** Standard errors in the shape of `params`, where the method gives them. */
  readonly standardErrors?: E
  /** The covariance of the likelihood's `vector(params)`. */
  readonly covariance?: Matrix
  /** The law of good rows' errors, where the method chooses one. */
  readonly errors?: ErrorLaw
  /** From where on rows count as bad, where the method says so. */
  readonly badFrom?: BadFrom
  /** What speaks against taking the result at its word; none where it is left out. */
  readonly cautions?: readonly Caution[]
  readonly status: Status
  readonly iterations: number
  readonly trace: readonly TraceStep[]
}

/** |a - b| / |b|, or |a| where b is zero. */
export function relativeChange(a: Float64Array, b: Float64Array): number {
  let gap = 0
  let size = 0
  for (let j = 0; j < a.length; j++) {
    gap += (a[j] - b[j]) ** 2
    size += b[j] ** 2
  }
  return gap === 0 ? 0 : Math.sqrt(size > 0 ? gap / size : gap)
}

/** The status of parameters that are final: their own problem, or else `kind`. */
export function statusOf(params: Params, otherwise: Status): Status {
  if (params.problem === undefined) return otherwise
  const { reason, message, columns } = params.problem
  return { kind: 'degenerate', reason, message, ...(columns === undefined ? {} : { columns }) }
}

/** The status of a fit that ended because its numbers are none any more. */
export const notFinite: Status = {
  kind: 'degenerate',
  reason: 'not-finite',
  message: 'a loss is infinite or not a number',
}
