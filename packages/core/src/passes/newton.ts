import type { LinearParams, Params, Problem } from '../likelihoods/likelihood.js'
import { collinear, fewRows, growing, stalled, withProblem } from '../likelihoods/shared.js'
import type { SoftmaxParams } from '../likelihoods/softmax.js'
import { factor, solve } from '../linalg/cholesky.js'
import { matrix } from '../matrix.js'
import type { Aggregates, NewtonSums, RowWeights } from './aggregates.js'
import type { PassModel } from './models.js'

const MAX_STEPS = 100
/** A mean loss below this means that nothing but infinite coefficients would be better. */
const SEPARATED = 1e-7
/** Of the value: a promise of a step that makes it the last, as what it leaves is the square. */
const LAST_STEP = 1e-13

interface State {
  readonly beta: Float64Array
  readonly sums: NewtonSums
  readonly value: number
  readonly gradient: Float64Array
  readonly curvature: Float64Array
}

interface Found {
  readonly beta: Float64Array
  readonly value: number
  readonly problem: Problem | undefined
}

/** The weighted fit of labels or counts by Newton's method with step halving: a pass for each step. */
export async function newtonFit<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  weights: RowWeights<P>,
  start: P | undefined,
): Promise<P> {
  const centre = model.intercept ? rows.centre : new Float64Array(rows.cols)
  const size = rows.cols + (model.intercept ? 1 : 0)
  const evaluate = async (beta: Float64Array, design = false): Promise<State> => {
    const params = unpack(model, beta, centre)
    const sums = await rows.newton({ weights, params, ...(design ? { design } : {}) })
    const gradient = sums.gradient.slice()
    const curvature = sums.curvature.values.slice()
    const value = sums.value + penalise(model, beta, gradient, curvature, rows.cols)
    return { beta, sums, value, gradient, curvature }
  }
  const origin = new Float64Array((model.classes - 1) * size)
  const first = await evaluate(start === undefined ? origin : pack(model, start, centre), model.ridge === 0)
  const single = oneClass(model, first.sums)
  if (single !== undefined && model.ridge === 0 && model.name === 'logistic')
    return withProblem(start ?? unpack(model, origin, centre), single)
  const dependent = first.sums.design === undefined ? [] : factor(first.sums.design.values, size).dependent
  const columns = dependent.map((j) => j - (model.intercept ? 1 : 0)).filter((j) => j >= 0)
  // Of counts the model without features: Newton converges from there.
  const { weight, responses } = first.sums
  const cold = origin.slice()
  if (model.name === 'poisson' && model.intercept && responses[0] > 0)
    cold[0] = Math.log(responses[0] / weight)
  const begin = start === undefined && model.name === 'poisson' ? await evaluate(cold) : first
  let found = await descend(model, begin, evaluate, columns)
  if (start !== undefined && found.problem !== undefined) {
    const second = await descend(model, await evaluate(cold), evaluate, columns)
    if (second.value < found.value) found = second
  }
  const few = model.ridge > 0 || model.name === 'softmax' ? undefined : fewRows(rows.rows, size)
  return withProblem(unpack(model, found.beta, centre), single ?? few ?? found.problem)
}

/** One step of Newton's method, times `length`; the weights stay as they are. */
export async function newtonStepByPasses<P extends Params>(
  model: PassModel<P>,
  rows: Aggregates<P>,
  weights: RowWeights<P>,
  from: P,
): Promise<(length: number) => P> {
  const centre = model.intercept ? rows.centre : new Float64Array(rows.cols)
  const sums = await rows.newton({ weights, params: from })
  const beta = pack(model, from, centre)
  const gradient = sums.gradient.slice()
  const curvature = sums.curvature.values.slice()
  penalise(model, beta, gradient, curvature, rows.cols)
  solve(factor(curvature, beta.length), gradient)
  return (length) => unpack(model, moved(beta, gradient, length), centre)
}

/** sum v_k s_k z of all rows as a sum by `vector(params)`: of columns as they are, and of softmax for the first class too. */
export function toVector<P extends Params>(
  { name, intercept, classes }: PassModel<P>,
  gradient: Float64Array,
  centre: Float64Array,
): Float64Array {
  const d = centre.length
  const first = intercept ? 1 : 0
  const wide = d + first
  const all = name === 'softmax' ? classes : 1
  const out = new Float64Array(all * wide)
  for (let k = 1; k < classes; k++) {
    const own = name === 'softmax' ? k : 0
    for (let j = 0; j < wide; j++) {
      const isIntercept = j < first
      const value = gradient[(k - 1) * wide + j]
      const shift = isIntercept || !intercept ? 0 : centre[j - first] * gradient[(k - 1) * wide]
      const at = (which: number): number => (isIntercept ? which : first * all + which * d + j - first)
      out[at(own)] += value + shift
      // The classes' parts sum to 0.
      if (name === 'softmax') out[at(0)] -= value + shift
    }
  }
  return out
}

async function descend<P extends Params>(
  model: PassModel<P>,
  start: State,
  evaluate: (beta: Float64Array) => Promise<State>,
  dependent: readonly number[],
): Promise<Found> {
  let state = start
  const enough =
    model.ridge > 0 || model.name === 'poisson' ? Number.NEGATIVE_INFINITY : SEPARATED * start.sums.weight
  for (let k = 0; k < MAX_STEPS; k++) {
    const { beta, value, gradient, curvature } = state
    const f = factor(curvature, beta.length)
    const move = gradient.slice()
    solve(f, move)
    let decrement = 0
    for (let j = 0; j < move.length; j++) decrement += gradient[j] * move[j]
    const flat = value <= enough || f.dependent.length > dependent.length * (model.classes - 1)
    if (flat) return { beta, value, problem: collinear(dependent) ?? growing }
    // What such a step leaves is the square of it.
    if (!(decrement > LAST_STEP * Math.abs(value)))
      return { beta: moved(beta, move, 1), value, problem: collinear(dependent) }
    const noise = 1e-14 * Math.abs(value)
    let length = 1
    let next = await evaluate(moved(beta, move, length))
    while (!(next.value <= value - 1e-4 * length * decrement + noise) && length > 1e-12) {
      length /= 2
      next = await evaluate(moved(beta, move, length))
    }
    if (!(next.value <= value + noise)) return { beta, value, problem: collinear(dependent) ?? stalled }
    state = next
  }
  return { beta: state.beta, value: state.value, problem: collinear(dependent) ?? growing }
}

function moved(beta: Float64Array, by: Float64Array, length: number): Float64Array {
  return beta.map((value, j) => value + length * by[j])
}

/** Half the ridge times squared coefficients; of softmax those that sum to 0 over the classes. Into gradient and curvature, too. */
function penalise<P extends Params>(
  { ridge, classes, intercept, name }: PassModel<P>,
  beta: Float64Array,
  gradient: Float64Array,
  curvature: Float64Array,
  cols: number,
): number {
  if (ridge === 0) return 0
  const first = intercept ? 1 : 0
  const wide = cols + first
  const L = classes - 1
  const size = L * wide
  const shared = name === 'softmax' ? 1 / classes : 0
  let value = 0
  for (let j = first; j < wide; j++) {
    let mean = 0
    for (let k = 0; k < L; k++) mean += shared * beta[k * wide + j]
    for (let k = 0; k < L; k++) {
      const at = k * wide + j
      value += 0.5 * ridge * beta[at] * (beta[at] - mean)
      gradient[at] -= ridge * (beta[at] - mean)
      for (let m = 0; m <= k; m++) curvature[at * size + m * wide + j] += ridge * ((k === m ? 1 : 0) - shared)
    }
  }
  return value
}

/** Differences to the first class on columns less their centre: an intercept, where there is one, and coefficients. */
function pack<P extends Params>(
  { name, intercept, classes }: PassModel<P>,
  params: P,
  centre: Float64Array,
): Float64Array {
  const d = centre.length
  const first = intercept ? 1 : 0
  const beta = new Float64Array((classes - 1) * (d + first))
  const one = params as unknown as LinearParams
  const many = params as unknown as SoftmaxParams
  for (let k = 1; k < classes; k++) {
    const from = (k - 1) * (d + first)
    let level = name === 'softmax' ? many.intercepts[k] - many.intercepts[0] : one.intercept
    for (let j = 0; j < d; j++) {
      const values = name === 'softmax' ? many.coefficients.values : one.coefficients
      const value = name === 'softmax' ? values[k * d + j] - values[j] : values[j]
      beta[from + first + j] = value
      level += value * centre[j]
    }
    if (intercept) beta[from] = level
  }
  return beta
}

/** The inverse of `pack`; of softmax the parameters that sum to 0 over the classes. */
function unpack<P extends Params>(
  { name, intercept, classes }: PassModel<P>,
  beta: Float64Array,
  centre: Float64Array,
): P {
  const d = centre.length
  const first = intercept ? 1 : 0
  const intercepts = new Float64Array(classes)
  const coefficients = matrix(classes, d)
  for (let k = 1; k < classes; k++) {
    const from = (k - 1) * (d + first)
    if (intercept) intercepts[k] = beta[from]
    for (let j = 0; j < d; j++) {
      coefficients.values[k * d + j] = beta[from + first + j]
      if (intercept) intercepts[k] -= beta[from + first + j] * centre[j]
    }
  }
  if (name !== 'softmax') {
    const one: LinearParams = { intercept: intercepts[1], coefficients: coefficients.values.slice(d) }
    return one as unknown as P
  }
  for (let j = 0; j <= d; j++) {
    const [values, step] = j < d ? [coefficients.values.subarray(j), d] : [intercepts, 1]
    let mean = 0
    for (let k = 0; k < classes; k++) mean += values[k * step] / classes
    for (let k = 0; k < classes; k++) values[k * step] -= mean
  }
  const many: SoftmaxParams = { intercepts, coefficients }
  return many as unknown as P
}

function oneClass<P extends Params>({ name }: PassModel<P>, { responses }: NewtonSums): Problem | undefined {
  if (name === 'poisson' || responses.filter((weight) => weight > 0).length > 1) return undefined
  const label = responses.findIndex((weight) => weight > 0)
  return { reason: 'one-class', message: `all rows that count have the label ${label}` }
}
