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
 * for (const { name, check } of likelihoodLaws(weibull, { sample, take, free, withFree })) it(name, check)
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
