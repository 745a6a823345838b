import { scratch } from '../kernels/scratch.js'
import type { Matrix } from '../matrix.js'
import { dot } from './models/dot.js'
import type { StreamModel } from './models/model.js'
import type { ResolvedStreamOptions } from './state.js'

/** A model in training, to be changed in place. */
export interface Learner {
  rows: number
  readonly params: Float64Array
  /** The adaptive schedule's running sums of squared slopes, one for each parameter, and its newest parameters. */
  readonly memory: Float64Array
}

/** What a schedule keeps beside the parameters. */
export function memoryLength(options: ResolvedStreamOptions, parameters: number): number {
  return options.schedule === 'adaptive' ? 2 * parameters : 0
}

const slopeVector = scratch()
const decayVector = scratch()

/** One pass over the batch, row by row: every row's weighted step is taken before the next row's slope. */
export function descend(
  model: StreamModel,
  options: ResolvedStreamOptions,
  x: Matrix,
  y: Float64Array,
  weights: Float64Array,
  learner: Learner,
): void {
  if (options.schedule === 'optimal') {
    if (model.slope !== undefined) optimalPredictor(model, options.alpha, x, y, weights, learner)
    else optimal(model, options, x, y, weights, learner)
  } else adaptive(model, options, x, y, weights, learner)
}

/** Bottou's choice: the first rate moves a typical weight, alpha^(-1/4), by its own size. */
function optimalStart(alpha: number): number {
  return 1 / (alpha * alpha ** -0.25)
}

/** scikit-learn's rule, which the paper's experiment has. */
function optimal(
  model: StreamModel,
  { alpha, features }: ResolvedStreamOptions,
  x: Matrix,
  y: Float64Array,
  weights: Float64Array,
  learner: Learner,
): void {
  const { params } = learner
  const slope = slopeVector(params.length)
  const decay = decayVector(params.length).fill(alpha)
  for (const j of model.free(features)) decay[j] = 0
  const first = optimalStart(alpha)
  for (let i = 0; i < x.rows; i++) {
    model.gradient(x, y, i, params, slope)
    const rate = 1 / (alpha * (first + learner.rows))
    const step = rate * weights[i]
    for (let j = 0; j < params.length; j++) params[j] = params[j] * (1 - rate * decay[j]) - step * slope[j]
    learner.rows++
  }
}

/**
 * The same for one linear predictor, operation by operation as scikit-learn does it: the coefficients are held as
 * `shrunk` times what is in `params`. With the paper's steps a difference in the last digit would grow to all digits.
 */
function optimalPredictor(
  model: StreamModel,
  alpha: number,
  { rows, cols, values }: Matrix,
  y: Float64Array,
  weights: Float64Array,
  learner: Learner,
): void {
  const { params } = learner
  const first = optimalStart(alpha)
  let intercept = params[cols]
  let shrunk = 1
  for (let i = 0; i < rows; i++) {
    const from = i * cols
    let score = 0
    for (let j = 0; j < cols; j++) score += params[j] * values[from + j]
    score = score * shrunk + intercept
    const rate = 1 / (alpha * (first + learner.rows))
    const step = -rate * model.slope!(score, y[i]) * weights[i]
    shrunk *= Math.max(0, 1 - rate * alpha)
    const change = step / shrunk
    for (let j = 0; j < cols; j++) params[j] += values[from + j] * change
    intercept += step
    learner.rows++
  }
  for (let j = 0; j < cols; j++) params[j] *= shrunk
  params[cols] = intercept
}

/** A parameter's first step, in units of its scaled feature. */
const RATE = 0.4
/** Rows that the adaptive rates remember: forgetting keeps them from dying out, so that the model can follow a change. */
const MEMORY = 4000
const TINY = 1e-12

/** Predictions are made with the mean of the parameters over the last fifth of the rows, or so many rows. */
const AVERAGED = 500
const LAST = 5
/** Rows between two looks at the parameters for their mean. */
const BLOCK = 32

/**
 * AdaGrad with forgetting and averaging: every parameter's rate is one over the root of its recent squared slopes, and
 * the mean of the recent parameters, which the single rows' steps do not toss about, is the model.
 */
function adaptive(
  model: StreamModel,
  options: ResolvedStreamOptions,
  x: Matrix,
  y: Float64Array,
  weights: Float64Array,
  learner: Learner,
): void {
  const { params, memory } = learner
  const size = params.length
  const squares = memory.subarray(0, size)
  const newest = memory.subarray(size)
  const decay = decayVector(size).fill(options.alpha)
  for (const j of model.free(options.features)) decay[j] = 0
  const predictor = model.slope !== undefined && options.alpha === 0
  for (let from = 0; from < x.rows; from += BLOCK) {
    const to = Math.min(x.rows, from + BLOCK)
    if (predictor) predictorSteps(model, x, y, weights, from, to, newest, squares)
    else steps(model, x, y, weights, from, to, newest, squares, decay)
    learner.rows += to - from
    const window = Math.max(to - from, Math.min(AVERAGED, learner.rows / LAST))
    const share = (to - from) / window
    for (let j = 0; j < size; j++) params[j] += share * (newest[j] - params[j])
  }
}

function steps(
  model: StreamModel,
  x: Matrix,
  y: Float64Array,
  weights: Float64Array,
  from: number,
  to: number,
  params: Float64Array,
  squares: Float64Array,
  decay: Float64Array,
): void {
  const slope = slopeVector(params.length)
  for (let i = from; i < to; i++) {
    const weight = weights[i]
    const kept = 1 - Math.min(1, weight) / MEMORY
    model.gradient(x, y, i, params, slope)
    for (let j = 0; j < params.length; j++) {
      const g = weight * (slope[j] + decay[j] * params[j])
      const sum = squares[j] * kept + g * g
      squares[j] = sum
      params[j] -= (RATE * g) / Math.sqrt(sum + TINY)
    }
  }
}

/** The same for one linear predictor, without a penalty. */
function predictorSteps(
  model: StreamModel,
  { cols, values }: Matrix,
  y: Float64Array,
  weights: Float64Array,
  from: number,
  to: number,
  params: Float64Array,
  squares: Float64Array,
): void {
  for (let i = from; i < to; i++) {
    const first = i * cols
    const weight = weights[i]
    const kept = 1 - Math.min(1, weight) / MEMORY
    const score = params[cols] + dot(params, 0, values, first, cols)
    const step = weight * model.slope!(score, y[i])
    for (let j = 0; j < cols; j++) {
      const g = step * values[first + j]
      // The row's own square is in its rate: a column that slept for long, then wakes, cannot leap.
      const sum = squares[j] * kept + g * g
      squares[j] = sum
      params[j] -= (RATE * g) / Math.sqrt(sum + TINY)
    }
    const sum = squares[cols] * kept + step * step
    squares[cols] = sum
    params[cols] -= (RATE * step) / Math.sqrt(sum + TINY)
  }
}
