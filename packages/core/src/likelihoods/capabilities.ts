import type { Matrix } from '../matrix.js'
import type { Likelihood, Params } from './likelihood.js'

/** A model whose losses have gradients: what SEVER needs. */
export interface Differentiable<Data, P extends Params> extends Likelihood<Data, P> {
  /** The gradient of each row's loss by `vector(params)`, a row each. */
  gradients(data: Data, params: P): Matrix
}

/** A model whose losses have second derivatives: what standard errors, of type `E`, are made of. */
export interface Informative<Data, P extends Params, E = unknown> extends Differentiable<Data, P> {
  /**
   * Observed information of `vector(params)` for given P(good), a symmetric matrix: the rows' second derivatives by
   * weight, less weight (1 - weight) times their squared gradients.
   */
  information(data: Data, params: P, weights: Float64Array): Matrix
  /** Numbers in the order of `vector`, in the shape of the parameters: `{ intercept, coefficients }` for instance. */
  unflatten(vector: Float64Array): E
}

/** Values that scatter about a model like a Gaussian, N(model, scale^2), in one dimension or several. */
export interface Continuous<Data, P extends Params> extends Likelihood<Data, P> {
  /** The rows whose numbers are listed, as data. */
  take(data: Data, rows: ArrayLike<number>): Data
  /** Dimensions that a distance spans: 1 for a residual, d for a row of d columns. */
  dimension(data: Data): number
  /** The squared distance of each row from the model, in units of its scale, into `out`. */
  squaredDistances(data: Data, params: P, out: Float64Array): void
  /** log of the scale, summed over the dimensions: d log(scale), or log det(S) / 2. */
  logScale(data: Data, params: P): number
  /** Degrees of freedom that the fit takes per dimension, so that the scale can be made right on average. */
  degreesOfFreedom(data: Data): number
  /** The same model with its scale times `factor`. */
  rescale(params: P, factor: number): P
}

/** A continuous response given features: a row far out among them could pull the fit towards itself. */
export interface Regression<Data, P extends Params, E = unknown>
  extends Continuous<Data, P>,
    Informative<Data, P, E> {
  features(data: Data): Matrix
  responses(data: Data): Float64Array
  /** What the model predicts for each row, into `out`. */
  predicted(data: Data, params: P, out: Float64Array): void
  /** The response of each row less what the model predicts, in units of the scale, into `out`. */
  residuals(data: Data, params: P, out: Float64Array): void
  /** `fit` from parameters whose residuals are known, in units of their scale; those of the result take their place. */
  refit(data: Data, weights: Float64Array, start: P, residuals: Float64Array): P
  /** sum v_i z_i z_i', with the rows z of the design: the features, after a 1 for the intercept where there is one. */
  design(data: Data, v: Float64Array): Matrix
}

/** Rows that are one cloud: a mean, and a scatter that can stretch towards a cluster of bad rows. */
export interface Cloud<Data, P extends Params> extends Continuous<Data, P> {
  /** The rows as points. */
  points(data: Data): Matrix
}

/**
 * Labels, counts, and all else of which the density of a corrupted row is known (a lifetime, for instance). `losses` must be
 * the full negative log-density, so that it can be compared with the reference.
 */
export interface Discrete<Data, P extends Params, E = unknown> extends Informative<Data, P, E> {
  /** The rows whose numbers are listed, as data. */
  take(data: Data, rows: ArrayLike<number>): Data
  /** -log density of a corrupted row, into `out`: log K for labels, for instance. Counts have shells of their own instead (mixture/discrete/counts). */
  reference(data: Data, params: P, out: Float64Array): void
  /** Number of labels, where the response is one: see inference/label-noise.ts. */
  readonly labels?: number
  /** The same model of the same rows with columns of mean 0, where offsets would eat digits of the information. */
  centred?(data: Data, params: P): { readonly data: Data; readonly params: P }
  /** A prior of the parameters whose strength can be chosen by its evidence. */
  readonly prior?: Prior<Data, P, E>
  /** Labels as classes, where the response is one: what the habits of wrong labels are learned by. */
  readonly classes?: Classes<Data, P>
}

/** Rows whose true class may be another than the given one. */
export interface Classes<Data, P extends Params> {
  /** The class that each row was given. */
  given(data: Data): Float64Array
  /** The rows whose numbers are listed, a row as often as it is, with these classes. */
  labelled(data: Data, rows: ArrayLike<number>, classes: Float64Array): Data
  /** P(true class) of each row by its features alone, rows x classes. */
  probabilities(data: Data, params: P): Matrix
  /**
   * Observed information of `vector(params)` where of each row's true class a posterior is known, rows x classes: the
   * curvature of -log sum_c p_c T_c, of which the posterior is proportional to p_c T_c.
   */
  information(data: Data, params: P, posterior: Matrix): Matrix
}

/** A prior density of the parameters: a ridge, for instance. */
export interface Prior<Data, P extends Params, E = unknown> {
  /** What `fit` adds to the weighted losses: -log of the density, up to a constant. */
  penalty(params: P): number
  /** How many of the first entries of `vector` it leaves free, as intercepts. Default 0. */
  readonly intercepts?: number
  /**
   * The same model with a prior that holds its parameters back, the more the larger `strength`, in no units: on top of
   * its own penalty, or in its place.
   */
  strengthened(data: Data, strength: number, own: 'kept' | 'replaced'): Discrete<Data, P, E>
}

export function isDifferentiable<D, P extends Params>(
  likelihood: Likelihood<D, P>,
): likelihood is Differentiable<D, P> {
  return 'gradients' in likelihood
}

export function isInformative<D, P extends Params>(
  likelihood: Likelihood<D, P>,
): likelihood is Informative<D, P> {
  return isDifferentiable(likelihood) && 'information' in likelihood && 'unflatten' in likelihood
}

export function isContinuous<D, P extends Params>(
  likelihood: Likelihood<D, P>,
): likelihood is Continuous<D, P> {
  return CONTINUOUS.every((member) => member in likelihood)
}

export function isRegression<D, P extends Params>(
  likelihood: Continuous<D, P>,
): likelihood is Regression<D, P> {
  return 'features' in likelihood && isInformative(likelihood)
}

export function isCloud<D, P extends Params>(likelihood: Continuous<D, P>): likelihood is Cloud<D, P> {
  return 'points' in likelihood
}

export function isDiscrete<D, P extends Params>(likelihood: Likelihood<D, P>): likelihood is Discrete<D, P> {
  return DISCRETE.every((member) => member in likelihood)
}

const CONTINUOUS = ['take', 'dimension', 'squaredDistances', 'logScale', 'degreesOfFreedom', 'rescale']
const DISCRETE = ['take', 'reference', 'gradients', 'information', 'unflatten']

/** What a likelihood lacks for `fit`, for those whom no compiler tells: of a `Discrete` one where it has a `reference`. */
export function missingMembers(likelihood: object): readonly string[] {
  const needed = 'reference' in likelihood ? DISCRETE : CONTINUOUS
  return needed.filter((member) => !(member in likelihood))
}
