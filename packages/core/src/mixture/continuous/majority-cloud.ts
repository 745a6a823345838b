import { type Cloud, type Continuous, isCloud } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { type BroadMixture, fitBroadMixture, startFrom, unbiasedScale } from './em.js'
import { furtherCloud } from './further-cloud.js'
import { mcdStarts } from './mcd-starts.js'
import { predictiveRadius } from './predictive-radius.js'
import { CLEARLY_APART } from './separation.js'

/** A model of the rows of the majority, from which others lie apart. */
export interface MajorityCloud<P> {
  readonly params: P
  /** 1 for the rows that lie apart, 0 for the others. */
  readonly apart: Float64Array
  readonly evidence: number
}

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
  const cloud = majorityCloud(likelihood, data)
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

const MAX_STEPS = 50

/** The cloud that rows lie apart from by the strongest evidence, over all starts; how strong that is, is not asked. */
export function majorityCloud<D, P extends Params>(
  likelihood: Cloud<D, P>,
  data: D,
): MajorityCloud<P> | undefined {
  const x = likelihood.points(data)
  let best: MajorityCloud<P> | undefined
  for (const start of mcdStarts(likelihood, data)) {
    const grown = grow(likelihood, data, start)
    if (grown === undefined) continue
    const { evidence, apart } = furtherCloud(x, grown.inside)
    if (best === undefined || evidence > best.evidence) best = { params: grown.params, apart, evidence }
  }
  return best
}

/**
 * The half of the rows grows by all that lie within its reach (reweighting, as after MCD, until nothing changes). Half of
 * a cloud is narrower than the whole, so that it grows slowly and ends at the first gap.
 */
function grow<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  start: P,
): { readonly params: P; readonly inside: Float64Array } | undefined {
  const n = likelihood.rows(data)
  const squared = new Float64Array(n)
  const inside = new Float64Array(n)
  let params = start
  let count = Math.floor(n / 2)
  for (let step = 0; step < MAX_STEPS; step++) {
    likelihood.squaredDistances(data, params, squared)
    const reach = predictiveRadius(likelihood.dimension(data), count) ** 2
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
  return { params, inside }
}
