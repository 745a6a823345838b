import type { Params } from '../likelihoods/likelihood.js'
import type { Matrix } from '../matrix.js'
import type { CoreShape, Tally } from '../mixture/discrete/counts/proportions.js'
import type { Growth } from '../mixture/laws/growth.js'
import type { Candidate } from '../mixture/laws/select.js'
import type { PassModel } from './models.js'

/**
 * Sums over all rows of a table: all that a fit needs of it. Rows may lie in memory, come in blocks from a file, or stay in a
 * database that is asked for the sums: the methods of this folder see no difference. Every answer is of one scan, and of all
 * rows: a source that finds another number of them than `rows` throws.
 */
export interface Aggregates<P extends Params> {
  readonly rows: number
  /** Columns of features, or of a table without a response. */
  readonly cols: number
  /** Nearly the mean of each column: sums of products are taken about it, so that no digits are lost. */
  readonly centre: Float64Array
  /** Whether what is asked at once, before any answer is waited for, costs one scan. */
  readonly sharesPasses?: boolean
  /** The losses of the rows under a model, in fine bins: see `LossBins`. */
  losses(params: P): Promise<LossBins>
  /** For models of a mean and a scatter (linear, mean, covariance, pca): what their weighted fit depends on. */
  moments(ask: MomentsAsked<P>): Promise<Moments>
  /** For models of labels and counts: the weighted loss with its derivatives. */
  newton(ask: NewtonAsked<P>): Promise<NewtonSums>
  /** For linear, mean, covariance, pca: how far rows lie off the model, in bins. */
  offsets(ask: OffsetsAsked<P>): Promise<OffsetBins>
  /** For models of labels and counts: observed information of `vector(params)`, as `Informative` has it, without a ridge. */
  information(params: P, weights: RowWeights<P>): Promise<Matrix>
  /** For counts: the same rows under a law of a dispersion. Left out where rows cannot be asked for it. */
  counted?(dispersion: number): CountAggregates<P>
}

/** Sums over rows of counts under one law of them. */
export interface CountAggregates<P extends Params> extends Aggregates<P> {
  readonly model: PassModel<P>
  /** Rows by shells of bad counts. */
  shells(ask: ShellsAsked<P>): Promise<ShellBins>
}

/** Which shells. */
export interface ShellsAsked<P> {
  readonly params: P
  /** Shells lie about the means of these. */
  readonly at: P
  /** Where they begin. */
  readonly least: number
  readonly core: CoreShape
}

/** Rows by the shells that bad counts lie in. */
export interface ShellBins extends Tally {
  /** Where shells about these means begin, as all rows have it: if that is elsewhere than was asked, ask again. */
  readonly least: number
  /** Of each shell its rows, those of the core with the first one, by l + log q: loss, and density of a bad count there. */
  readonly bins: readonly LossBins[]
  /** The sum of log q over these rows. */
  readonly logDensities: number
  /** Rows that no shell explains: how many, and the sum of their losses. */
  readonly certain: { readonly rows: number; readonly loss: number }
  /** The sum of all losses. */
  readonly loss: number
}

/**
 * The weight of a row.
 *
 * - `all`: every row counts 1
 * - `losses`: by the row's loss l under `params`,  height / (bend + e^(l - least)).  With height = 1 + bend and the smallest
 *   loss as `least` that is the paper's weight over the largest one; bend = 0 is its limit, e^-(l - least). With
 *   height = bend it is P(good) at odds of 1 / (bend e^least).
 * - `law`: by the row's offset from `params` under a law of good errors and shells of bad ones
 * - `counts`: by the row's loss and the shell of bad counts that it lies in
 */
export type RowWeights<P> =
  | { readonly by: 'all' }
  | {
      readonly by: 'losses'
      readonly params: P
      readonly least: number
      readonly bend: number
      readonly height: number
      /** That the label is right: a random one is, too, by e^-l. */
      readonly orRight?: boolean
    }
  | { readonly by: 'law'; readonly params: P; readonly law: PassLaw; readonly use: LawUse }
  | ({ readonly by: 'counts' } & CountRule<P>)

/** P(good) of counts: shares of good rows and of the shells that bad ones lie in, about the means of the parameters `at`. */
export interface CountRule<P> {
  readonly params: P
  readonly at: P
  readonly least: number
  readonly core: CoreShape
  readonly good: number
  readonly shares: Float64Array
}

/**
 * What of a law: P(good), the weight in a fit, or the row's information on the place of its offset (law-errors.ts), in
 * units of the model's scale.
 */
export type LawUse = 'clean' | 'fit' | 'information'

/** A law of good errors, as `fit` chooses it. */
export type PassLaw = Candidate

/**
 * Rows by their losses. Whatever smooth function of the losses is to be summed over the rows can be had from the bins, to
 * about 13 digits: see loss-points.ts.
 */
export interface LossBins {
  /** Of all rows. */
  readonly least: number
  readonly most: number
  /** Bin k holds the losses from `(first + k) / BINS_PER_UNIT` on. */
  readonly first: number
  /**
   * For each bin sum u^p over its rows, p = 0 ... BIN_POWERS - 1, with u from -1 to 1 the place of a loss in its bin:
   * u = 2 (l BINS_PER_UNIT - floor(l BINS_PER_UNIT)) - 1.
   */
  readonly sums: Float64Array
  /** Rows with a loss beyond the last bin, more than FARTHEST above the least one: their weight is nothing. */
  readonly beyond: number
}

/** Bins of losses for each unit. */
export const BINS_PER_UNIT = 4
/** Sums of powers for each bin. */
export const BIN_POWERS = 8
/** How far above the least loss bins reach: e^-800 is 0. */
export const FARTHEST = 800

/** Which moments. */
export interface MomentsAsked<P> {
  readonly weights: RowWeights<P>
  /** Of a linear model: residuals are those from these parameters; left out, from 0. */
  readonly params?: P
  /** Whether weights count squared. */
  readonly squared?: boolean
}

/**
 * Weighted sums of z and z z', with z the columns less `centre`; of a linear model the response less what `params` predict, in
 * its own units, is the last column of z.
 */
export interface Moments {
  /** Sum of the weights. */
  readonly weight: number
  readonly sums: Float64Array
  /** Symmetric; the lower triangle counts. */
  readonly squares: Matrix
  /** Of a linear model the weighted sum of squared responses; else 0. */
  readonly responses: number
}

/** Which derivatives. */
export interface NewtonAsked<P> {
  readonly weights: RowWeights<P>
  /** Whether weights count squared. */
  readonly squared?: boolean
  /** Where loss, gradient and curvature are taken. */
  readonly params: P
  /** Whether `design` is wanted too. */
  readonly design?: boolean
}

/**
 * With weights w, rows z = (1, x - centre), or z = x without an intercept, and the linear predictor eta: sums of
 * w l, w s z and w h z z', where s = -dl/deta and h = d2l/deta2. Of softmax there is an eta for each class but the first, and
 * the blocks of the sums come class by class. Of counts l leaves out log y!.
 */
export interface NewtonSums {
  readonly weight: number
  /** Sum of the weights of each label; of counts the weighted sum of the counts alone. */
  readonly responses: Float64Array
  readonly value: number
  readonly gradient: Float64Array
  /** Symmetric; the lower triangle counts. */
  readonly curvature: Matrix
  /** sum w z z' without h: which columns depend on others is a matter of the columns alone. */
  readonly design?: Matrix
}

/** Which offsets. */
export interface OffsetsAsked<P> {
  readonly params: P
  /** Of the shells: see mixture/laws/bins.ts. */
  readonly unit: number
  /** Where the scale of a row follows what is predicted for it, offsets are in units of that. */
  readonly growth?: Growth | undefined
}

/** Offsets in the bins of `toBins`. */
export interface OffsetBins {
  readonly values: Float64Array
  readonly counts: Float64Array
}
