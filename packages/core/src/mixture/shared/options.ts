import type { ErrorLawName } from '../../result.js'

/** What a standardised response was. */
export interface ResponseUnits {
  readonly centre: number
  readonly scale: number
}

/** Options of `fit`. */
export interface FitOptions {
  /** Which subsets the search for starts draws. Default 0. */
  readonly seed?: number
  /**
   * The law of good rows' errors. `auto` (default): the one that the rows speak for. For counts `poisson` or
   * `negative-binomial`, for other continuous rows the rest; labels have none.
   */
  readonly errors?: 'auto' | ErrorLawName
  /**
   * The user's units of a response that was standardised: it was `centre + scale y`. Cautions speak of it, and whether it is
   * positive decides what they advise.
   */
  readonly responseUnits?: ResponseUnits
  /** Where the fit stops: the relative change of the parameters, or for labels and counts the gain in log-likelihood. */
  readonly tolerance?: number
  /** Of the last fit for labels and counts. Default 500. */
  readonly maxIterations?: number
}
