import type { Discrete, Prior } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { factor, logDeterminant } from '../../linalg/cholesky.js'
import { fitReferenceMixture, type ReferenceMixture } from './em.js'
import { leaveOneOut } from './leave-one-out.js'

/** 1 / variance of a coefficient per standard deviation of its column, from hardly held back to hard. */
const STRENGTHS = [0.001, 0.01, 0.1, 1, 3, 10]
const EM = { maxIterations: 100, tolerance: 1e-3 }
const ROUNDS = 4

export interface EmpiricalBayes<D, P extends Params> {
  /** The model with the prior that was chosen. */
  readonly likelihood: Discrete<D, P>
  readonly params: P
  /** P(a row is not a draw from the reference), judged by a fit without the row. */
  readonly weights: Float64Array
}

/**
 * Which rows are bad, at a level that is known. Where classes overlap in a few rows, calling those bad lets large
 * coefficients separate all others, and the likelihood likes that. A prior that holds coefficients back does not; how much it
 * should, the rows say by its evidence.
 */
export function empiricalBayes<D, P extends Params>(
  prior: Prior<D, P>,
  data: D,
  starts: readonly P[],
  level: number,
): EmpiricalBayes<D, P> {
  let best = { value: Number.NEGATIVE_INFINITY, strength: 0, params: starts[0] }
  for (const strength of STRENGTHS) {
    // A ridge of the user's own is left out of the choice: one that is wrong by far would decide it.
    const likelihood = prior.strengthened(data, strength, 'replaced')
    for (const start of starts) {
      const model = fitReferenceMixture(likelihood, data, start, { ...EM, level })
      const value = logEvidence(likelihood, data, model) + logHyperprior(strength)
      if (value > best.value) best = { value, strength, params: model.params }
    }
  }
  const likelihood = prior.strengthened(data, best.strength, 'kept')
  let { params } = best
  let weights = leaveOneOut(likelihood, data, params, level)
  for (let round = 0; round < ROUNDS; round++) {
    params = likelihood.fit(data, weights, params)
    weights = leaveOneOut(likelihood, data, params, level)
  }
  return { likelihood, params, weights }
}

/** Laplace's approximation of log P(rows | prior), up to what all priors share. */
function logEvidence<D, P extends Params>(
  likelihood: Discrete<D, P>,
  rows: D,
  model: ReferenceMixture<P>,
): number {
  const { data, params } = likelihood.centred?.(rows, model.params) ?? { data: rows, params: model.params }
  const { values, cols } = likelihood.information(data, params, model.weights)
  return model.value - 0.5 * logDeterminant(factor(values, cols, 0))
}

/** A half-Cauchy law of the coefficients' standard deviation 1 / sqrt(strength), per unit of its logarithm. */
function logHyperprior(strength: number): number {
  return -0.5 * Math.log(strength) - Math.log1p(1 / strength)
}
