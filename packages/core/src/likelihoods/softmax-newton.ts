import { gram } from '../kernels/gram.js'
import { even, softmaxLoss } from '../kernels/softmax.js'
import { factor, solve } from '../linalg/cholesky.js'
import { lbfgs, type Minimum } from '../linalg/lbfgs.js'
import { newtonStep } from '../linalg/newton-step.js'
import { type Matrix, matrix } from '../matrix.js'
import type { Params, Problem, Supervised } from './likelihood.js'
import { collinear, growing, stalled } from './shared.js'

/** Intercepts and coefficients of each class. */
export interface SoftmaxParams extends Params {
  /** One for each class; they sum to 0. */
  readonly intercepts: Float64Array
  /** classes x features; every column sums to 0, so no class is special. */
  readonly coefficients: Matrix
}

const MAX_STEPS = 100
/** Of the value: a promise of a Newton step that makes it the last, as of each step that follows it squares what is left. */
const LAST_STEP = 1e-9
const ROUGH_LAST_STEP = 1e-5
/** Rows that are summed together. */
const STRIP = 64
/** A mean loss below this means that nothing but infinite coefficients would be better. */
const SEPARATED = 1e-7
/** From so many parameters on a Newton step costs more than the steps of a first-order method that it saves. */
const NEWTON_PARAMETERS = 60
/** First-order steps come near a separating plane slowly: less is enough of it. */
const NEARLY_SEPARATED = 1e-3
const MAX_FIRST_ORDER = 400
/** The gain that is promised, over the value, at which first-order steps end: within a millionth of a standard error. */
const LAST_FIRST_ORDER = 1e-14
/** Where it has fallen to these, their metric is taken anew; from a start, which is near already, after so many steps. */
const NEARER = [0.1, 0.01, 1e-4]
const STEPS_OF_METRIC = 15
/** The least curvature of that metric, over the sum of squares. */
const FLOOR = 1e-9
/** A start means that a fit is a step of an EM that will move on: a thousandth of a standard error is near enough. */
const ON_THE_WAY = { full: 1e-9, rough: 1e-6 }

export interface SoftmaxFit {
  readonly beta: Float64Array
  readonly value: number
  readonly problem: Problem | undefined
}

/**
 * The weighted fit by Newton's method, or by L-BFGS where parameters are many. Class 0 is held at zero while solving (only differences between classes are
 * determined); the ridge penalty is that of the centred coefficients, so the choice of that class does not matter.
 */
export class SoftmaxProblem {
  readonly data: Supervised
  readonly w: Float64Array
  readonly K: number
  readonly intercept: boolean
  readonly ridge: Float64Array | undefined
  readonly wide: number
  readonly shift: Float64Array
  /** Rows of 1, where there is an intercept, and the shifted features. */
  readonly shifted: Float64Array
  /** The same for first-order steps, with an even number of columns. */
  readonly rows: Matrix
  /** Sums of squares of the shifted features. */
  readonly squares: Float64Array
  readonly firstOrder: boolean

  constructor(
    data: Supervised,
    w: Float64Array,
    K: number,
    intercept: boolean,
    ridge: Float64Array | undefined,
    firstOrder?: boolean,
  ) {
    this.data = data
    this.w = w
    this.K = K
    this.intercept = intercept
    this.ridge = ridge
    this.wide = data.x.cols + (intercept ? 1 : 0)
    this.firstOrder = firstOrder ?? (K - 1) * this.wide > NEWTON_PARAMETERS
    this.shift = intercept ? columnMeans(data.x) : new Float64Array(data.x.cols)
    this.shifted = shiftedRows(data.x, this.shift, intercept)
    this.rows = this.firstOrder ? evenColumns(this.shifted, data.x.rows, this.wide) : matrix(0, 0)
    this.squares = new Float64Array(this.wide)
    for (let at = 0; at < this.shifted.length; )
      for (let j = 0; j < this.wide; j++, at++) this.squares[j] += this.shifted[at] * this.shifted[at]
  }

  private origin(): Float64Array {
    return new Float64Array((this.K - 1) * this.wide)
  }

  /** Differences to class 0, on columns shifted by their means: (K - 1) x wide. */
  private pack(params: SoftmaxParams): Float64Array {
    const { K, wide } = this
    const d = this.data.x.cols
    const first = this.intercept ? 1 : 0
    const c = params.coefficients.values
    const beta = this.origin()
    for (let k = 1; k < K; k++) {
      const to = (k - 1) * wide
      let level = params.intercepts[k] - params.intercepts[0]
      for (let j = 0; j < d; j++) {
        const difference = c[k * d + j] - c[j]
        beta[to + first + j] = difference
        level += difference * this.shift[j]
      }
      if (this.intercept) beta[to] = level
    }
    return beta
  }

  unpack(beta: Float64Array): SoftmaxParams {
    const { K, wide } = this
    const d = this.data.x.cols
    const first = this.intercept ? 1 : 0
    const intercepts = new Float64Array(K)
    const coefficients = matrix(K, d)
    const c = coefficients.values
    for (let k = 1; k < K; k++) {
      const from = (k - 1) * wide
      if (this.intercept) intercepts[k] = beta[from]
      for (let j = 0; j < d; j++) {
        c[k * d + j] = beta[from + first + j]
        intercepts[k] -= beta[from + first + j] * this.shift[j]
      }
    }
    centre(intercepts, K, 1)
    centre(c, K, d)
    return { intercepts, coefficients }
  }

  /** The better of the fits from a start and, where that ran into trouble, from the origin, which never stalls Newton. */
  solveFrom(start: SoftmaxParams | undefined, accuracy: 'full' | 'rough' = 'full'): SoftmaxFit {
    if (this.firstOrder)
      return start === undefined
        ? this.descend(this.origin(), LAST_FIRST_ORDER)
        : this.descend(this.pack(start), ON_THE_WAY[accuracy], 'near')
    const lastStep = accuracy === 'full' ? LAST_STEP : ROUGH_LAST_STEP
    const first = this.solve(start === undefined ? this.origin() : this.pack(start), lastStep)
    if (start === undefined || first.problem === undefined) return first
    const second = this.solve(this.origin(), lastStep)
    return second.value < first.value ? second : first
  }

  private solve(start: Float64Array, lastStep: number): SoftmaxFit {
    const size = (this.K - 1) * this.wide
    const g = new Float64Array(size)
    const H = new Float64Array(size * size)
    const none = new Float64Array(this.data.x.rows)
    const { x } = this.data
    const dependent = this.ridge !== undefined ? [] : newtonStep(x, this.intercept, this.w, none).dependent
    const enough = this.ridge !== undefined ? -1 : SEPARATED * this.w.reduce((sum, w) => sum + w, 0)
    let beta = start
    let value = this.evaluate(beta, g, H)
    for (let step = 0; step < MAX_STEPS; step++) {
      const f = factor(H, size)
      const move = Float64Array.from(g)
      solve(f, move)
      let decrement = 0
      for (let j = 0; j < size; j++) decrement += g[j] * move[j]
      const noise = 1e-14 * value
      const flat = value <= enough || f.dependent.length > dependent.length * (this.K - 1)
      if (flat || !(decrement > noise))
        return { beta, value, problem: collinear(dependent) ?? (flat ? growing : undefined) }
      if (decrement <= lastStep * value)
        return { beta: moved(beta, move, 1), value, problem: collinear(dependent) }
      let length = 1
      let next = moved(beta, move, length)
      let nextValue = this.evaluate(next, g, H)
      while (!(nextValue <= value - 1e-4 * length * decrement + noise) && length > 1e-12) {
        length /= 2
        next = moved(beta, move, length)
        nextValue = this.evaluate(next, g, H)
      }
      if (!(nextValue <= value + noise)) return { beta, value, problem: collinear(dependent) ?? stalled }
      beta = next
      value = nextValue
    }
    return { beta, value, problem: collinear(dependent) ?? growing }
  }

  /** L-BFGS in the metric of the curvature within each class, which is taken anew as the fit comes nearer. */
  private descend(start: Float64Array, tolerance: number, near?: 'near'): SoftmaxFit {
    const total = this.w.reduce((sum, w) => sum + w, 0)
    const enough = this.ridge === undefined ? NEARLY_SEPARATED * total : -1
    let found: Minimum = { at: start, value: Number.POSITIVE_INFINITY, steps: 0, reached: false }
    let left = MAX_FIRST_ORDER
    const descendTo = (until: number, maxSteps: number): void => {
      found = lbfgs((beta, gradient) => this.objective(beta, gradient), found.at, {
        precondition: this.preconditioner(found.at),
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

  /** The inverse of the curvature within each class, without that between classes. */
  private preconditioner(beta: Float64Array): (gradient: Float64Array) => Float64Array {
    const { K, wide } = this
    // At the origin all classes are equally probable: what holds for one holds for all.
    const alike = beta.every((b) => b === 0)
    const factors = this.curvatures(beta, alike ? 1 : K).map((H) => factor(H, wide))
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
  private curvatures(beta: Float64Array, classes: number): Float64Array[] {
    const { K, wide, w, rows } = this
    const { y } = this.data
    const p = new Float64Array(K - 1)
    const each = Array.from({ length: K }, () => new Float64Array(w.length))
    for (let i = 0; i < w.length; i++) {
      this.rowLoss(beta, i * wide, p, y[i])
      let rest = 1
      for (let k = 1; k < K; k++) {
        rest -= p[k - 1]
        each[k][i] = w[i] * p[k - 1] * (1 - p[k - 1])
      }
      each[0][i] = w[i] * Math.max(0, rest * (1 - rest))
    }
    const first = this.intercept ? 1 : 0
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
        H[j * wide + j] += (j < first ? 0 : (this.ridge?.[j - first] ?? 0)) + FLOOR * this.squares[j]
      }
      return H
    })
  }

  /** The objective, and its gradient into g, by a pass that many rows have on SIMD. */
  private objective(beta: Float64Array, g: Float64Array): number {
    const { K, wide, rows } = this
    const room = rows.cols
    // Class 0 is held at zero.
    const coefficients = new Float64Array(even(K) * room)
    const gradient = new Float64Array(even(K) * room)
    for (let k = 1; k < K; k++) coefficients.set(beta.subarray((k - 1) * wide, k * wide), k * room)
    let value = softmaxLoss(rows, this.data.y, this.w, K, coefficients, gradient)
    for (let k = 1; k < K; k++) g.set(gradient.subarray(k * room, k * room + wide), (k - 1) * wide)
    if (this.ridge === undefined) return value
    const first = this.intercept ? 1 : 0
    for (let j = first; j < wide; j++) {
      const ridge = this.ridge[j - first]
      let mean = 0
      for (let at = j; at < beta.length; at += wide) mean += beta[at] / K
      for (let at = j; at < beta.length; at += wide) {
        value += 0.5 * ridge * beta[at] * (beta[at] - mean)
        g[at] += ridge * (beta[at] - mean)
      }
    }
    return value
  }

  /** The objective, its negative gradient into g and the lower triangle of its Hessian into H. */
  private evaluate(beta: Float64Array, g: Float64Array, H: Float64Array): number {
    const { wide, w, shifted } = this
    const { y } = this.data
    const L = this.K - 1
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
        value += w[i] === 0 ? 0 : w[i] * this.rowLoss(beta, row, p, y[i])
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
    this.placeBlocks(blocks, half, H)
    return value + this.penalise(beta, g, H)
  }

  private placeBlocks(blocks: Float64Array, half: number, H: Float64Array): void {
    const { wide } = this
    const L = this.K - 1
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

  /** Loss of the row whose features begin there; P(class k + 1) into p. */
  private rowLoss(beta: Float64Array, row: number, p: Float64Array, label: number): number {
    const { wide, shifted } = this
    let most = 0
    for (let k = 0; k < p.length; k++) {
      let eta = 0
      for (let j = 0; j < wide; j++) eta += beta[k * wide + j] * shifted[row + j]
      p[k] = eta
      if (eta > most) most = eta
    }
    let sum = Math.exp(-most)
    for (let k = 0; k < p.length; k++) sum += Math.exp(p[k] - most)
    const loss = most + Math.log(sum) - (label === 0 ? 0 : p[label - 1])
    for (let k = 0; k < p.length; k++) p[k] = Math.exp(p[k] - most) / sum
    return loss
  }

  private penalise(beta: Float64Array, g: Float64Array, H: Float64Array): number {
    if (this.ridge === undefined) return 0
    const { K, wide } = this
    const first = this.intercept ? 1 : 0
    const size = (K - 1) * wide
    let value = 0
    for (let j = first; j < wide; j++) {
      const ridge = this.ridge[j - first]
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
}

const unfinished: Problem = {
  reason: 'stalled',
  message: `the coefficients still moved after ${MAX_FIRST_ORDER} first-order steps; give a ridge penalty`,
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

function shiftedRows({ rows, cols, values }: Matrix, shift: Float64Array, intercept: boolean): Float64Array {
  const out = new Float64Array(rows * (cols + (intercept ? 1 : 0)))
  for (let i = 0, to = 0; i < rows; i++) {
    if (intercept) out[to++] = 1
    for (let j = 0; j < cols; j++) out[to++] = values[i * cols + j] - shift[j]
  }
  return out
}

/** The same rows, with a column of zeros behind them where their columns are odd in number. */
function evenColumns(values: Float64Array, rows: number, cols: number): Matrix {
  if (cols % 2 === 0) return matrix(rows, cols, values)
  const out = matrix(rows, cols + 1)
  for (let i = 0; i < rows; i++) out.values.set(values.subarray(i * cols, (i + 1) * cols), i * (cols + 1))
  return out
}

function columnMeans(x: Matrix): Float64Array {
  const out = new Float64Array(x.cols)
  for (let i = 0; i < x.values.length; ) for (let j = 0; j < x.cols; j++, i++) out[j] += x.values[i] / x.rows
  return out
}

/** Subtracts from each of `cols` columns the mean over the K classes. */
function centre(values: Float64Array, K: number, cols: number): void {
  for (let j = 0; j < cols; j++) {
    let mean = 0
    for (let k = 0; k < K; k++) mean += values[k * cols + j] / K
    for (let k = 0; k < K; k++) values[k * cols + j] -= mean
  }
}
