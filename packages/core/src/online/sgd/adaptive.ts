import { scratch } from '../../kernels/scratch.js'
import type { Matrix } from '../../matrix.js'
import { dot } from '../models/dot.js'
import { isLinearPredictor, type LinearPredictor, type OnlineModel } from '../models/model.js'
import type { ResolvedOnlineOptions } from '../options.js'
import type { Learner } from './sgd.js'

const gradientVector = scratch()
const decayVector = scratch()

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
 * AdaGrad with forgetting and averaging: every parameter's rate is one over the root of its recent squared gradients, and
 * the mean of the recent parameters, which the single rows' steps do not toss about, is the model.
 */
export function adaptive(
  model: OnlineModel,
  options: ResolvedOnlineOptions,
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
  for (const j of model.unpenalised(options.features)) decay[j] = 0
  const predictor = isLinearPredictor(model) && options.alpha === 0 ? model : undefined
  for (let from = 0; from < x.rows; from += BLOCK) {
    const to = Math.min(x.rows, from + BLOCK)
    if (predictor !== undefined) predictorSteps(predictor, x, y, weights, from, to, newest, squares)
    else steps(model, x, y, weights, from, to, newest, squares, decay)
    learner.rows += to - from
    const window = Math.max(to - from, Math.min(AVERAGED, learner.rows / LAST))
    const share = (to - from) / window
    for (let j = 0; j < size; j++) params[j] += share * (newest[j] - params[j])
  }
}

function steps(
  model: OnlineModel,
  x: Matrix,
  y: Float64Array,
  weights: Float64Array,
  from: number,
  to: number,
  params: Float64Array,
  squares: Float64Array,
  decay: Float64Array,
): void {
  const gradient = gradientVector(params.length)
  for (let i = from; i < to; i++) {
    const weight = weights[i]
    const kept = 1 - Math.min(1, weight) / MEMORY
    model.gradient(x, y, i, params, gradient)
    for (let j = 0; j < params.length; j++) {
      const g = weight * (gradient[j] + decay[j] * params[j])
      const sum = squares[j] * kept + g * g
      squares[j] = sum
      params[j] -= (RATE * g) / Math.sqrt(sum + TINY)
    }
  }
}

/** The same for one linear predictor, without a penalty. */
function predictorSteps(
  model: LinearPredictor,
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
    const step = weight * model.slope(score, y[i])
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
