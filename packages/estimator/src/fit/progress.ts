import type { Discrete, Likelihood, Params } from 'rlvi'
import type { MethodName } from './methods.js'

/** How far a fit has come. How many passes it will take is not known beforehand. */
export interface FitProgress {
  /** `searching` among models of some of the rows, `fitting` to all of them, or `comparing` with maximum likelihood. */
  readonly phase: 'searching' | 'fitting' | 'comparing'
  /** Rows of the fit. */
  readonly rows: number
  /** Weighted fits so far. */
  readonly pass: number
  /** The share of bad rows so far, where all rows have been judged: by `calibrated` alone, whose weights are P(good). */
  readonly level: number | undefined
}

/** Told at most as often (milliseconds): a fit of few rows makes thousands of passes. */
const EVERY = 100

/** Counts the weighted fits of a whole fit, and tells of them. */
export class Passes {
  /** Whether what comes is the fit that the one before is compared with. */
  comparing = false
  readonly #told: (progress: FitProgress) => void
  readonly #rows: number
  readonly #method: MethodName
  #pass = 0
  /** Of the last fit to all rows. */
  #weights: Float64Array | undefined
  #level: number | undefined
  #last = Date.now()

  constructor(rows: number, method: MethodName, told: (progress: FitProgress) => void) {
    this.#rows = rows
    this.#method = method
    this.#told = told
  }

  /** The same likelihood, whose fits are counted; it gives the same numbers. */
  watched<D, P extends Params, L extends Likelihood<D, P>>(likelihood: L): L {
    const pass = (data: D, weights: Float64Array | undefined): void =>
      this.#count(likelihood.rows(data), weights)
    const { refit, prior } = likelihood as L & Partial<Refitted<D, P>> & Pick<Discrete<D, P>, 'prior'>
    return {
      ...likelihood,
      fit(data: D, weights?: Float64Array, start?: P) {
        pass(data, weights)
        return likelihood.fit(data, weights, start)
      },
      ...(refit === undefined
        ? {}
        : {
            refit(data: D, weights: Float64Array, start: P, residuals: Float64Array) {
              pass(data, weights)
              return refit(data, weights, start, residuals)
            },
          }),
      // Under other priors it is another likelihood, where most of the time goes.
      ...(prior === undefined
        ? {}
        : {
            prior: {
              ...prior,
              strengthened: (data: D, strength: number, own: 'kept' | 'replaced') =>
                this.watched<D, P, Discrete<D, P>>(prior.strengthened(data, strength, own)),
            },
          }),
    }
  }

  #count(rows: number, weights: Float64Array | undefined): void {
    this.#pass++
    const all = rows === this.#rows
    const judges = this.#method === 'calibrated' && !this.comparing
    if (all && weights !== undefined && judges) this.#weights = weights
    const now = Date.now()
    if (now - this.#last < EVERY) return
    this.#last = now
    if (this.#weights !== undefined) this.#level = levelOf(this.#weights) ?? this.#level
    const phase = this.comparing ? 'comparing' : all ? 'fitting' : 'searching'
    this.#told({ phase, rows: this.#rows, pass: this.#pass, level: this.#level })
  }
}

interface Refitted<D, P> {
  refit(data: D, weights: Float64Array, start: P, residuals: Float64Array): P
}

/** Where rows are taken or left, as starts do it, nothing has been judged yet. */
function levelOf(weights: Float64Array): number | undefined {
  let good = 0
  let judged = false
  for (const weight of weights) {
    // Weights may also hold how much a row counts under the law of its errors.
    if (weight > 1) return undefined
    good += weight
    judged ||= weight > 0 && weight < 1
  }
  return judged ? 1 - good / weights.length : undefined
}
