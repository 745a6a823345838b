import { type Continuous, isRegression, type Regression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { rowVector } from '../../matrix.js'
import { atScale } from '../continuous/em.js'
import { besideCluster, goodBeside } from './beside-cluster.js'
import { type ClusterFit, followCluster, goodBesideCluster } from './cluster.js'
import { type Growth, growthOf, refineGrowth } from './growth.js'
import { fine, fitWithin, goodProbabilities } from './law-fit.js'
import { levelInterval } from './level.js'
import { MAX_LEVEL } from './masses.js'
import { MANY, type Offsets, toOffsets } from './offsets.js'
import { type Candidate, candidates, judged, withBeside, withCluster } from './select.js'
import { degreesOfFreedom, type ShapeName } from './shape.js'

/** Which laws may be chosen. */
export interface Laws {
  readonly shapes: readonly ShapeName[]
  /** Whether the scatter may follow the prediction, must, or must not. */
  readonly growth: 'may' | 'must' | 'not'
  /** Whether skewed columns may be put on curves that make them symmetric, or must; left out where rows have none. */
  readonly bends?: 'may' | 'must'
}

/** A model with the rows that it calls good. */
export interface GoodRows<P> {
  /** At the scale of the start. */
  readonly params: P
  /** How far each row lies off, in units of its scale. */
  readonly offsets: Float64Array
  /** P(good) of each row: the weights of the fit, but for what the law itself makes of far rows. */
  readonly clean: Float64Array
  readonly level: number
  readonly interval: readonly [number, number]
  /** All laws, the one with most evidence first. */
  readonly laws: readonly Candidate[]
  readonly rounds: number
  readonly converged: boolean
}

export const ROUNDS = 60
/** Few rows cost little, and may creep. */
const ROUNDS_OF_FEW = 300
/** From so many rounds on P(good) goes half of its way only: two answers that lead to each other would take turns for ever. */
const HALFWAY = 30
/** Mean change of P(good) still to come at which rounds end: in few rows the last digits; in many well within the answer's own error. */
export const still = (rows: number): number => (rows > MANY ? 0.05 / Math.sqrt(rows) : 1e-9)
/** So often another law may be chosen in the light of the fit that the first one led to. */
export const CHOICES = 3

/**
 * What law the good rows follow, which rows are good, and the fit to these. `start` is nearly right; with `broad`, P(good)
 * by which it was fitted, it is right if the law is normal: in few rows a reference that is not learned tells them better
 * than shells do. Other laws have another mind of far rows: there law, rows and fit take turns until they agree.
 */
export function fitGoodRows<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  start: P,
  allowed: Laws,
  broad?: { readonly weights: Float64Array; readonly value: number },
): GoodRows<P> {
  const logScale = likelihood.logScale(data, start)
  const first = offsetsOf(likelihood, data, start)
  let laws = chooseLaw(likelihood, data, start, first, allowed)
  for (let choice = 1; ; choice++) {
    const [law] = laws
    if (isPlain(law) && broad !== undefined) {
      const { clean, scattered } = withScattered(likelihood, data, start, first, law, broad)
      const params = atScale(likelihood, data, likelihood.fit(data, clean, start), logScale)
      const [low, high] = levelInterval(laws)
      const interval =
        scattered === undefined ? ([low, high] as const) : ([0, Math.max(high, scattered)] as const)
      const level = scattered ?? law.level
      const offsets = offsetsOf(likelihood, data, params)
      return { params, offsets, clean, level, interval, laws, rounds: 1, converged: true }
    }
    const state = settle(likelihood, data, start, first, law, logScale)
    if (state.params.problem !== undefined)
      return { ...state, level: law.level, interval: [0, MAX_LEVEL], laws }
    laws = chooseLaw(
      likelihood,
      data,
      state.params,
      state.offsets,
      inQuestion(laws, allowed),
      laws.find(({ cluster, growth }) => cluster !== undefined && growth === undefined)?.cluster,
    )
    const same = laws[0].shape === law.shape && (laws[0].growth === undefined) === (law.growth === undefined)
    if (!same && choice < CHOICES) continue
    // The level goes with P(good), which the fit was made by; the interval is that of all laws in the light of the fit.
    const { level } = state.law
    const [low, high] = levelInterval(laws)
    const interval = [Math.min(low, level), Math.max(high, level)] as const
    const offsets = inScales(state.offsets, state.law.growth)
    return { ...state, offsets, level, interval, laws: [state.law, ...laws] }
  }
}

/** Laws with so much less evidence than the best are out of the question for good: a fit moves none of them by as much. */
const HOPELESS = 15

/** Of the laws that may be chosen, those that the rows do not rule out. */
export function inQuestion(laws: readonly Candidate[], { shapes, growth }: Laws): Laws {
  const left = laws.filter(({ evidence }) => evidence > laws[0].evidence - HOPELESS)
  const names = new Set(left.map(({ shape }) => shape.name))
  // A cluster is looked for beside normal rows first.
  if (left.some(({ beside }) => beside !== undefined)) names.add('normal')
  const grown = left.some((law) => law.growth !== undefined)
  return { shapes: shapes.filter((name) => names.has(name)), growth: grown ? growth : 'not' }
}

/** By so much must the broad reference explain rows better than a normal law alone for some of them to be bad. */
const SCATTERED = 1.5

/**
 * P(good) under a normal law: by the shells and by the broad reference that the search averaged over many models, each by
 * its likelihood, that of the shells with their cost. Where shells see no bad rows and the broad reference clearly does,
 * they are scattered among the good ones; then their level too.
 */
function withScattered<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  params: P,
  offsets: Float64Array,
  law: Candidate,
  broad: { readonly weights: Float64Array; readonly value: number },
): { readonly clean: Float64Array; readonly scattered?: number } {
  const clean = goodUnder(law, offsets)
  const good = clean.reduce((sum, p) => sum + p, 0)
  const df = likelihood.degreesOfFreedom(data)
  const shells =
    law.evidence -
    (clean.length - df) * likelihood.logScale(data, params) -
    0.5 * df * likelihood.dimension(data) * Math.log(good)
  if (law.level === 0) {
    if (broad.value < shells + SCATTERED) return { clean }
    const level = broad.weights.reduce((sum, p) => sum + 1 - p, 0) / clean.length
    return { clean: broad.weights, scattered: level }
  }
  const share = 1 / (1 + Math.exp(shells - broad.value))
  return { clean: clean.map((p, i) => (1 - share) * p + share * Math.min(p, broad.weights[i])) }
}

/** Normal errors of one scale. */
export function isPlain({ shape, growth }: Candidate): boolean {
  return shape.name === 'normal' && growth === undefined
}

/** How far P(good) has still to move: of few rows as far as it just did, of many what rounds that go on shrinking as they did add up to. */
export function left(moved: number, last: number, rows: number): number {
  if (rows <= MANY || last === Number.POSITIVE_INFINITY) return moved
  const ratio = moved / last
  return ratio < 1 ? (moved * ratio) / (1 - ratio) : Number.POSITIVE_INFINITY
}

interface Settled<P> extends Pick<GoodRows<P>, 'params' | 'offsets' | 'clean' | 'rounds' | 'converged'> {
  readonly law: Candidate
}

/** The fit to the good rows of one law, and the law of that fit's offsets, until neither moves. */
function settle<D, P extends Params>(
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
  const most = from.length > MANY ? ROUNDS : ROUNDS_OF_FEW
  for (let rounds = 1; rounds <= most; rounds++) {
    if (rounds > 1) law = followed(likelihood, data, params, offsets, law, clean)
    const before = clean
    const values = inScales(offsets, law.growth)
    clean = goodUnder(law, values)
    if (rounds > HALFWAY) for (let i = 0; i < clean.length; i++) clean[i] = (clean[i] + before[i]) / 2
    const weights = withLaw(law, values, clean)
    if (isRegression(likelihood)) {
      offsets = offsets === from ? from.slice() : offsets
      params = likelihood.refit(data, weights, params, offsets)
    } else params = likelihood.fit(data, weights, params)
    if (params.problem !== undefined) return { params, offsets, law, clean, rounds, converged: false }
    const own = likelihood.logScale(data, params)
    params = atScale(likelihood, data, params, logScale)
    if (isRegression(likelihood)) {
      const by = Math.exp(own - logScale)
      for (let i = 0; i < offsets.length; i++) offsets[i] *= by
    } else offsets = offsetsOf(likelihood, data, params)
    const last = moved
    moved = 0
    for (let i = 0; i < clean.length; i++) moved += Math.abs(clean[i] - before[i]) / clean.length
    if (left(moved, last, clean.length) <= still(clean.length))
      return { params, offsets, law, clean, rounds, converged: true }
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

/** All laws that may be chosen, the one with most evidence first. */
export function chooseLaw<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  params: P,
  offsets: Float64Array,
  allowed: Laws,
  near?: ClusterFit,
): Candidate[] {
  const about = {
    dimension: likelihood.dimension(data),
    signed: isRegression(likelihood),
    degreesOfFreedom: likelihood.degreesOfFreedom(data),
  }
  const found = candidates(offsets, about, allowed.shapes, undefined, near)
  if (isRegression(likelihood) && allowed.growth !== 'not') {
    const all = rowVector(offsets.length).fill(1)
    const predicted = predictions(likelihood, data, params, offsets)
    const growth = growthOf(offsets, predicted, all, allowed.growth === 'must')
    if (growth !== undefined)
      found.push(...candidates(inScales(offsets, growth), about, allowed.shapes, growth))
  }
  return byEvidence(found, allowed)
}

/** The laws that may be chosen, the one with most evidence first. */
export function byEvidence(found: readonly Candidate[], allowed: Laws): Candidate[] {
  const usable = found.filter(({ growth }) => allowed.growth !== 'must' || growth !== undefined)
  return (usable.length > 0 ? usable : found)
    .map((law) => ({ ...law, ...atLeastHalfARow(law, law.offsets.rows) }))
    .sort((a, b) => b.evidence - a.evidence)
}

/** Less than half a row is none. */
export function atLeastHalfARow<F extends { readonly level: number; readonly masses: Float64Array }>(
  fit: F,
  rows: number,
): F {
  return fit.level < 0.5 / rows ? { ...fit, level: 0, masses: new Float64Array(fit.masses.length) } : fit
}

/** How far each row lies off, in units of the scale. */
export function offsetsOf<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  params: P,
  out: Float64Array = rowVector(likelihood.rows(data)),
): Float64Array {
  if (isRegression(likelihood)) {
    likelihood.residuals(data, params, out)
    return out
  }
  likelihood.squaredDistances(data, params, out)
  for (let i = 0; i < out.length; i++) out[i] = Math.sqrt(out[i])
  return out
}

/** Offsets in units of the scale of each row's own prediction, where it grows. */
export function inScales(offsets: Float64Array, growth: Growth | undefined): Float64Array {
  return growth === undefined ? offsets : offsets.map((offset, i) => offset / growth.scales[i])
}

/** What is predicted for each row, from the residuals: no need of another pass over the features. */
export function predictions<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  params: P,
  residuals: Float64Array,
): Float64Array {
  const scale = Math.exp(likelihood.logScale(data, params))
  return likelihood.responses(data).map((y, i) => y - scale * residuals[i])
}

/** The weights of the fit: P(good), times what the law says of far rows and of rows with much scatter. */
export function withLaw(law: Candidate, values: Float64Array, clean: Float64Array): Float64Array {
  const { shape, params, growth, shells } = law
  if (shape.name !== 'student' && growth === undefined) return clean
  const scale = Math.exp(params[0])
  const nu = shape.name === 'student' ? degreesOfFreedom(params[1]) : Number.POSITIVE_INFINITY
  return clean.map((good, i) => {
    const far =
      nu === Number.POSITIVE_INFINITY ? 1 : (nu + shells.dimension) / (nu + (values[i] / scale) ** 2)
    return (good * far) / (growth === undefined ? 1 : growth.scales[i] ** 2)
  })
}
