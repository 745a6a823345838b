import type { Params } from '../../../likelihoods/likelihood.js'
import type { Matrix } from '../../../matrix.js'
import { better, EM, type Explanation, LEVELS, laplace, logHyperprior, NO_SIGNAL } from './evidence.js'
import type { Classed, Labelled } from './labelled.js'
import { type LearnedHabits, learnHabits } from './learn-habits.js'
import { leaveOneOutClasses } from './leave-one-out-classes.js'
import { type Noise, noiseAt, noiseThrough, posteriorOf, uniformNoise } from './noise.js'
import { bestOneSided } from './one-sided.js'
import { fitThroughNoise } from './through-noise.js'

/** Habits and model take turns so often, at most, and until no entry moves by more. */
const ROUNDS = 12
const STILL = 2e-3
const ON_THE_WAY = { maxIterations: 4, tolerance: 0.05 }
/** Log evidence over uniform noise below which nothing speaks for habits. */
const LEAST = 1
/**
 * Shares of random labels whose models are where habits begin, beside the best one's: a soft model takes wrong labels for
 * probable ones and sees none, a sharp one sees them.
 */
const BEGIN = [0.6, 0.8, 0.4, 0.2]
/** The prior under which flips of one class are tried: steep slopes, that a border without noise has, cost little. */
const ONE_SIDED = 0.1
/** So far behind uniform noise, in log evidence, they have no say under another prior either. */
const FAR_BEHIND = 8
/** Habits that come so near to others will become them. */
const SAME = 0.02
/** A prior so far behind the best is of no account, and so is a level. */
const BEHIND = 4
const NO_ACCOUNT = 40

/** Explanations of the labels by noise that has habits. */
export interface Habits<P> {
  readonly noise: Noise
  /** Their levels are shares of random labels in uniform noise with as many wrong ones. */
  readonly explanations: readonly Explanation<P>[]
}

/**
 * How labels go wrong, learned from P(class) of each row by a fit without it, and the evidence of all levels of such noise,
 * less what learning costs. Undefined where nothing speaks against uniform noise.
 */
export function explainByHabits<D, P extends Params>(
  likelihood: Labelled<D, P>,
  data: D,
  explanations: readonly Explanation<P>[],
): Habits<P> | undefined {
  // Where features say nothing of the labels, no habit can be seen by them.
  const uniform = explanations.filter(({ strength }) => strength !== NO_SIGNAL)
  if (likelihood.classes === undefined || uniform.length === 0) return undefined
  const under = (strength: number): Classed<D, P> =>
    likelihood.prior.strengthened(data, strength, 'replaced') as Classed<D, P>
  const found = learnFrom(under, data, uniform)
  if (found === undefined) return undefined
  const noise = noiseThrough(found.T, found.shares)
  const { most } = uniformNoise(likelihood.labels)
  const explain = (strength: number, t: number, start: P): Explanation<P> => {
    const { params, evidence } = explained(under(strength), data, start, noiseAt(noise, t))
    const level = (t * noise.most) / most
    return { strength, level, params, logEvidence: evidence + logHyperprior(strength) - found.cost }
  }
  const learned = wrongShare(found.T, found.shares) / noise.most
  const strengths = [...new Set(uniform.map(({ strength }) => strength))]
  const first = strengths.map((strength) => explain(strength, learned, found.params))
  const best = better(first).logEvidence
  if (best === Number.NEGATIVE_INFINITY) return undefined
  const paths = pathsFrom(learned)
  const byHabits = first
    .filter(({ logEvidence }) => logEvidence > best - BEHIND)
    .flatMap((from) => {
      const out = [from]
      for (const path of paths) {
        let { params } = from
        for (const t of path) {
          const next = explain(from.strength, t, params)
          out.push(next)
          params = next.params
          if (next.logEvidence < best - NO_ACCOUNT) break
        }
      }
      return out
    })
  return { noise, explanations: byHabits }
}

/** Levels nearer to each other than such a part of their neighbours' distance say the same, but for what EM left undone. */
const APART = 0.1

/**
 * The levels below one and those above it, each beginning next to it, the first step half a one: many rows make the
 * evidence a narrow peak. None lies so near to it that a curve through both would follow the noise of either.
 */
export function pathsFrom(learned: number): readonly (readonly number[])[] {
  const below = LEVELS.filter((t) => t < learned).reverse()
  const above = LEVELS.filter((t) => t > learned)
  const least = APART * ((above[0] ?? 1) - (below[0] ?? 0))
  const far = (path: readonly number[]): readonly number[] => {
    // No noise at all is where every curve begins.
    const kept = path.filter((t) => t === 0 || Math.abs(t - learned) >= least)
    const next = kept[0]
    return next === undefined || Math.abs(next - learned) < least ? kept : [(learned + next) / 2, ...kept]
  }
  return [far(below), far(above)]
}

/** Habits with the model that they were learned by. */
export interface Trial<P> extends Omit<LearnedHabits, 'gain'> {
  readonly params: P
}

/** The habits with most evidence that models of uniform noise, or of one class's labels going wrong, lead to. */
function learnFrom<D, P extends Params>(
  under: (strength: number) => Classed<D, P>,
  data: D,
  uniform: readonly Explanation<P>[],
): Trial<P> | undefined {
  const tried: Array<Trial<P> & { readonly evidence: number }> = []
  for (const level of new Set([...BEGIN, better(uniform).level])) {
    const there = uniform.filter((e) => e.level === level)
    if (there.length === 0) continue
    const begin = better(there)
    const likelihood = under(begin.strength)
    const found = takeTurns(likelihood, data, begin.params, uniformAt(likelihood, level), tried)
    if (found === undefined) continue
    const { params, evidence } = explained(likelihood, data, found.params, found.T)
    tried.push({ ...found, params, evidence: evidence - found.cost })
  }
  const clean = uniform.filter(({ level }) => level === 0)
  const sided = clean.length === 0 ? undefined : bestOneSided(under(ONE_SIDED), data, better(clean).params)
  if (sided !== undefined) {
    const evidence = sided.evidence - sided.cost
    if (evidence + logHyperprior(ONE_SIDED) > better(uniform).logEvidence - FAR_BEHIND)
      tried.push({ ...sided, evidence })
  }
  return tried.length === 0 ? undefined : tried.reduce((a, b) => (b.evidence > a.evidence ? b : a))
}

function uniformAt<D, P extends Params>(likelihood: Classed<D, P>, level: number): Matrix {
  return noiseAt(uniformNoise(likelihood.labels!), level)
}

/**
 * Habits and model by turns, from a model and the noise that it was fitted under. Undefined where nothing speaks for habits,
 * or for those only that were found before.
 */
export function takeTurns<D, P extends Params>(
  likelihood: Classed<D, P>,
  data: D,
  start: P,
  noise: Matrix,
  before: ReadonlyArray<Pick<LearnedHabits, 'T'>> = [],
): Trial<P> | undefined {
  const { classes } = likelihood
  const given = classes.given(data)
  let T = noise
  let params = start
  for (let round = 1; ; round++) {
    const { posterior } = posteriorOf(classes.probabilities(data, params), given, T)
    const found = learnHabits(leaveOneOutClasses(likelihood, data, params, posterior), given)
    if (found.gain < LEAST) return undefined
    if (before.some((other) => distance(other.T, found.T) < SAME)) return undefined
    const moved = distance(found.T, T)
    T = found.T
    params = fitThroughNoise(likelihood, data, params, T, ON_THE_WAY).params
    if (moved < STILL || round === ROUNDS) return { ...found, params }
  }
}

/** The model through P(given y | true c), and its log evidence. */
function explained<D, P extends Params>(
  likelihood: Classed<D, P>,
  data: D,
  start: P,
  T: Matrix,
): { readonly params: P; readonly evidence: number } {
  const model = fitThroughNoise(likelihood, data, start, T, EM)
  const { classes } = likelihood
  const evidence = laplace(likelihood, data, model, (rows, params) =>
    classes.information(rows, params, model.posterior),
  )
  return { params: model.params, evidence }
}

/** The share of wrong labels, where classes have these shares. */
export function wrongShare(T: Matrix, shares: Float64Array): number {
  return shares.reduce((sum, share, c) => sum + share * (1 - T.values[c * (T.cols + 1)]), 0)
}

function distance(a: Matrix, b: Matrix): number {
  return a.values.reduce((most, value, k) => Math.max(most, Math.abs(value - b.values[k])), 0)
}
