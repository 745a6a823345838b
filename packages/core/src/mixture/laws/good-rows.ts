import { type Continuous, isRegression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { exact } from '../../likelihoods/shared.js'
import { rowVector } from '../../matrix.js'
import { atScale } from '../continuous/em.js'
import type { ClusterFit } from './cluster.js'
import { growthOf } from './growth.js'
import { atLeastHalfARow } from './law-fit.js'
import { levelInterval } from './level.js'
import { MAX_LEVEL } from './masses.js'
import { inScales, offsetsOf, predictions } from './row-offsets.js'
import { type Candidate, candidates } from './select.js'
import { goodUnder, settle } from './settle.js'
import type { ShapeName } from './shape.js'

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
    // Rows that lie on the model but for rounding have no law.
    if (!Number.isFinite(law.evidence)) return collapsed(start, first, laws)
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
    const [least, most] = state.between ?? [level, level]
    const interval = [Math.min(low, level, least), Math.max(high, level, most)] as const
    const offsets = inScales(state.offsets, state.law.growth)
    return { ...state, offsets, level, interval, laws: [state.law, ...laws] }
  }
}

/** A model that passes through the rows that it trusts. */
function collapsed<P extends Params>(
  params: P,
  offsets: Float64Array,
  laws: readonly Candidate[],
): GoodRows<P> {
  return {
    params: { ...params, problem: exact },
    offsets,
    clean: rowVector(offsets.length).fill(1),
    level: 0,
    interval: [0, MAX_LEVEL],
    laws,
    rounds: 1,
    converged: false,
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
  const finite = found.filter(({ evidence }) => Number.isFinite(evidence))
  const known = finite.length > 0 ? finite : found
  const usable = known.filter(({ growth }) => allowed.growth !== 'must' || growth !== undefined)
  return (usable.length > 0 ? usable : known)
    .map((law) => ({ ...law, ...atLeastHalfARow(law, law.offsets.rows) }))
    .sort((a, b) => b.evidence - a.evidence)
}
