import { isContinuous, isDifferentiable, isDiscrete, isInformative } from '../likelihoods/capabilities.js'
import type { Likelihood, Params } from '../likelihoods/likelihood.js'
import { gradientLaws, informationLaws, mixtureLaws } from './derivatives.js'
import type { Law, LikelihoodCases } from './law.js'
import { objectiveLaws } from './objective.js'
import { rowLaws } from './rows.js'
import { scaleLaws } from './scale.js'

/**
 * The laws that every likelihood must obey, the user's own included: as many as its capabilities give rise to.
 *
 * @example
 * const cases = {
 *   sample: (random) => ({ x: matrix(40, 2, Float64Array.from({ length: 80 }, () => random.normal())) }),
 *   take: ({ x }, rows) => ({ x: takeRows(x, rows) }),
 *   free: (params) => params.mean,
 *   withFree: (params, free) => ({ ...params, mean: free }),
 *   holdScale: (params, held) => ({ ...params, scale: held.scale }),
 * }
 * for (const law of likelihoodLaws(mean(), cases)) law.check()
 */
export function likelihoodLaws<D, P extends Params>(
  likelihood: Likelihood<D, P>,
  cases: LikelihoodCases<D, P>,
): Law[] {
  const laws = [...rowLaws(likelihood, cases), ...objectiveLaws(likelihood, cases)]
  if (cases.gradientsByFree && isDifferentiable(likelihood)) laws.push(...gradientLaws(likelihood, cases))
  if (isInformative(likelihood)) laws.push(...informationLaws(likelihood, cases))
  if (isDiscrete(likelihood)) laws.push(...mixtureLaws(likelihood, cases))
  if (isContinuous(likelihood)) laws.push(...scaleLaws(likelihood, cases))
  return laws
}
