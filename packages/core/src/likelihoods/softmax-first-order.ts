import { gram } from '../kernels/gram.js'
import { even, softmaxLoss } from '../kernels/softmax.js'
import { factor, solve } from '../linalg/cholesky.js'
import { lbfgs, type Minimum } from '../linalg/lbfgs.js'
import { type Matrix, matrix } from '../matrix.js'
import type { Problem } from './likelihood.js'
import { growing } from './shared.js'
import type { SoftmaxProblem } from './softmax-problem.js'
import type { SoftmaxFit } from './softmax-solve.js'

/** First-order steps come near a separating plane slowly: less is enough of it. */
const NEARLY_SEPARATED = 1e-3
const MAX_FIRST_ORDER = 400
/** Where it has fallen to these, their metric is taken anew; from a start, which is near already, after so many steps. */
const NEARER = [0.1, 0.01, 1e-4]
const STEPS_OF_METRIC = 15
/** The least curvature of that metric, over the sum of squares. */
const FLOOR = 1e-9

/** A problem as first-order steps see it. */
interface Sums {
  readonly problem: SoftmaxProblem
  /** Its rows, with an even number of columns. */
  readonly rows: Matrix
  /** Sums of squares of the shifted features. */
  readonly squares: Float64Array
}

/** L-BFGS in the metric of the curvature within each class, which is taken anew as the fit comes nearer. */
export function firstOrderFit(
  problem: SoftmaxProblem,
  start: Float64Array,
  tolerance: number,
  near?: 'near',
): SoftmaxFit {
  const sums = sumsOf(problem)
  const total = problem.w.reduce((sum, w) => sum + w, 0)
  const enough = problem.ridge === undefined ? NEARLY_SEPARATED * total : -1
  let found: Minimum = { at: start, value: Number.POSITIVE_INFINITY, steps: 0, reached: false }
  let left = MAX_FIRST_ORDER
  const descendTo = (until: number, maxSteps: number): void => {
    found = lbfgs((beta, gradient) => objective(sums, beta, gradient), found.at, {
      precondition: preconditioner(sums, found.at),
      enough,
      tolerance: until,
      maxSteps: Math.min(left, maxSteps),
    })
    left -= Math.max(found.steps, 1)
  }
  if (near === 'near') {
    do descendTo(tolerance, STEPS_OF_METRIC)
    while (!found.reached && found.steps === STEPS_OF_METRIC && left > 0)
  } else {
    for (const until of [...NEARER, tolerance]) {
      if (until < tolerance) continue
      descendTo(until, left)
      if (!found.reached || found.value <= enough) break
    }
  }
  const separated = found.value <= enough
  return {
    beta: found.at,
    value: found.value,
    problem: separated ? growing : found.reached ? undefined : unfinished,
  }
}

function sumsOf(problem: SoftmaxProblem): Sums {
  const { shifted, wide, data } = problem
  const squares = new Float64Array(wide)
  for (let at = 0; at < shifted.length; )
    for (let j = 0; j < wide; j++, at++) squares[j] += shifted[at] * shifted[at]
  return { problem, rows: evenColumns(shifted, data.x.rows, wide), squares }
}

/** The inverse of the curvature within each class, without that between classes. */
function preconditioner(sums: Sums, beta: Float64Array): (gradient: Float64Array) => Float64Array {
  const { K, wide } = sums.problem
  // At the origin all classes are equally probable: what holds for one holds for all.
  const alike = beta.every((b) => b === 0)
  const factors = curvatures(sums, beta, alike ? 1 : K).map((H) => factor(H, wide))
  // Among differences to class 0, that class's own part is common to all.
  return (gradient) => {
    const out = Float64Array.from(gradient)
    const first = new Float64Array(wide)
    for (let at = 0; at < out.length; at++) first[at % wide] -= gradient[at]
    solve(factors[0], first)
    for (let k = 1; k < K; k++) {
      const own = out.subarray((k - 1) * wide, k * wide)
      solve(factors[alike ? 0 : k], own)
      for (let j = 0; j < wide; j++) own[j] -= first[j]
    }
    return out
  }
}

/** sum_i w_i p_ik (1 - p_ik) z_i z_i' and the ridge, for each of the first so many classes k. */
function curvatures({ problem, rows, squares }: Sums, beta: Float64Array, classes: number): Float64Array[] {
  const { K, wide, w } = problem
  const { y } = problem.data
  const p = new Float64Array(K - 1)
  const each = Array.from({ length: K }, () => new Float64Array(w.length))
  for (let i = 0; i < w.length; i++) {
    problem.rowLoss(beta, i * wide, p, y[i])
    let rest = 1
    for (let k = 1; k < K; k++) {
      rest -= p[k - 1]
      each[k][i] = w[i] * p[k - 1] * (1 - p[k - 1])
    }
    each[0][i] = w[i] * Math.max(0, rest * (1 - rest))
  }
  const first = problem.intercept ? 1 : 0
  const room = rows.cols
  const none = new Float64Array(room)
  const G = new Float64Array(room * room)
  return each.slice(0, classes).map((v) => {
    gram(rows, none, v, v, G, new Float64Array(room))
    const H = new Float64Array(wide * wide)
    for (let j = 0; j < wide; j++) {
      H.set(G.subarray(j * room, j * room + j + 1), j * wide)
      // Rows that are sure have no curvature: what is left of it must not make a step without end.
      H[j * wide + j] *= 1 + FLOOR
      H[j * wide + j] += (j < first ? 0 : (problem.ridge?.[j - first] ?? 0)) + FLOOR * squares[j]
    }
    return H
  })
}

/** The objective, and its gradient into g, by a pass that many rows have on SIMD. */
function objective({ problem, rows }: Sums, beta: Float64Array, g: Float64Array): number {
  const { K, wide } = problem
  const room = rows.cols
  // Class 0 is held at zero.
  const coefficients = new Float64Array(even(K) * room)
  const gradient = new Float64Array(even(K) * room)
  for (let k = 1; k < K; k++) coefficients.set(beta.subarray((k - 1) * wide, k * wide), k * room)
  let value = softmaxLoss(rows, problem.data.y, problem.w, K, coefficients, gradient)
  for (let k = 1; k < K; k++) g.set(gradient.subarray(k * room, k * room + wide), (k - 1) * wide)
  if (problem.ridge === undefined) return value
  const first = problem.intercept ? 1 : 0
  for (let j = first; j < wide; j++) {
    const ridge = problem.ridge[j - first]
    let mean = 0
    for (let at = j; at < beta.length; at += wide) mean += beta[at] / K
    for (let at = j; at < beta.length; at += wide) {
      value += 0.5 * ridge * beta[at] * (beta[at] - mean)
      g[at] += ridge * (beta[at] - mean)
    }
  }
  return value
}

const unfinished: Problem = {
  reason: 'stalled',
  message: `the coefficients still moved after ${MAX_FIRST_ORDER} first-order steps; give a ridge penalty`,
}

/** The same rows, with a column of zeros behind them where their columns are odd in number. */
function evenColumns(values: Float64Array, rows: number, cols: number): Matrix {
  if (cols % 2 === 0) return matrix(rows, cols, values)
  const out = matrix(rows, cols + 1)
  for (let i = 0; i < rows; i++) out.values.set(values.subarray(i * cols, (i + 1) * cols), i * (cols + 1))
  return out
}
