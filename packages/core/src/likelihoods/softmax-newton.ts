import { factor, solve } from '../linalg/cholesky.js'
import { newtonStep } from '../linalg/newton-step.js'
import { collinear, growing, stalled } from './shared.js'
import type { SoftmaxProblem } from './softmax-problem.js'
import type { SoftmaxFit } from './softmax-solve.js'

const MAX_STEPS = 100
/** Rows that are summed together. */
const STRIP = 64
/** A mean loss below this means that nothing but infinite coefficients would be better. */
const SEPARATED = 1e-7

/** Newton's method from a start, until a step promises less than that part of the value. */
export function newtonFit(problem: SoftmaxProblem, start: Float64Array, lastStep: number): SoftmaxFit {
  const size = (problem.K - 1) * problem.wide
  const g = new Float64Array(size)
  const H = new Float64Array(size * size)
  const none = new Float64Array(problem.data.x.rows)
  const { x } = problem.data
  const dependent =
    problem.ridge !== undefined ? [] : newtonStep(x, problem.intercept, problem.w, none).dependent
  const enough = problem.ridge !== undefined ? -1 : SEPARATED * problem.w.reduce((sum, w) => sum + w, 0)
  let beta = start
  let value = evaluate(problem, beta, g, H)
  for (let step = 0; step < MAX_STEPS; step++) {
    const f = factor(H, size)
    const move = Float64Array.from(g)
    solve(f, move)
    let decrement = 0
    for (let j = 0; j < size; j++) decrement += g[j] * move[j]
    const noise = 1e-14 * value
    const flat = value <= enough || f.dependent.length > dependent.length * (problem.K - 1)
    if (flat) return { beta, value, problem: collinear(dependent) ?? growing }
    // Also a step that is too small to be seen in the value is seen in the parameters.
    if (!(decrement > lastStep * value))
      return { beta: moved(beta, move, 1), value, problem: collinear(dependent) }
    let length = 1
    let next = moved(beta, move, length)
    let nextValue = evaluate(problem, next, g, H)
    while (!(nextValue <= value - 1e-4 * length * decrement + noise) && length > 1e-12) {
      length /= 2
      next = moved(beta, move, length)
      nextValue = evaluate(problem, next, g, H)
    }
    if (!(nextValue <= value + noise)) return { beta, value, problem: collinear(dependent) ?? stalled }
    beta = next
    value = nextValue
  }
  return { beta, value, problem: collinear(dependent) ?? growing }
}

/** The objective, its negative gradient into g and the lower triangle of its Hessian into H. */
function evaluate(problem: SoftmaxProblem, beta: Float64Array, g: Float64Array, H: Float64Array): number {
  const { wide, w, shifted } = problem
  const { y } = problem.data
  const L = problem.K - 1
  const p = new Float64Array(L)
  // Each block of two classes is a sum of c z z', symmetric in the features too: half of it says all. A strip of rows at
  // a time, so that a sum is finished before it is stored.
  const half = (wide * (wide + 1)) / 2
  const pairs = (L * (L + 1)) / 2
  const blocks = new Float64Array(pairs * half)
  const squares = new Float64Array(half * STRIP)
  const curvatures = new Float64Array(pairs * STRIP)
  g.fill(0)
  let value = 0
  for (let from = 0; from < w.length; from += STRIP) {
    const rows = Math.min(STRIP, w.length - from)
    for (let r = 0; r < rows; r++) {
      const i = from + r
      const row = i * wide
      value += w[i] === 0 ? 0 : w[i] * problem.rowLoss(beta, row, p, y[i])
      for (let j = 0, at = r; j < wide; j++)
        for (let q = 0; q <= j; q++, at += STRIP) squares[at] = shifted[row + j] * shifted[row + q]
      for (let k = 0, at = r; k < L; k++) {
        const pull = w[i] * p[k]
        const score = (y[i] === k + 1 ? w[i] : 0) - pull
        for (let j = 0, to = k * wide; j < wide; j++) g[to++] += score * shifted[row + j]
        for (let m = 0; m < k; m++, at += STRIP) curvatures[at] = -pull * p[m]
        curvatures[at] = pull * (1 - p[k])
        at += STRIP
      }
    }
    for (let pair = 0, to = 0; pair < pairs; pair++)
      for (let at = 0; at < half; at++, to++)
        blocks[to] += stripDot(curvatures, pair * STRIP, squares, at * STRIP, rows)
  }
  placeBlocks(problem, blocks, half, H)
  return value + penalise(problem, beta, g, H)
}

function placeBlocks(problem: SoftmaxProblem, blocks: Float64Array, half: number, H: Float64Array): void {
  const { wide } = problem
  const L = problem.K - 1
  const size = L * wide
  for (let k = 0, block = 0; k < L; k++) {
    for (let m = 0; m <= k; m++, block += half) {
      for (let j = 0, at = block; j < wide; j++) {
        for (let q = 0; q <= j; q++, at++) {
          H[(k * wide + j) * size + m * wide + q] = blocks[at]
          H[(k * wide + q) * size + m * wide + j] = blocks[at]
        }
      }
    }
  }
}

function penalise(problem: SoftmaxProblem, beta: Float64Array, g: Float64Array, H: Float64Array): number {
  if (problem.ridge === undefined) return 0
  const { K, wide } = problem
  const first = problem.intercept ? 1 : 0
  const size = (K - 1) * wide
  let value = 0
  for (let j = first; j < wide; j++) {
    const ridge = problem.ridge[j - first]
    let mean = 0
    for (let k = 0; k < K - 1; k++) mean += beta[k * wide + j] / K
    for (let k = 0; k < K - 1; k++) {
      const at = k * wide + j
      value += 0.5 * ridge * beta[at] * (beta[at] - mean)
      g[at] -= ridge * (beta[at] - mean)
      for (let m = 0; m <= k; m++) H[at * size + m * wide + j] += ridge * ((k === m ? 1 : 0) - 1 / K)
    }
  }
  return value
}

function moved(beta: Float64Array, by: Float64Array, length: number): Float64Array {
  const out = Float64Array.from(beta)
  for (let j = 0; j < out.length; j++) out[j] += length * by[j]
  return out
}

function stripDot(a: Float64Array, i: number, b: Float64Array, j: number, length: number): number {
  let even = 0
  let odd = 0
  let k = 0
  for (; k + 3 < length; k += 4) {
    even += a[i + k] * b[j + k] + a[i + k + 2] * b[j + k + 2]
    odd += a[i + k + 1] * b[j + k + 1] + a[i + k + 3] * b[j + k + 3]
  }
  for (; k < length; k++) even += a[i + k] * b[j + k]
  return even + odd
}
