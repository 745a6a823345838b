import type { Matrix } from '../../matrix.js'

/** What a model predicts for each row of a batch. */
export interface OnlinePredictions {
  /** The most probable label, 0 to K - 1, or the expected response. */
  readonly values: Float64Array
  /** P(label k) of row i at [i * K + k]; empty for a response that is a number. */
  readonly probabilities: Float64Array
}

/**
 * All that online learning needs to know of a model: a density of one row's response given its features, and its
 * gradient. Parameters are one vector that starts at 0. A model keeps no state of its own: what it has learned is in
 * the `OnlineState`.
 *
 * Write your own and pass it to `online.init`, and again to every `update` and `predict`, because a state is plain data.
 * `onlineModelLaws` of `rlvi/laws` are what it must obey.
 */
export interface OnlineModel {
  /** Kept in the state, so that it is never continued with another model. */
  readonly name: string
  /** The number of labels K, where the response is one of 0 to K - 1; absent where it is a number. */
  readonly labels?: number
  /**
   * For a response that is a number: whether the model is given it standardised, and its predictions are turned back.
   * Right where another unit of the response means another intercept and scale, wrong for counts and durations.
   */
  readonly standardisedResponse?: boolean
  /** The number of parameters. */
  parameters(features: number): number
  /** Parameters that the ridge penalty leaves alone, an intercept for instance. */
  unpenalised(features: number): readonly number[]
  /** What a response breaks, such as `must be 0 or 1`, or undefined. */
  invalid?(y: number): string | undefined
  /** Predictions of all rows, into `out`. */
  predict(x: Matrix, params: Float64Array, out: OnlinePredictions): void
  /** -log p(y | x) of each row, into `out`, given what `predict` wrote at the same parameters. */
  losses(y: Float64Array, params: Float64Array, predicted: OnlinePredictions, out: Float64Array): void
  /** The gradient of one row's loss in the parameters, into `out`. */
  gradient(x: Matrix, y: Float64Array, row: number, params: Float64Array, out: Float64Array): void
  /**
   * -log of the density of a corrupted row, into `out`: broad, and proper. The method `calibrated` needs it; for labels
   * it is log K, and need not be given.
   */
  reference?(y: Float64Array, params: Float64Array, predicted: OnlinePredictions, out: Float64Array): void
  /** For labels: whether c times the parameters means logits times c, so that their temperature can be corrected. */
  readonly linearLogits?: boolean
  /**
   * For a model of one linear predictor f = x'w + b, with parameters w, then b: the derivative of the loss in f. It
   * saves writing the gradient's vector.
   */
  slope?(f: number, y: number): number
}

/** A model of one linear predictor. */
export interface LinearPredictor extends OnlineModel {
  slope(f: number, y: number): number
}

/** Whether steps can be taken by the slope alone. */
export function isLinearPredictor(model: OnlineModel): model is LinearPredictor {
  return model.slope !== undefined
}

/** The models that go by a name. */
export type OnlineModelName = 'logistic' | 'softmax' | 'linear'
