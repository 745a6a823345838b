import { RlviError } from '../../../errors.js'
import type { CountLikelihood } from '../../../likelihoods/counts.js'
import type { LinearParams, Supervised } from '../../../likelihoods/likelihood.js'
import type { FitOptions } from '../../shared/options.js'
import { fitCrowds } from './crowds.js'
import type { CountMixture } from './em.js'
import { BETWEEN } from './interval.js'
import { type FittedLaw, fitNegativeBinomialLaw, fitPoissonLaw } from './laws.js'
import { countStarts } from './starts.js'

export type WantedLaw = 'auto' | 'poisson' | 'negative-binomial'

export function wantedLaw({ errors = 'auto' }: FitOptions): WantedLaw {
  if (errors === 'auto' || errors === 'poisson' || errors === 'negative-binomial') return errors
  const rule = 'the law of counts is auto, poisson or negative-binomial'
  throw new RlviError('fit errors', rule, errors)
}

/** What some rows say of all laws. */
export interface Search {
  readonly laws: readonly FittedLaw[]
  /** The one that they speak for. */
  readonly law: FittedLaw
  /** With bad rows, where that explains them better. */
  readonly best: CountMixture | undefined
  readonly value: number
}

/** So much log-likelihood must speak for a crowd near the good counts before it is more than a doubt: overdispersion is common, crowds are not. */
const NEEDED = 6

export function searchLaws(
  poisson: CountLikelihood,
  rows: Supervised,
  ml: LinearParams,
  wanted: WantedLaw,
): Search {
  const starts = countStarts(poisson, rows, ml)
  const laws: FittedLaw[] = []
  if (wanted !== 'negative-binomial') laws.push(fitPoissonLaw(poisson, rows, starts))
  if (wanted !== 'poisson') laws.push(fitNegativeBinomialLaw(poisson, rows, starts))
  const plain = laws.reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a))
  const crowds = laws.map((law) => fitCrowds(law, rows, starts[1], scoreOf(plain) - BETWEEN))
  laws.push(...crowds)
  const first = laws.reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a))
  const law = scoreOf(first) > scoreOf(plain) + NEEDED ? first : plain
  const best = law.best !== undefined && law.best.value > law.ml.value ? law.best : undefined
  return { laws, law, best, value: scoreOf(first) }
}

/** What the rows say of a law, with bad ones or without. */
function scoreOf({ best, ml, penalty }: FittedLaw): number {
  return Math.max(best?.value ?? ml.value, ml.value) - penalty
}
