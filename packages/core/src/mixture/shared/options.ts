/** Options of `fit`. */
export interface FitOptions {
  /** Which subsets the search for starts draws. Default 0. */
  readonly seed?: number
  /** Where the fit stops: the relative change of the parameters, or for labels and counts the gain in log-likelihood. */
  readonly tolerance?: number
  /** Of the last fit for labels and counts. Default 500. */
  readonly maxIterations?: number
}
