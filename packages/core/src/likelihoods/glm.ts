import { linearPredictor } from '../kernels/gram.js'
import { newtonStep } from '../linalg/newton-step.js'
import type { Matrix } from '../matrix.js'
import type { LinearParams, Problem } from './likelihood.js'
import { advance, collinear, growing, stalled } from './shared.js'

/**
 * The total weighted loss of a model whose loss depends on a row through its linear predictor eta alone; each row's
 * -dl/deta times its weight goes into `scores`, its d2l/deta2 times the weight into `curvatures`.
 */
export type GlmLoss = (eta: Float64Array, scores: Float64Array, curvatures: Float64Array) => number

export interface GlmProblem {
  readonly x: Matrix
  readonly intercept: boolean
  readonly weights: Float64Array
  /** Of each column; none where it is left out. */
  readonly ridge?: Float64Array
  readonly loss: GlmLoss
  /** A value at which there is nothing left to gain. */
  readonly enough?: number
  /** Rough: within a thousandth of a standard error. Default full. */
  readonly accuracy?: 'full' | 'rough'
}

export interface GlmFit {
  readonly theta: LinearParams
  readonly value: number
  readonly problem: Problem | undefined
}

const MAX_STEPS = 100
/** Of the value: a promise of a Newton step that makes it the last of a rough fit, as what it leaves is the square. */
const ROUGH_LAST_STEP = 1e-5
/** The better of the fits from a start and, where that ran into trouble, from the origin, which never stalls Newton. */
export function fitGlmFrom(p: GlmProblem, start: LinearParams | undefined, origin: LinearParams): GlmFit {
  const first = fitGlm(p, start ?? origin)
  if (start === undefined || first.problem === undefined) return first
  const second = fitGlm(p, origin)
  return second.value < first.value ? second : first
}

/** Minimises loss + 1/2 sum_j ridge_j coefficient_j^2 by Newton's method with step halving. */
function fitGlm(p: GlmProblem, start: LinearParams): GlmFit {
  const { x, intercept, ridge } = p
  const eta = new Float64Array(x.rows)
  const scores = new Float64Array(x.rows)
  const curvatures = new Float64Array(x.rows)
  const valueAt = (theta: LinearParams): number => {
    linearPredictor(x, theta.intercept, theta.coefficients, eta)
    return p.loss(eta, scores, curvatures) + penaltyOf(ridge, theta.coefficients)
  }
  // Which columns depend on others is a matter of the columns alone, not of the curvature at hand.
  const dependent = ridge !== undefined ? [] : newtonStep(x, intercept, p.weights, scores).dependent
  let flat = false
  let unseen = 0

  let theta = start
  let value = valueAt(theta)
  for (let k = 0; k < MAX_STEPS; k++) {
    const step = newtonStep(x, intercept, curvatures, scores, ridge, theta.coefficients)
    if (step.dependent.length > dependent.length) flat = true
    const noise = 1e-14 * Math.abs(value)
    if (p.enough !== undefined && value <= p.enough) flat = true
    if (flat) return { theta, value, problem: collinear(dependent) ?? growing }
    if (p.accuracy === 'rough' && step.decrement <= ROUGH_LAST_STEP * value) {
      theta = advance(theta, step.intercept, step.coefficients, 1)
      return { theta, value, problem: collinear(dependent) }
    }
    // The last steps are too small to be seen in the value, but not in the parameters.
    if (!(step.decrement > noise)) {
      theta = advance(theta, step.intercept, step.coefficients, 1)
      if (++unseen === 2) return { theta, value, problem: collinear(dependent) }
      valueAt(theta)
      continue
    }
    let size = 1
    let next = advance(theta, step.intercept, step.coefficients, size)
    let nextValue = valueAt(next)
    while (!(nextValue <= value - 1e-4 * size * step.decrement + noise) && size > 1e-12) {
      size /= 2
      next = advance(theta, step.intercept, step.coefficients, size)
      nextValue = valueAt(next)
    }
    if (!(nextValue <= value + noise)) return { theta, value, problem: collinear(dependent) ?? stalled }
    theta = next
    value = nextValue
  }
  return { theta, value, problem: collinear(dependent) ?? growing }
}

/** 1/2 sum_j ridge_j c_j^2, over as many sets of coefficients as there are. */
export function penaltyOf(ridge: Float64Array | undefined, coefficients: Float64Array): number {
  if (ridge === undefined) return 0
  let sum = 0
  for (let k = 0; k < coefficients.length; k++)
    sum += 0.5 * ridge[k % ridge.length] * coefficients[k] * coefficients[k]
  return sum
}
