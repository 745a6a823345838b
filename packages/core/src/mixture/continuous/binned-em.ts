import type { Continuous } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { rowVector } from '../../matrix.js'
import { type Bins, toBins } from '../laws/bins.js'
import { MAX_LEVEL } from '../laws/masses.js'
import { normalCore } from '../laws/select.js'
import { type BroadMixture, unbiasedScale } from './em.js'
import { studentTReference, updateWidth } from './student-t.js'

const MAX_ROUNDS = 50
/** Of the EM on bins, and where it stops: in the level and the log scale, far within what as many rows can tell. */
const MAX_STEPS = 1000
const STILL = 1e-8

/**
 * `fitBroadMixture` for many rows, from a start that is nearly right. Scale, level and width of the reference move slowly from
 * one fit to the next, but they need the rows' distances only: an EM of their own on binned distances settles
 * them between any two passes over the rows, so that few passes are left.
 */
export function binnedEm<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  start: BroadMixture<P>,
  tolerance: number,
): BroadMixture<P> {
  const n = likelihood.rows(data)
  const squared = rowVector(n)
  const weights = rowVector(n)
  const before = rowVector(n)
  let { params } = start
  let components: Components = { scale: 1, level: 0.1, width: start.width }
  const dimension = likelihood.dimension(data)
  const degreesOfFreedom = likelihood.degreesOfFreedom(data)
  const unit = normalCore(dimension)
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    likelihood.squaredDistances(data, params, squared)
    components = emOnBins(
      toBins(squared.map(Math.sqrt), dimension, unit),
      n,
      dimension,
      degreesOfFreedom,
      components,
    )
    eStep(squared, components, dimension, weights)
    let change = 0
    let good = 0
    for (let i = 0; i < n; i++) {
      good += weights[i]
      change += Math.abs(weights[i] - before[i])
      before[i] = weights[i]
    }
    params = unbiasedScale(likelihood, data, likelihood.fit(data, weights, params), good)
    if (params.problem !== undefined) break
    if (change / n <= tolerance)
      return { ...start, params, weights, width: components.width, converged: true }
  }
  return { ...start, params, weights, width: components.width, converged: false }
}

interface Components {
  /** As a factor of the scale that the distances are in. */
  readonly scale: number
  readonly level: number
  readonly width: number
}

/** EM for scale, level and width at fixed distances, from what they were: the scale has since become that of the model. */
function emOnBins(
  { values: distances, counts }: Bins,
  rows: number,
  dimension: number,
  degreesOfFreedom: number,
  before: Components,
): Components {
  const own = distances.map((distance) => distance * distance)
  const squared = new Float64Array(own.length)
  const clean = new Float64Array(own.length)
  let components = { ...before, scale: 1 }
  for (let k = 0; k < MAX_STEPS; k++) {
    squared.set(own)
    eStep(squared, components, dimension, clean)
    let good = 0
    let squares = 0
    for (let i = 0; i < clean.length; i++) {
      good += counts[i] * clean[i]
      squares += counts[i] * clean[i] * own[i]
    }
    const scale = Math.sqrt(squares / (dimension * Math.max(good - degreesOfFreedom, 0.1 * good)))
    const width = updateWidth(squared, clean, dimension, components.width, counts)
    const level = Math.min(MAX_LEVEL, 1 - good / rows)
    const moved = Math.abs(level - components.level) + Math.abs(Math.log(scale / components.scale))
    components = { scale, level, width }
    if (moved < STILL) break
  }
  return components
}

/** P(good) of squared distances, which it leaves in units of the scale. */
function eStep(squared: Float64Array, components: Components, dimension: number, out: Float64Array): void {
  const by = 1 / components.scale ** 2
  const odds = components.level / (1 - components.level)
  const gauss = 0.5 * dimension * Math.log(2 * Math.PI)
  for (let i = 0; i < squared.length; i++) squared[i] *= by
  studentTReference(squared, dimension, components.width, out)
  for (let i = 0; i < squared.length; i++)
    out[i] = 1 / (1 + odds * Math.exp(0.5 * squared[i] + gauss - out[i]))
}
