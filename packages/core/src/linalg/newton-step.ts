import { columnSums, gram } from '../kernels/gram.js'
import { scratch } from '../kernels/scratch.js'
import type { Matrix } from '../matrix.js'
import { factor, solve } from './cholesky.js'

export interface Step {
  readonly intercept: number
  readonly coefficients: Float64Array
  /** g' step, the decrease that the quadratic model promises, times 2. */
  readonly decrement: number
  /** Columns that are constant or depend on the ones before them; their step is 0. */
  readonly dependent: readonly number[]
}

const centreVector = scratch()
const gramMatrix = scratch()
const gradientVector = scratch()
const factorMatrix = scratch()
const scaleVector = scratch()

/**
 * The Newton step of any model with a linear predictor: with per-row curvatures v and scores s it minimises
 *   1/2 sum v (d0 + x d)^2 - sum s (d0 + x d) + 1/2 sum_j ridge_j (d_j + at_j)^2.
 * For v = w and s = w r that is weighted least squares on the residuals r. With an intercept the columns are centred
 * at their v-weighted means first, which decouples it and keeps large offsets (years, time stamps) from eating digits.
 */
export function newtonStep(
  x: Matrix,
  intercept: boolean,
  v: Float64Array,
  s: Float64Array,
  ridge?: Float64Array,
  at?: Float64Array,
): Step {
  const d = x.cols
  const centre = centreVector(d).fill(0)
  let total = 0
  let offset = 0
  if (intercept) {
    total = columnSums(x, v, centre)
    for (let j = 0; j < d; j++) centre[j] /= total
    for (let i = 0; i < s.length; i++) offset += s[i]
  }
  const G = gramMatrix(d * d)
  const g = gradientVector(d)
  gram(x, centre, v, s, G, g)
  for (let j = 0; j < d; j++) {
    const size = Math.abs(centre[j])
    // What centring leaves of a constant column is rounding.
    if (G[j * d + j] <= total * (1e-12 * size) ** 2) G[j * d + j] = 0
    if (ridge !== undefined) {
      G[j * d + j] += ridge[j]
      g[j] -= ridge[j] * at![j]
    }
  }
  const f = factor(G, d, undefined, factorMatrix(d * d), scaleVector(d))
  const step = g.slice()
  solve(f, step)
  let decrement = 0
  let shift = 0
  for (let j = 0; j < d; j++) {
    decrement += g[j] * step[j]
    shift += centre[j] * step[j]
  }
  if (!intercept || total === 0)
    return { intercept: 0, coefficients: step, decrement, dependent: f.dependent }
  const level = offset / total
  return {
    intercept: level - shift,
    coefficients: step,
    decrement: decrement + offset * level,
    dependent: f.dependent,
  }
}
