import { scratch } from '../kernels/scratch.js'
import type { Matrix } from '../matrix.js'
import type { StreamModel } from './model.js'
import type { ResolvedStreamOptions } from './state.js'

/** A model in training, to be changed in place. */
export interface Learner {
  rows: number
  readonly params: Float64Array
  /** The adaptive schedule's running sums of squared slopes, one for each parameter. */
  readonly memory: Float64Array
}

/** What a schedule keeps beside the parameters. */
export function memoryLength(options: ResolvedStreamOptions, parameters: number): number {
  return options.schedule === 'adaptive' ? parameters : 0
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

const RATE = 0.5

function adaptive(
  model: StreamModel,
  { alpha, features }: ResolvedStreamOptions,
  x: Matrix,
  y: Float64Array,
  weights: Float64Array,
  learner: Learner,
): void {
  const { params, memory } = learner
  const slope = slopeVector(params.length)
  const decay = decayVector(params.length).fill(alpha)
  for (const j of model.free(features)) decay[j] = 0
  for (let i = 0; i < x.rows; i++) {
    const weight = weights[i]
    model.gradient(x, y, i, params, slope)
    for (let j = 0; j < params.length; j++) {
      const g = weight * (slope[j] + decay[j] * params[j])
      memory[j] += g * g
      params[j] -= (RATE * g) / Math.sqrt(memory[j] + 1e-12)
    }
    learner.rows++
  }
}
