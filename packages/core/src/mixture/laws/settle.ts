import { type Continuous, isRegression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { exact } from '../../likelihoods/shared.js'
import { mapRows, rowVector } from '../../matrix.js'
import { atScale } from '../continuous/em.js'
import { besideCluster, goodBeside } from './beside-cluster.js'
import { followCluster, goodBesideCluster } from './cluster.js'
import { type Growth, refineGrowth } from './growth.js'
import { atLeastHalfARow, fine, fitWithin, goodProbabilities } from './law-fit.js'
import { MANY, type Offsets, toOffsets } from './offsets.js'
import { inScales, offsetsOf, predictions } from './row-offsets.js'
import { type Candidate, judged, withBeside, withCluster } from './select.js'
import { degreesOfFreedom } from './shape.js'
import { Steps } from './steps.js'

/** So many times as narrow as the start, by its logarithm, good rows lie on the model but for rounding. */
const COLLAPSED = 20
export const ROUNDS = 60
/** Few rows cost little, and may creep. */
const ROUNDS_OF_FEW = 300
/** Mean change of P(good) still to come at which rounds end: in few rows the last digits; in many well within the answer's own error. */
export const still = (rows: number): number => (rows > MANY ? 0.05 / Math.sqrt(rows) : 1e-9)

/** How far P(good) has still to move: of few rows as far as it just did, of many what rounds that go on shrinking as they did add up to. */
export function left(moved: number, last: number, rows: number): number {
  if (rows <= MANY || last === Number.POSITIVE_INFINITY) return moved
  const ratio = moved / last
  return ratio < 1 ? (moved * ratio) / (1 - ratio) : Number.POSITIVE_INFINITY
}

/** A model with the rows that a law calls good, and that law. */
export interface Settled<P> {
  /** At the scale of the start. */
  readonly params: P
  /** How far each row lies off, in units of that scale. */
  readonly offsets: Float64Array
  readonly law: Candidate
  /** P(good) of each row. */
  readonly clean: Float64Array
  readonly rounds: number
  readonly converged: boolean
  /** The least and the largest level of answers that lead to each other, where it ended between such. */
  readonly between?: readonly [number, number]
}

/** The fit to the good rows of one law, and the law of that fit's offsets, until neither moves. */
export function settle<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  start: P,
  from: Float64Array,
  first: Candidate,
  logScale: number,
): Settled<P> {
  let params = start
  let offsets = from
  let law = first
  let clean = rowVector(from.length)
  let moved = Number.POSITIVE_INFINITY
  const steps = new Steps()
  const most = from.length > MANY ? ROUNDS : ROUNDS_OF_FEW
  for (let rounds = 1; rounds <= most; rounds++) {
    if (rounds > 1) law = followed(likelihood, data, params, offsets, law, clean)
    const before = clean
    const values = inScales(offsets, law.growth)
    clean = goodUnder(law, values)
    const { next } = steps
    if (next < 1) for (let i = 0; i < clean.length; i++) clean[i] = before[i] + next * (clean[i] - before[i])
    const weights = withLaw(law, values, clean)
    if (!weights.some((weight) => weight > 0))
      return { params: { ...params, problem: exact }, offsets, law, clean, rounds, converged: false }
    if (isRegression(likelihood)) {
      if (offsets === from) offsets = mapRows(from, (offset) => offset)
      params = likelihood.refit(data, weights, params, offsets)
    } else params = likelihood.fit(data, weights, params)
    const own = likelihood.logScale(data, params)
    // Where one value repeats, the size of the responses that count may shrink with the scale: an exact fit all the same.
    if (params.problem === undefined && !(own > logScale - COLLAPSED * likelihood.dimension(data)))
      params = { ...params, problem: exact }
    if (params.problem !== undefined) return { params, offsets, law, clean, rounds, converged: false }
    params = atScale(likelihood, data, params, logScale)
    if (isRegression(likelihood)) {
      const by = Math.exp(own - logScale)
      for (let i = 0; i < offsets.length; i++) offsets[i] *= by
    } else offsets = offsetsOf(likelihood, data, params)
    const last = moved
    moved = 0
    for (let i = 0; i < clean.length; i++) moved += Math.abs(clean[i] - before[i]) / clean.length
    const { circle } = steps
    if (left(moved, last, clean.length) <= still(clean.length))
      return {
        ...{ params, offsets, law, clean, rounds, converged: true },
        ...(circle === undefined ? {} : { between: circle }),
      }
    steps.add(moved, law.level)
    // At first there is nothing to compare with.
    if (rounds === 1) moved = Number.POSITIVE_INFINITY
  }
  return { params, offsets, law, clean, rounds: most, converged: false }
}

/** P(good) of offsets under a law. */
export function goodUnder(law: Candidate, values: Float64Array): Float64Array {
  if (law.cluster !== undefined) return goodBesideCluster(law.cluster, values)
  return law.beside === undefined ? goodProbabilities(law, values) : goodBeside(law.beside, values)
}

/** The law fitted again to the offsets of other parameters, with its shells as they are. */
function followed<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  params: P,
  from: Float64Array,
  law: Candidate,
  clean: Float64Array,
): Candidate {
  let { growth } = law
  if (growth !== undefined && isRegression(likelihood)) {
    const predicted = predictions(likelihood, data, params, from)
    growth = refineGrowth(from, predicted, clean, Math.exp(law.params[0]), growth.rate)
  }
  return followedTo(toOffsets(inScales(from, growth), law.offsets, law.shells.unit), law, growth)
}

/** The law fitted again to other offsets, with its shells as they are. */
export function followedTo(offsets: Offsets, law: Candidate, growth: Growth | undefined): Candidate {
  const here = { ...law, offsets, ...(growth === undefined ? {} : { growth }) }
  if (law.cluster !== undefined) {
    const cluster = followCluster(offsets, law.cluster)
    return cluster === undefined ? here : withCluster(here, cluster)
  }
  if (law.beside !== undefined) {
    const beside = besideCluster(offsets, law.beside.rest, law.beside.cluster)
    return beside === undefined ? here : withBeside(here, beside)
  }
  const fit = fitWithin(offsets, law.shape, law.params, law.shells, fine(offsets))
  return judged(offsets, atLeastHalfARow(fit, offsets.rows), growth)
}

/** The weights of the fit: P(good), times what the law says of far rows and of rows with much scatter. */
export function withLaw(law: Candidate, values: Float64Array, clean: Float64Array): Float64Array {
  const { shape, params, growth, shells } = law
  if (shape.name !== 'student' && growth === undefined) return clean
  const scale = Math.exp(params[0])
  const nu = shape.name === 'student' ? degreesOfFreedom(params[1]) : Number.POSITIVE_INFINITY
  return mapRows(clean, (good, i) => {
    const far =
      nu === Number.POSITIVE_INFINITY ? 1 : (nu + shells.dimension) / (nu + (values[i] / scale) ** 2)
    return (good * far) / (growth === undefined ? 1 : growth.scales[i] ** 2)
  })
}
