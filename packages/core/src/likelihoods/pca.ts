import { checkMatrix, checkShape } from '../check.js'
import { RlviError } from '../errors.js'
import { gram } from '../kernels/gram.js'
import { symmetricEigen } from '../linalg/eigen.js'
import { type Matrix, matrix } from '../matrix.js'
import type { Cloud, Differentiable } from './capabilities.js'
import type { Params, Problem, Unsupervised } from './likelihood.js'
import { weightedMean } from './mean.js'
import { ones, takeUnsupervised, weightsOf, withProblem } from './shared.js'

/** Principal components, and how far rows lie off them. */
export interface PcaParams extends Params {
  readonly mean: Float64Array
  /** Unit rows, the first explains most. */
  readonly components: Matrix
  /** Weighted variance along each component. */
  readonly variances: Float64Array
  /** Weighted root mean square distance from the components, per dimension left over. */
  readonly scale: number
}

/** Options of `pca`. */
export interface PcaOptions {
  /** Number of components, default 1. */
  readonly components?: number
  /**
   * Whether components pass through the weighted mean (default true) or the origin. The paper's benchmark does some of
   * each: its losses are about the origin, while plain PCA and SEVER centre their fit (`'fit'`).
   */
  readonly centre?: boolean | 'fit'
  /** As the authors' released code fits: rows times their weights (so these count squared), about their plain mean. */
  readonly asReleased?: boolean
}

/** What `pca` returns. */
export interface PcaLikelihood
  extends Cloud<Unsupervised, PcaParams>,
    Differentiable<Unsupervised, PcaParams> {
  /** Each row's coordinates along the components (rows x components), and what it loses by projection on them. */
  project(
    x: Matrix,
    params: Pick<PcaParams, 'mean' | 'components'>,
  ): { readonly scores: Matrix; readonly losses: Float64Array }
}

/** Below this share of the rows' squared size, what is off the components is rounding. */
const EXACT = 1e-14
/** Of a row's squared length, for each column: nearer than some last digits a row lies on the components. */
const ROUNDING = (32 * Number.EPSILON) ** 2

const exactFit: Problem = {
  reason: 'exact-fit',
  message: 'all rows that count lie on the components, so that nothing is left to measure distances by',
}

/**
 * Principal components: the loss is what a row loses by projection, |z|^2 - |V z|^2.
 *
 * @example
 * const x = fromRows([[1, 2], [2, 4.1], [3, 5.9], [4, 8], [9, -9]])
 * ml(pca({ components: 1 }), { x }).params.components // unit rows
 */
export function pca(options: PcaOptions = {}): PcaLikelihood {
  const k = options.components ?? 1
  const centre = options.centre ?? true
  if (!Number.isInteger(k) || k < 1)
    throw new RlviError('pca components', 'a whole number of at least 1 is needed', k)

  return {
    name: 'pca',
    rows: (data) => data.x.rows,

    check({ x }) {
      checkMatrix('x', x)
      if (k > x.cols) throw new RlviError('pca components', `at most one for each of ${x.cols} columns`, k)
    },

    fit({ x }, weights, start) {
      const w = weightsOf(weights, x.rows)
      const mean = centre ? weightedMean(x, w) : new Float64Array(x.cols)
      const scatter = options.asReleased ? releasedScatter(x, w) : weightedScatter(x, w, mean)
      const eigen = symmetricEigen(scatter, x.cols)
      const components = matrix(k, x.cols, eigen.vectors.slice(0, k * x.cols))
      orient(components, start?.components)
      const about = centre === 'fit' ? new Float64Array(x.cols) : mean
      let rest = 0
      for (let j = k; j < x.cols; j++) rest += Math.max(eigen.values[j], 0)
      const scale = k < x.cols ? Math.sqrt(rest / (x.cols - k)) : 0
      const size =
        eigen.values.reduce((sum, v) => sum + Math.max(v, 0), 0) + mean.reduce((sum, m) => sum + m * m, 0)
      const params = { mean: about, components, variances: eigen.values.slice(0, k), scale }
      return withProblem(params, k < x.cols && rest <= EXACT * size ? exactFit : undefined)
    },

    losses: ({ x }, params, out) => offDistances(x, params, out),

    project(x, params) {
      checkShape('x', x)
      const scores = matrix(x.rows, params.components.rows)
      const losses = new Float64Array(x.rows)
      offDistances(x, params, losses, scores.values)
      return { scores, losses }
    },

    vector: (params) => params.components.values,
    take: takeUnsupervised,

    points: ({ x }) => x,
    dimension: ({ x }) => x.cols - k,

    squaredDistances({ x }, params, out) {
      offDistances(x, params, out)
      const variance = Math.max(params.scale, 1e-100) ** 2
      for (let i = 0; i < out.length; i++) out[i] /= variance
    },

    logScale: ({ x }, params) => (x.cols - k) * Math.log(Math.max(params.scale, 1e-100)),
    degreesOfFreedom: () => k + (centre === true ? 1 : 0),
    rescale: (params, factor) => ({ ...params, scale: params.scale * factor }),

    gradients({ x }, params) {
      const out = matrix(x.rows, k * x.cols)
      const z = new Float64Array(x.cols)
      for (let i = 0, to = 0; i < x.rows; i++) {
        for (let j = 0; j < x.cols; j++) z[j] = x.values[i * x.cols + j] - params.mean[j]
        for (let c = 0; c < k; c++) {
          const along = dot(z, params.components.values, c * x.cols)
          for (let j = 0; j < x.cols; j++) out.values[to++] = -2 * along * z[j]
        }
      }
      return out
    },
  }
}

/** What each row loses by projection on the components; its coordinates along them into `scores`, if given. */
function offDistances(
  x: Matrix,
  params: Pick<PcaParams, 'mean' | 'components'>,
  out: Float64Array,
  scores?: Float64Array,
): void {
  const z = new Float64Array(x.cols)
  const { rows: k, values } = params.components
  const centre = dot(params.mean, params.mean, 0)
  for (let i = 0; i < x.rows; i++) {
    for (let j = 0; j < x.cols; j++) z[j] = x.values[i * x.cols + j] - params.mean[j]
    const rounding = ROUNDING * x.cols * (centre + dot(z, z, 0))
    for (let c = 0; c < k; c++) {
      const along = dot(z, values, c * x.cols)
      if (scores !== undefined) scores[i * k + c] = along
      // Column by column: of a long row, the difference of two squared lengths would be their rounding.
      for (let j = 0; j < x.cols; j++) z[j] -= along * values[c * x.cols + j]
    }
    let rest = 0
    for (let j = 0; j < x.cols; j++) rest += z[j] * z[j]
    out[i] = rest > rounding ? rest : 0
  }
}

function dot(z: Float64Array, v: Float64Array, from: number): number {
  let sum = 0
  for (let j = 0; j < z.length; j++) sum += z[j] * v[from + j]
  return sum
}

function weightedScatter(x: Matrix, w: Float64Array, mean: Float64Array): Float64Array {
  const scatter = new Float64Array(x.cols * x.cols)
  gram(x, mean, w, w, scatter, new Float64Array(x.cols))
  let total = 0
  for (let i = 0; i < w.length; i++) total += w[i]
  for (let j = 0; j < scatter.length; j++) scatter[j] /= total
  return scatter
}

function releasedScatter(x: Matrix, w: Float64Array): Float64Array {
  const multiplied = matrix(x.rows, x.cols)
  for (let i = 0, at = 0; i < x.rows; i++) {
    for (let j = 0; j < x.cols; j++, at++) multiplied.values[at] = w[i] * x.values[at]
  }
  const all = ones(x.rows)
  return weightedScatter(multiplied, all, weightedMean(multiplied, all))
}

/** A component and its opposite are the same: take the one near the start, or the one whose largest entry is positive. */
function orient(components: Matrix, near?: Matrix): void {
  const { rows, cols, values } = components
  for (let c = 0; c < rows; c++) {
    let sign = 0
    if (near !== undefined)
      for (let j = 0; j < cols; j++) sign += values[c * cols + j] * near.values[c * cols + j]
    else {
      let most = 0
      for (let j = 0; j < cols; j++) {
        const entry = values[c * cols + j]
        // A margin, so that equal entries do not swap by rounding.
        if (Math.abs(entry) > most * (1 + 1e-9)) {
          most = Math.abs(entry)
          sign = entry
        }
      }
    }
    if (sign < 0) for (let j = 0; j < cols; j++) values[c * cols + j] *= -1
  }
}
