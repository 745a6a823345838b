import { linearPredictor } from '../kernels/gram.js'
import type { LinearParams, Problem } from '../likelihoods/likelihood.js'
import { advance, collinear } from '../likelihoods/shared.js'
import type { Matrix } from '../matrix.js'
import { newtonStep } from './newton-step.js'

/** A model whose loss depends on a row through its linear predictor eta alone. */
export interface GlmLoss {
  /** Total weighted loss at eta; each row's -dl/deta times its weight into `scores`, d2l/deta2 times it into `curvatures`. */
  (eta: Float64Array, scores: Float64Array, curvatures: Float64Array): number
}

export interface GlmFit {
  readonly theta: LinearParams
  readonly problem: Problem | undefined
}

const MAX_STEPS = 100
const MAX_HALVINGS = 40

/** Minimises loss + ridge/2 |coefficients|^2 by Newton's method with step halving. */
export function fitGlm(
  x: Matrix,
  intercept: boolean,
  ridge: number,
  loss: GlmLoss,
  start: LinearParams,
  enough: (total: number) => boolean = () => false,
): GlmFit {
  const eta = new Float64Array(x.rows)
  const scores = new Float64Array(x.rows)
  const curvatures = new Float64Array(x.rows)
  const valueAt = (theta: LinearParams): number => {
    linearPredictor(x, theta.intercept, theta.coefficients, eta)
    return loss(eta, scores, curvatures) + 0.5 * ridge * squaredNorm(theta.coefficients)
  }

  let theta: LinearParams = start
  let value = valueAt(theta)
  let dependent: readonly number[] = []
  for (let k = 0; k < MAX_STEPS; k++) {
    const step = newtonStep(x, intercept, curvatures, scores, ridge, theta.coefficients)
    dependent = step.dependent
    if (step.decrement <= 0) return { theta, problem: collinear(dependent) }
    let size = 1
    let next = advance(theta, step.intercept, step.coefficients, size)
    let nextValue = valueAt(next)
    for (let h = 0; h < MAX_HALVINGS && !(nextValue <= value - 1e-4 * size * step.decrement); h++) {
      // Near the optimum the decrease drowns in rounding: a full step is then safe.
      if (step.decrement <= 1e-13 * (Math.abs(value) + 1e-300)) break
      size /= 2
      next = advance(theta, step.intercept, step.coefficients, size)
      nextValue = valueAt(next)
    }
    theta = next
    value = nextValue
    if (step.decrement <= 1e-14 * Math.abs(value) || step.decrement < 1e-200)
      return { theta, problem: collinear(dependent) }
    if (enough(value)) return { theta, problem: collinear(dependent) }
  }
  const message = `Newton's method did not reach its tolerance in ${MAX_STEPS} steps`
  return { theta, problem: collinear(dependent) ?? { reason: 'stalled', message } }
}

function squaredNorm(values: Float64Array): number {
  let sum = 0
  for (let j = 0; j < values.length; j++) sum += values[j] * values[j]
  return sum
}
