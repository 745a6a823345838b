import { RlviError } from '../errors.js'
import type { LinearParams, Predictor, Supervised } from '../likelihoods/likelihood.js'
import type { LinearRegressionParams } from '../likelihoods/linear.js'
import { leastSquares } from '../linalg/least-squares.js'
import { type Fit, relativeChange, type Status, statusOf } from '../result.js'

/** Options of `huber`. */
export interface HuberOptions {
  /** Residuals beyond this many scales count linearly. Default .7317, the benchmark's. */
  readonly c?: number
  /** Default 1e-6. */
  readonly tolerance?: number
  /** Default 10000. */
  readonly maxIterations?: number
  /** As the authors' released code: the scale's constant is twice too large, so that the scale shrinks towards 0. */
  readonly asReleased?: boolean
}

/**
 * Huber's regression with joint scale, by the majorise-minimise iteration of Zoubir et al. (2018), for linear regression
 * only. It needs no corruption level (the paper's table lists one for it; its algorithm has none).
 *
 * @example
 * const data = { x: fromRows([[0], [1], [2], [3], [4], [5]]), y: Float64Array.of(1, 3, 5.1, 7, 8.9, 90) }
 * huber(linear(), data).params.coefficients
 */
export function huber(
  likelihood: Predictor<LinearRegressionParams>,
  data: Supervised,
  options: HuberOptions = {},
): Fit<LinearRegressionParams> {
  likelihood.check(data)
  const { c = 0.7317, tolerance = 1e-6, maxIterations = 10_000 } = options
  if (!(c > 0)) throw new RlviError('huber c', 'must be positive', c)
  const n = data.y.length
  const alpha = consistency(c) * (options.asReleased ? 2 : 1)
  let params = likelihood.fit(data)
  const project = leastSquares(data.x, likelihood.vector(params).length > data.x.cols)
  let scale = 1
  let status: Status = { kind: 'max-iterations', message: `still moving after ${maxIterations} iterations` }
  let iterations = 0
  const clipped = new Float64Array(n)
  while (iterations < maxIterations) {
    const fitted = likelihood.predict(data.x, params)
    let sum = 0
    for (let i = 0; i < n; i++) sum += clip(data.y[i] - fitted[i], c * scale) ** 2
    scale = Math.sqrt(sum / (2 * n * alpha))
    for (let i = 0; i < n; i++) clipped[i] = clip(data.y[i] - fitted[i], c * scale)
    const next = add(params, project(clipped))
    const change = relativeChange(likelihood.vector(next), likelihood.vector(params))
    params = next
    iterations++
    if (change <= tolerance) {
      status = { kind: 'converged' }
      break
    }
  }
  params = { ...params, scale }
  const losses = new Float64Array(n)
  likelihood.losses(data, params, losses)
  const clean = new Float64Array(n)
  // The weight that Huber's rule gives a residual: 1 within c scales, c scale / |r| beyond.
  for (let i = 0; i < n; i++) clean[i] = Math.min(1, c / Math.sqrt(2 * losses[i]))
  return {
    params,
    clean,
    losses,
    corruption: { level: undefined, interval: undefined, source: 'assumed' },
    status: statusOf(params, status),
    iterations,
    trace: [],
  }
}

function clip(r: number, at: number): number {
  return Math.max(-at, Math.min(at, r))
}

function add(a: LinearRegressionParams, b: LinearParams): LinearRegressionParams {
  const coefficients = a.coefficients.map((value, j) => value + b.coefficients[j])
  return { ...a, intercept: a.intercept + b.intercept, coefficients }
}

/** alpha_c = (c^2 (1 - F1(c^2)) + F3(c^2)) / 2, with the chi-squared distributions of 1 and 3 degrees of freedom. */
function consistency(c: number): number {
  const inside = erf(c / Math.SQRT2)
  const f3 = inside - Math.sqrt(2 / Math.PI) * c * Math.exp((-c * c) / 2)
  return (c * c * (1 - inside) + f3) / 2
}

/** The error function: its series, or beyond 3 the continued fraction of its complement. */
function erf(x: number): number {
  if (x > 3) {
    let tail = 0
    for (let k = 60; k >= 1; k--) tail = k / 2 / (x + tail)
    return 1 - Math.exp(-x * x) / (Math.sqrt(Math.PI) * (x + tail))
  }
  let term = x
  let sum = x
  for (let k = 1; Math.abs(term) > 1e-17 * Math.abs(sum); k++) {
    term *= (-x * x) / k
    sum += term / (2 * k + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * sum
}
