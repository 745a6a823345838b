import type { Discrete, Prior } from '../../../likelihoods/capabilities.js'
import type { Params } from '../../../likelihoods/likelihood.js'
import { ones } from '../../../likelihoods/shared.js'
import { type Factor, factor, logDeterminant } from '../../../linalg/cholesky.js'
import { fitReferenceMixture, type ReferenceMixture } from '../em.js'
import { searchStarts } from '../search.js'

/** Shares of random labels at which the evidence is computed. */
export const LEVELS: readonly number[] = [
  0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9,
]
/** 1 / variance of a coefficient per standard deviation of its column, from hardly held back to hard. */
const STRENGTHS = [0.001, 0.01, 0.1, 1, 3, 10]
const EM = { maxIterations: 40, tolerance: 5e-3 }
/** Places in `LEVELS` at which priors are compared first, and how far behind (in log evidence) one is dropped. */
const FIRST_LOOK = [0, 6, 9]
const HOPELESS = 4
/** On the way back, where so many levels in turn gain nothing worth the name, the lower ones gain nothing either. */
const ALIKE = 4
const BETTER = 0.01
/** The prior under which subsets of rows are fitted, and how many of the models they lead to are starts. */
const SEARCH_STRENGTH = 0.01
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
  const candidates = STRENGTHS.map((strength) => {
    const likelihood = prior.strengthened(data, strength, 'replaced')
    const found = new Map<number, Explanation<P>>()
    let params = likelihood.fit(data, undefined, ml.problem === undefined ? ml : undefined)
    for (const k of FIRST_LOOK) {
      const from = k !== SEARCHED ? [params] : [params, ...starts.map((model) => model.params)]
      const all = from.map((start) => explanation(likelihood, data, strength, LEVELS[k], start))
      found.set(
        k,
        all.reduce((a, b) => (b.logEvidence > a.logEvidence ? b : a)),
      )
      params = found.get(k)!.params
    }
    return { likelihood, strength, found }
  })
  const best = FIRST_LOOK.map((k) => Math.max(...candidates.map(({ found }) => found.get(k)!.logEvidence)))
  const kept = candidates.filter(({ found }) =>
    FIRST_LOOK.some((k, j) => found.get(k)!.logEvidence > best[j] - HOPELESS),
  )
  const onGrid = kept.flatMap(({ likelihood, strength, found }) => {
    // Upwards, and back: a soft model and a sharp one can both be maxima at one level.
    let params = found.get(0)!.params
    const visit = (k: number): boolean => {
      const next = explanation(likelihood, data, strength, LEVELS[k], params)
      const before = found.get(k)?.logEvidence ?? Number.NEGATIVE_INFINITY
      if (next.logEvidence > before || !found.has(k)) found.set(k, next)
      params = found.get(k)!.params
      return next.logEvidence > before + BETTER
    }
    for (let k = 0; k < LEVELS.length; k++) visit(k)
    for (let k = LEVELS.length - 1, alike = 0; k >= 0 && alike < ALIKE; k--) alike = visit(k) ? 0 : alike + 1
    return [...LEVELS.keys()].map((k) => found.get(k)!)
  })
  if (onGrid.length === 0) return []
  // Halfway to the neighbours of the best level, where many rows make the evidence a narrow peak.
  const peak = onGrid.reduce((a, b) => (b.logEvidence > a.logEvidence ? b : a))
  const at = LEVELS.indexOf(peak.level)
  const between = [at, at + 1]
    .filter((k) => k > 0 && k < LEVELS.length)
    .flatMap((k) => {
      const level = (LEVELS[k - 1] + LEVELS[k]) / 2
      return kept.map(({ likelihood, strength, found }) => {
        const near = [k - 1, k].map((m) => found.get(m)!)
        const all = near.map(({ params }) => explanation(likelihood, data, strength, level, params))
        return all[1].logEvidence > all[0].logEvidence ? all[1] : all[0]
      })
    })
  return [...onGrid, ...between]
}

function explanation<D, P extends Params>(
  likelihood: Discrete<D, P>,
  data: D,
  strength: number,
  level: number,
  start: P,
): Explanation<P> {
  const model = fitReferenceMixture(likelihood, data, start, { ...EM, level })
  const logEvidence = laplace(likelihood, data, model) + logHyperprior(strength)
  return { strength, level, params: model.params, logEvidence }
}

/** Laplace's approximation of log P(rows | prior), up to what all priors share. */
function laplace<D, P extends Params>(
  likelihood: Discrete<D, P>,
  rows: D,
  model: ReferenceMixture<P>,
): number {
  const { data, params } = likelihood.centred?.(rows, model.params) ?? { data: rows, params: model.params }
  const at = (weights: Float64Array): number => {
    const { values, cols } = likelihood.information(data, params, weights)
    const f = factor(values, cols, 0)
    // A class without rows leaves directions without information, the same in all models: they are left out.
    return weights === model.weights ? logDeterminant(f) : logPivots(f)
  }
  const observed = at(model.weights)
  // Not a maximum in all directions: then as if all rows were known to be good, which claims least.
  const determinant = Number.isFinite(observed) ? observed : at(ones(model.weights.length))
  const value = model.value - 0.5 * determinant
  return Number.isFinite(value) ? value : Number.NEGATIVE_INFINITY
}

/** log det of what is left without the columns that carry no information. */
function logPivots({ size, lower, scale }: Factor): number {
  let sum = 0
  for (let j = 0; j < size; j++) if (scale[j] > 0) sum += 2 * Math.log(lower[j * size + j] / scale[j])
  return sum
}

/** A half-Cauchy law of the coefficients' standard deviation 1 / sqrt(strength), per unit of its logarithm. */
function logHyperprior(strength: number): number {
  return -0.5 * Math.log(strength) - Math.log1p(1 / strength)
}
