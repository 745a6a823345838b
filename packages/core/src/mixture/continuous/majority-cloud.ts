import { type Continuous, isCloud } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import type { Matrix } from '../../matrix.js'
import { type BroadMixture, fitBroadMixture, startFrom, unbiasedScale } from './em.js'
import { mcdStarts } from './mcd-starts.js'
import { predictiveRadius } from './predictive-radius.js'
import { separation } from './separation.js'

/** A model of the rows of the majority, from which others lie apart. */
export interface MajorityCloud<P> {
  readonly params: P
  /** 1 for the rows that lie apart, 0 for the others. */
  readonly apart: Float64Array
  readonly evidence: number
}

/** Log-likelihood ratio from which on rows lie apart. */
const CLEARLY_APART = 6
/** A model that lets in more than this share of the rows that lie apart was stretched to reach them. */
const LET_IN = 0.1
const EM = { maxIterations: 50, tolerance: 1e-3 }

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
  if (!isCloud(likelihood)) return found
  const cloud = majorityCloud(likelihood, data, likelihood.points(data))
  if (cloud === undefined || cloud.evidence < CLEARLY_APART) return found
  if (letIn(found.weights, cloud) <= LET_IN) return found
  const model = fitBroadMixture(likelihood, data, startFrom(cloud.params), EM)
  if (letIn(model.weights, cloud) <= LET_IN) return { ...model, converged: true }
  return { ...model, params: cloud.params, weights: cloud.apart.map((apart) => 1 - apart), converged: true }
}

/** Mean weight of the rows that lie apart. */
function letIn<P>(weights: Float64Array, { apart }: MajorityCloud<P>): number {
  let sum = 0
  let total = 0
  for (let i = 0; i < apart.length; i++) {
    sum += apart[i] * weights[i]
    total += apart[i]
  }
  return sum / total
}

/** The tightest starts are followed. */
const FOLLOWED = 5
const MAX_STEPS = 50

/**
 * The cloud of the majority and the strongest evidence that rows lie apart from it, whatever that is: from each start
 * the cloud is let grow until no more rows are near, and those outside are asked whether they are a cloud of their own.
 */
export function majorityCloud<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  x: Matrix,
): MajorityCloud<P> | undefined {
  let best: MajorityCloud<P> | undefined
  for (const start of mcdStarts(likelihood, data, x).slice(0, FOLLOWED)) {
    const cloud = grow(likelihood, data, start, x.cols)
    if (cloud !== undefined && (best === undefined || cloud.evidence > best.evidence)) best = cloud
  }
  return best
}

/**
 * The half of the rows grows by all that lie within its core (reweighting, as after MCD, until nothing changes). Half of
 * a cloud is narrower than the whole, so that it grows slowly and ends at the first gap.
 */
function grow<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  start: P,
  dimension: number,
): MajorityCloud<P> | undefined {
  const n = likelihood.rows(data)
  const squared = new Float64Array(n)
  const weights = new Float64Array(n)
  let params = start
  let inside = Math.floor(n / 2)
  let radius = 0
  for (let step = 0; step < MAX_STEPS; step++) {
    likelihood.squaredDistances(data, params, squared)
    radius = predictiveRadius(dimension, inside)
    let changed = false
    inside = 0
    for (let i = 0; i < n; i++) {
      const weight = squared[i] <= radius * radius ? 1 : 0
      if (weight !== weights[i]) changed = true
      weights[i] = weight
      inside += weight
    }
    if (!changed) break
    params = likelihood.fit(data, weights)
    if (params.problem !== undefined) return undefined
    params = unbiasedScale(likelihood, data, params, inside)
  }
  const distances = squared.map(Math.sqrt)
  const { evidence, from } = separation(Float64Array.from(distances).sort(), radius)
  return { params, apart: distances.map((r) => (r >= from ? 1 : 0)), evidence }
}
