import type { Matrix } from '../matrix.js'

/** Why an estimate cannot be trusted although it was computed. */
export type Reason =
  | 'collapse' // the exact E-step found no good rows: the losses have no meaningful zero (see docs/method.md)
  | 'collinear' // a column is constant or depends on other columns
  | 'exact-fit' // the residual scale is zero: the model passes through the rows it trusts
  | 'few-rows' // fewer rows than parameters
  | 'not-finite' // a loss became infinite or NaN
  | 'one-class' // all labels are the same
  | 'separable' // the classes can be told apart perfectly, so the best coefficients are infinite
  | 'singular' // the covariance has no inverse
  | 'stalled' // the inner optimiser did not reach its tolerance

/** Why parameters are not to be trusted. */
export interface Problem {
  readonly reason: Reason
  /** One sentence for a person. */
  readonly message: string
  /** The columns to blame, by position. */
  readonly columns?: readonly number[]
}

/** Parameters are plain readonly data; a fit that is not to be trusted says so in `problem`. */
export interface Params {
  readonly problem?: Problem
}

/** Rows of features with a response. */
export interface Supervised {
  readonly x: Matrix
  readonly y: Float64Array
}

/** Rows alone. */
export interface Unsupervised {
  readonly x: Matrix
}

/**
 * What every model has: a weighted fit and the losses that it minimises. It is all that `ml`, `paper` and `rrm` ask for;
 * `fit` asks for a `Continuous` or a `Discrete` one (capabilities.ts). To use RLVI on a model of your own, write one of
 * these (examples/weibull.ts does).
 */
export interface Likelihood<Data, P extends Params> {
  readonly name: string
  /** Number of rows. */
  rows(data: Data): number
  /** Throws an `RlviError` for data that the model cannot be asked about (a NaN, a negative count, wrong lengths). */
  check(data: Data): void
  /** The parameters that minimise sum w_i l_i; without weights, all are 1. `start` may save work. */
  fit(data: Data, weights?: Float64Array, start?: P): P
  /** l_i = -log p(z_i | params) of every row, up to a constant, into `out`. */
  losses(data: Data, params: P, out: Float64Array): void
  /** The numbers whose relative change stops Algorithm 1, and whose standard errors are given. */
  vector(params: P): Float64Array
}

/** A likelihood with a response to predict. */
export interface Predictor<P extends Params> extends Likelihood<Supervised, P> {
  /** The expected response of each row: a value, a rate, or for labels the probability of 1. */
  predict(x: Matrix, params: P): Float64Array
}

/** Intercept and coefficients, as all linear predictors have them. */
export interface LinearParams extends Params {
  /** 0 where the model has none. */
  readonly intercept: number
  readonly coefficients: Float64Array
}

/** Standard errors of intercept and coefficients. */
export interface LinearErrors {
  /** 0 where the model has no intercept. */
  readonly intercept: number
  readonly coefficients: Float64Array
}
