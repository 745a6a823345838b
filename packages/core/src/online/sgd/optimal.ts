import { scratch } from '../../kernels/scratch.js'
import type { Matrix } from '../../matrix.js'
import { isLinearPredictor, type LinearPredictor, type OnlineModel } from '../models/model.js'
import type { ResolvedOnlineOptions } from '../options.js'
import type { Learner } from './sgd.js'

const gradientVector = scratch()
const decayVector = scratch()

/** Bottou's choice: the first rate moves a typical weight, alpha^(-1/4), by its own size. */
function optimalStart(alpha: number): number {
  return 1 / (alpha * alpha ** -0.25)
}

/** scikit-learn's rule, which the paper's experiment has. */
export function optimal(
  model: OnlineModel,
  { alpha, features }: ResolvedOnlineOptions,
  x: Matrix,
  y: Float64Array,
  weights: Float64Array,
  learner: Learner,
): void {
  if (isLinearPredictor(model)) {
    optimalPredictor(model, alpha, x, y, weights, learner)
    return
  }
  const { params } = learner
  const gradient = gradientVector(params.length)
  const decay = decayVector(params.length).fill(alpha)
  for (const j of model.unpenalised(features)) decay[j] = 0
  const first = optimalStart(alpha)
  for (let i = 0; i < x.rows; i++) {
    model.gradient(x, y, i, params, gradient)
    const rate = 1 / (alpha * (first + learner.rows))
    const step = rate * weights[i]
    for (let j = 0; j < params.length; j++) params[j] = params[j] * (1 - rate * decay[j]) - step * gradient[j]
    learner.rows++
  }
}

/**
 * The same for one linear predictor, operation by operation as scikit-learn does it: the coefficients are held as
 * `shrunk` times what is in `params`. With the paper's steps a difference in the last digit would grow to all digits.
 */
function optimalPredictor(
  model: LinearPredictor,
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
    const step = -rate * model.slope(score, y[i]) * weights[i]
    shrunk *= Math.max(0, 1 - rate * alpha)
    const change = step / shrunk
    for (let j = 0; j < cols; j++) params[j] += values[from + j] * change
    intercept += step
    learner.rows++
  }
  for (let j = 0; j < cols; j++) params[j] *= shrunk
  params[cols] = intercept
}
