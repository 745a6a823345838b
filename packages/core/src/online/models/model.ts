import type { Matrix } from '../../matrix.js'

/** What a model says of each row of a batch. */
export interface Predicted {
  /** The most probable label, 0 to K - 1, or the expected response. */
  readonly values: Float64Array
  /** P(label k) of row i at [i * K + k]; empty for a response that is a number. */
  readonly probabilities: Float64Array
}

/**
 * All that a stream needs to know of a model: a density of one row's response given its features, with a gradient.
 * The parameters are one vector, so that any such likelihood will do; nothing here keeps state.
 */
export interface StreamModel {
  readonly name: string
  /** The number of labels K, where the response is one of 0 to K - 1. */
  readonly labels?: number
  parameters(features: number): number
  /** What is wrong with a response, or undefined: `must be 0 or 1`. */
  rejects?(y: number): string | undefined
  /** Parameters that the penalty leaves alone, an intercept for instance. */
  free(features: number): readonly number[]
  predict(x: Matrix, params: Float64Array, out: Predicted): void
  /** -log p(y | x) of each row, into `out`, given what `predict` said at the same parameters. */
  losses(y: Float64Array, params: Float64Array, predicted: Predicted, out: Float64Array): void
  /** The gradient of one row's loss in the parameters, into `out`. */
  gradient(x: Matrix, y: Float64Array, row: number, params: Float64Array, out: Float64Array): void
  /** Whether c times the parameters are the same scores times c, so that a model that is too soft can be sharpened. */
  readonly scores?: 'linear'
  /**
   * For a model of one linear predictor f = x'w + b, with parameters w and b: the derivative of the loss in f. Saves the
   * gradient's vector.
   */
  slope?(score: number, y: number): number
  /** -log of the density of a corrupted row, into `out`; not needed for labels, where it is log K. */
  reference?(y: Float64Array, params: Float64Array, predicted: Predicted, out: Float64Array): void
}

/** The models that go by a name. */
export type StreamModelName = 'logistic' | 'softmax' | 'linear'
