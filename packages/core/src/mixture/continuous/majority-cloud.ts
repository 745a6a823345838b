import { type Continuous, isCloud } from '../../likelihoods/capabilities.js'
import { type CovarianceParams, covariance } from '../../likelihoods/covariance.js'
import type { Params, Unsupervised } from '../../likelihoods/likelihood.js'
import type { Matrix } from '../../matrix.js'
import { type BroadMixture, fitBroadMixture, startFrom, unbiasedScale } from './em.js'
import { furtherCloud } from './further-cloud.js'
import { mcdStarts } from './mcd-starts.js'
import { predictiveRadius } from './predictive-radius.js'
import { CLEARLY_APART } from './separation.js'

/** The rows of the majority, and those that lie apart from them: 1 for each, 0 for others. */
export interface MajorityCloud {
  readonly inside: Float64Array
  readonly apart: Float64Array
  /** Log-likelihood ratio against every cloud with one hump. */
  readonly evidence: number
}

/** A model that lets in more than this share of the rows that lie apart was stretched to reach them. */
const LET_IN = 0.1
/**
 * By so much more per row must the majority's loss be under a stretched model. Rows apart that the majority agrees with, as
 * those far out along a principal component, leave its loss as it is.
 */
const STRETCHED = 0.25
const EM = { maxIterations: 50, tolerance: 1e-3 }

/** A model that lets in rows apart, against that of the majority. */
export interface Stretch<P> {
  readonly cloud: MajorityCloud
  /** The fit to the majority alone. */
  readonly majority: P
  /** By how much less likely the majority is under the stretched one, per row. */
  readonly loss: number
}

/**
 * The model of the majority, where rows clearly lie apart from it and the model that was found takes them for good ones;
 * else the model that was found. To a reference of bad rows that is a ball in the good rows' metric, a cluster of share s
 * in d columns is explained better by stretching one axis of the good rows, as soon as s d > 1.
 */
export function unlessStretched<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  found: BroadMixture<P>,
): BroadMixture<P> {
  const stretch = stretchOf(likelihood, data, found.params, found.weights)
  if (stretch === undefined || stretch.loss <= STRETCHED) return found
  const model = fitBroadMixture(likelihood, data, startFrom(stretch.majority), EM)
  if (model.params.problem !== undefined || letIn(model.weights, stretch.cloud) > LET_IN) return found
  return { ...model, converged: true }
}

/** How far a model is stretched to rows apart that it takes, by its `weights`, for good ones; undefined where it takes none. */
export function stretchOf<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  params: P,
  weights: Float64Array,
): Stretch<P> | undefined {
  if (!isCloud(likelihood)) return undefined
  const cloud = majorityCloud(likelihood.points(data))
  if (cloud === undefined || cloud.evidence < CLEARLY_APART) return undefined
  if (letIn(weights, cloud) <= LET_IN) return undefined
  const majority = likelihood.fit(data, cloud.inside)
  if (majority.problem !== undefined) return undefined
  const loss = (of: P): number => shapeLoss(likelihood, data, of, cloud.inside)
  return { cloud, majority, loss: loss(params) - loss(majority) }
}

/**
 * Mean -log density of some rows, up to a constant, by a model at the scale that is best for them: EM may have left it a
 * narrower or a wider one, which says nothing of its shape.
 */
function shapeLoss<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  params: P,
  rows: Float64Array,
): number {
  const squared = new Float64Array(rows.length)
  likelihood.squaredDistances(data, params, squared)
  let sum = 0
  let total = 0
  for (let i = 0; i < rows.length; i++) {
    sum += rows[i] * squared[i]
    total += rows[i]
  }
  const dimension = likelihood.dimension(data)
  return 0.5 * dimension * Math.log(sum / (total * dimension)) + likelihood.logScale(data, params)
}

/** Mean weight of the rows that lie apart. */
function letIn(weights: Float64Array, { apart }: MajorityCloud): number {
  let sum = 0
  let total = 0
  for (let i = 0; i < apart.length; i++) {
    sum += apart[i] * weights[i]
    total += apart[i]
  }
  return sum / total
}

const MAX_STEPS = 50

/** The cloud that rows lie apart from by the strongest evidence, over all starts; how strong that is, is not asked. */
export function majorityCloud(x: Matrix, more: readonly CovarianceParams[] = []): MajorityCloud | undefined {
  let best: MajorityCloud | undefined
  for (const start of [...mcdStarts(covariance(), { x }), ...more]) {
    const cloud = cloudFrom(x, start)
    if (cloud !== undefined && (best === undefined || cloud.evidence > best.evidence)) best = cloud
  }
  return best
}

/** The cloud that a start grows to. */
export function cloudFrom(x: Matrix, start: CovarianceParams): MajorityCloud | undefined {
  const inside = grow(covariance(), { x }, start)
  return inside === undefined ? undefined : { inside, ...furtherCloud(x, inside) }
}

/**
 * The half of the rows grows by all that lie within its reach (reweighting, as after MCD, until nothing changes). Half of
 * a cloud is narrower than the whole, so that it grows slowly and ends at the first gap.
 */
function grow(
  likelihood: Continuous<Unsupervised, CovarianceParams>,
  data: Unsupervised,
  start: CovarianceParams,
): Float64Array | undefined {
  const { rows: n, cols } = data.x
  const squared = new Float64Array(n)
  const inside = new Float64Array(n)
  let params = start
  let count = Math.floor(n / 2)
  for (let step = 0; step < MAX_STEPS; step++) {
    likelihood.squaredDistances(data, params, squared)
    const reach = predictiveRadius(cols, count) ** 2
    let changed = false
    count = 0
    for (let i = 0; i < n; i++) {
      const weight = squared[i] <= reach ? 1 : 0
      if (weight !== inside[i]) changed = true
      inside[i] = weight
      count += weight
    }
    if (!changed) break
    params = likelihood.fit(data, inside)
    if (params.problem !== undefined) return undefined
    params = unbiasedScale(likelihood, data, params, count)
  }
  return inside
}
