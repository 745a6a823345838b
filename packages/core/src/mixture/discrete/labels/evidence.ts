import type { Discrete, Prior } from '../../../likelihoods/capabilities.js'
import type { Params } from '../../../likelihoods/likelihood.js'
import { INTERCEPT_STRENGTH } from '../../../likelihoods/ridge.js'
import { logDeterminantBeside } from '../../../linalg/beside-prior.js'
import type { Matrix } from '../../../matrix.js'
import { fitReferenceMixture } from '../em.js'
import { searchStarts } from '../search.js'

/** Shares of random labels at which the evidence is computed. */
export const LEVELS: readonly number[] = [
  0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9,
]
/** 1 / variance of a coefficient per standard deviation of its column, from hardly held back to hard. */
const STRENGTHS = [0.001, 0.01, 0.1, 1, 3, 10]
/** One that leaves no coefficients: the features say nothing of the labels. */
export const NO_SIGNAL = 1e4
export const EM = { maxIterations: 40, tolerance: 5e-3 }
/** Places in `LEVELS` at which priors are compared first, and how far behind (in log evidence) one is dropped. */
const FIRST_LOOK = [0, 6]
const HIGH = 9
const HOPELESS = 12
/** A level is of no account so far behind the best one; a prior, a little farther, as a walk may yet find a sharper model. */
const NO_ACCOUNT = 40
/** Priors so far behind at the best level say nothing of its neighbours. */
const LOST = 15
/** The levels above, by which the walk down sets out: few on the way up, as only the model that they lead to matters. */
const DESCENT = [11, 13, 12, 11, 10]
/** Where so many levels in turn gain nothing worth the name on a second visit, the next ones gain nothing either. */
const ALIKE = 2
const BETTER = 0.01
/** The prior under which subsets of rows are fitted, and how many of the models they lead to are starts. */
const SEARCH_STRENGTH = 0.01
const MIDDLE = 0.1
const STARTS = 3
/** Where these join, by place in `LEVELS`: the walks carry what they find to the other levels. */
const SEARCHED = 6

/** Subsets are drawn by the ranks of the rows' losses and always alike, so that no seed enters. */
const FIXED = 0

/** The model at a level under a prior, and how probable it makes the labels. */
export interface Explanation<P> {
  readonly strength: number
  /** Share of random labels. */
  readonly level: number
  readonly params: P
  readonly logEvidence: number
}

/**
 * log P(labels | level, prior) on a grid of both: Laplace's approximation, with a half-Cauchy law of the prior's width. Where
 * parameters are integrated out and not maximised, a model gains nothing by bending to wrong labels: that is what makes
 * the level right when there are many features. A ridge of the user's own is left out: one that is wrong by far would decide.
 */
export function explainLabels<D, P extends Params>(prior: Prior<D, P>, data: D, ml: P): Explanation<P>[] {
  // Bad leverage points hold every fit that begins with all rows; fits to a few of the rows are free of them.
  const search = prior.strengthened(data, SEARCH_STRENGTH, 'replaced')
  const starts = searchStarts(search, data, search.fit(data), FIXED).slice(0, STARTS)
  // The search's models compete under a middle prior; what wins there is a start under all.
  const middle = prior.strengthened(data, MIDDLE, 'replaced')
  const sharp = better(
    starts.map(({ params }) => explanation(middle, data, MIDDLE, LEVELS[SEARCHED], params)),
  )
  const candidates = STRENGTHS.map((strength) => {
    const likelihood = prior.strengthened(data, strength, 'replaced')
    const found = new Map<number, Explanation<P>>()
    let params = likelihood.fit(data, undefined, ml.problem === undefined ? ml : undefined)
    for (const k of FIRST_LOOK) {
      const from = k !== SEARCHED ? [params] : [params, sharp.params]
      found.set(k, better(from.map((start) => explanation(likelihood, data, strength, LEVELS[k], start))))
      params = found.get(k)!.params
    }
    return { likelihood, strength, found }
  })
  const kept = hopeful(candidates, FIRST_LOOK)
  if (kept.length === 0) return []
  for (const { likelihood, strength, found } of kept) {
    const { params } = found.get(SEARCHED)!
    found.set(HIGH, explanation(likelihood, data, strength, LEVELS[HIGH], params))
  }
  const walked = hopeful(kept, [...FIRST_LOOK, HIGH])
  for (const { likelihood, strength, found } of walked) {
    let params = found.get(HIGH)!.params
    const best = (): number => Math.max(...[...found.values()].map((e) => e.logEvidence))
    const visit = (k: number): 'better' | 'alike' | 'no account' => {
      const next = explanation(likelihood, data, strength, LEVELS[k], params)
      const before = found.get(k)?.logEvidence ?? Number.NEGATIVE_INFINITY
      if (next.logEvidence > before || !found.has(k)) found.set(k, next)
      params = found.get(k)!.params
      if (found.get(k)!.logEvidence < best() - NO_ACCOUNT) return 'no account'
      return next.logEvidence > before + BETTER ? 'better' : 'alike'
    }
    // Down and up: a soft model and a sharp one can both be maxima at one level.
    const walk = (places: readonly number[]): void => {
      let alike = 0
      let account = false
      for (const k of places) {
        const how = visit(k)
        if (how !== 'no account') account = true
        else if (account) return
        alike = how === 'alike' ? alike + 1 : 0
        if (alike === ALIKE) return
      }
    }
    walk([...DESCENT, ...[...Array(HIGH + 1).keys()].reverse()])
    params = found.get(0)!.params
    walk([...LEVELS.keys()].slice(1))
  }
  const onGrid = walked.flatMap(({ found }) => [...found.values()])
  const signal = [...onGrid, ...besidePeak(walked, data, better(onGrid))]
  return [...signal, ...withoutSignal(prior, data, better(signal).logEvidence)]
}

/**
 * The labels as they are if the features say nothing of them, where that has a say. Then they are explained alike at every level
 * at which all labels can be as frequent as they are; models with coefficients, which pay for these at low levels alone,
 * would speak for a high one.
 */
function withoutSignal<D, P extends Params>(prior: Prior<D, P>, data: D, best: number): Explanation<P>[] {
  const likelihood = prior.strengthened(data, NO_SIGNAL, 'replaced')
  const start = likelihood.fit(data)
  const at = (level: number) => fitReferenceMixture(likelihood, data, start, { ...EM, level })
  const none = at(0)
  const logEvidence = laplace(likelihood, data, none, (rows, params) =>
    likelihood.information(rows, params, none.weights),
  )
  if (logEvidence < best - HOPELESS) return []
  return LEVELS.map((level) => {
    const { params, value } = at(level)
    return { strength: NO_SIGNAL, level, params, logEvidence: logEvidence + value - none.value }
  })
}

interface Candidate<D, P extends Params> {
  readonly strength: number
  readonly likelihood: Discrete<D, P>
  /** By place in `LEVELS`. */
  readonly found: Map<number, Explanation<P>>
}

/** Those near the best at one of the levels that is of some account. */
function hopeful<D, P extends Params>(
  candidates: readonly Candidate<D, P>[],
  places: readonly number[],
): Candidate<D, P>[] {
  const best = places.map((k) => Math.max(...candidates.map(({ found }) => found.get(k)!.logEvidence)))
  const most = Math.max(...best)
  return candidates.filter(({ found }) =>
    places.some((k, j) => best[j] >= most - NO_ACCOUNT && found.get(k)!.logEvidence > best[j] - HOPELESS),
  )
}

/** Halfway to the neighbours of the best level, where many rows make the evidence a narrow peak. */
function besidePeak<D, P extends Params>(
  candidates: readonly Candidate<D, P>[],
  data: D,
  peak: Explanation<P>,
): Explanation<P>[] {
  const at = LEVELS.indexOf(peak.level)
  return [at, at + 1]
    .filter((k) => k > 0 && k < LEVELS.length)
    .flatMap((k) => {
      const level = (LEVELS[k - 1] + LEVELS[k]) / 2
      return candidates.flatMap(({ likelihood, strength, found }) => {
        const near = found.get(at)
        if (near === undefined || near.logEvidence < peak.logEvidence - LOST) return []
        return [explanation(likelihood, data, strength, level, near.params)]
      })
    })
}

/** Whether features say something of the labels in it. */
export function hasSignal<P>({ strength }: Explanation<P>): boolean {
  return strength !== NO_SIGNAL
}

export function better<P>(explanations: readonly Explanation<P>[]): Explanation<P> {
  return explanations.reduce((a, b) => (b.logEvidence > a.logEvidence ? b : a))
}

/** The explanation with most evidence at the level next to one. */
export function bestNear<P>(explanations: readonly Explanation<P>[], level: number): Explanation<P> {
  const gap = (e: Explanation<P>): number => Math.abs(e.level - level)
  // A fit has coefficients, small as they may be.
  const fitted = explanations.filter(hasSignal)
  const nearest = Math.min(...fitted.map(gap))
  return fitted.filter((e) => gap(e) === nearest).reduce((a, b) => (b.logEvidence > a.logEvidence ? b : a))
}

function explanation<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  strength: number,
  level: number,
  start: P,
): Explanation<P> {
  const model = fitReferenceMixture(likelihood, data, start, { ...EM, level })
  const logEvidence =
    laplace(likelihood, data, model, (rows, params) => likelihood.information(rows, params, model.weights)) +
    logHyperprior(strength)
  return { strength, level, params: model.params, logEvidence }
}

/**
 * Laplace's approximation of log P(rows | prior), up to what all priors share. Intercepts, which the fit leaves free, have a
 * wide normal prior here: else a model that takes a rare class for noise, and its intercept to minus infinity, would have
 * infinite evidence.
 */
export function laplace<D, P extends Params>(
  likelihood: Discrete<D, P>,
  rows: D,
  model: { readonly params: P; readonly value: number },
  observed: (data: D, params: P) => Matrix,
): number {
  const { data, params } = likelihood.centred?.(rows, model.params) ?? { data: rows, params: model.params }
  const information = observed(data, params)
  const prior = likelihood.information(data, params, new Float64Array(likelihood.rows(data)))
  const free = likelihood.prior?.intercepts ?? 0
  for (let j = 0; j < free; j++) {
    information.values[j * (prior.cols + 1)] += INTERCEPT_STRENGTH
    prior.values[j * (prior.cols + 1)] += INTERCEPT_STRENGTH
  }
  const intercepts = likelihood.vector(params).subarray(0, free)
  const middle = free === 1 ? 0 : intercepts.reduce((sum, b) => sum + b, 0) / free
  const held = 0.5 * INTERCEPT_STRENGTH * intercepts.reduce((sum, b) => sum + (b - middle) ** 2, 0)
  const value = model.value - held - 0.5 * logDeterminantBeside(information, prior)
  return Number.isFinite(value) ? value : Number.NEGATIVE_INFINITY
}

/** A half-Cauchy law of the coefficients' standard deviation 1 / sqrt(strength), per unit of its logarithm: about 1 over all of them. */
export function logHyperprior(strength: number): number {
  return -0.5 * Math.log(strength) - Math.log1p(1 / strength)
}
