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
 * All that the method needs to know of a model. To use RLVI on a model of your own, write one of these
 * (examples/weibull.ts does): a weighted fit and the losses that it minimises.
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
  /** The numbers whose relative change stops Algorithm 1. */
  vector(params: P): Float64Array
  /** The gradient of each row's loss, a row each. Needed for SEVER and for standard errors. */
  gradients?(data: Data, params: P): Matrix
  /** The rows whose numbers are listed, as data. Lets the calibrated method search for starts on a part of many rows. */
  take?(data: Data, rows: ArrayLike<number>): Data
  /**
   * For the calibrated method, where `losses` is the full negative log-density: that of a corrupted row, -log q, into
   * `out`. Labels have log K, counts the log of their range.
   */
  reference?(data: Data, params: P, out: Float64Array): void
  /**
   * Observed information of `vector(params)` for given P(good): the rows' second derivatives by weight, less
   * weight (1 - weight) times their squared gradients. Lower triangle, row by row. For standard errors.
   */
  information?(data: Data, params: P, weights: Float64Array): Float64Array
  /** The features of a linear predictor, where a row far out among them could pull the fit towards itself. */
  features?(data: Data): Matrix
  /** The same model of the same rows with columns of mean 0, where offsets would eat digits of the information. */
  centred?(data: Data, params: P): { readonly data: Data; readonly params: P }
  /** What `fit` adds to the weighted losses as -log of a prior density, a ridge for instance, up to a constant. */
  penalty?(params: P): number
  /**
   * The same model with a prior that holds its parameters back, the more the larger `strength`, in no units: on top of
   * its own penalty, or in its place.
   */
  withPrior?(data: Data, strength: number, own: 'kept' | 'replaced'): Likelihood<Data, P>
  /** Number of labels, where the response is one: a random label is right by chance in one of so many rows. */
  readonly labels?: number
  /** For the calibrated method of continuous rows, in place of `reference`. */
  readonly spread?: Spread<Data, P>
}

/** How far rows lie off a model of continuous values: N(model, scale^2) in a number of dimensions. */
export interface Spread<Data, P> {
  /** Dimensions that a distance spans: 1 for a residual, d for a row of d columns. */
  dimension(data: Data): number
  /** The squared distance of each row from the model, in units of its scale. */
  squaredDistances(data: Data, params: P, out: Float64Array): void
  /** log of the volume of a unit of distance: d log(scale), or log det(S) / 2. */
  logScale(data: Data, params: P): number
  /** Parameters that the fit spends per dimension, so that the scale can be made right on average. */
  degreesOfFreedom(data: Data): number
  /** The same model with its scale times `factor`. */
  rescale(params: P, factor: number): P
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
