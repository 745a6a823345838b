import type { CountLikelihood } from '../../../likelihoods/counts.js'
import type { LinearParams, Supervised } from '../../../likelihoods/likelihood.js'
import type { Crowd } from './crowd.js'
import { type CountMixture, fitCountMixture } from './em.js'
import { bestOf, centralMean, type FittedLaw, majority } from './laws.js'
import { NO_CORE } from './proportions.js'

/** How many times too large or small the bad counts of a crowd are. */
const FACTORS: readonly number[] = [1 / 4, 1 / 3, 1 / 2, 2 / 3, 4 / 5, 5 / 4, 3 / 2, 2, 3, 4, 6]
/** Of how many things one was counted. */
const UNITS: readonly number[] = [2, 3]
/** And by how many standard deviations too large or small, where each is off by as many. */
const SHIFTS: readonly number[] = [-2, 1, 2, 4]
/** Where a crowd with a mean of its own is looked for, in means of the middle half. */
const MEANS: readonly number[] = [0.4, 2, 4]
/** By how much a crowd may scatter more than the good counts, taken so many times. */
const MORE = 0.05
const MOST = 0.5
/** Dispersions of the good counts, in that of all counts without bad ones. */
const PARTS: readonly number[] = [0.1, 0.2, 0.35, 0.55, 0.8]
/** Log-likelihood by which rows must ask for a crowd that is nearer than can be seen: one against twenty. */
const CLEARLY = 3
/** The square of the distance between a crowd and the good counts, in their standard deviations, from which on it is seen: chi-squared between Poisson's laws is e^this less 1. */
const SEEN = Math.log(2)

/**
 * A law with a crowd of bad counts near the good ones, beside those of the shells: doubled, halved, ten more, or about a mean of their own. Such counts
 * scatter as overdispersion does, and a shell, flat and wide, explains them worse than a negative binomial law: without a crowd they would be taken for it.
 * `least`: the value that is wanted.
 */
export function fitCrowds(plain: FittedLaw, data: Supervised, start: LinearParams, least: number): FittedLaw {
  const { dispersion } = plain.ml.law
  const dispersions = dispersion === 0 ? [0] : PARTS.map((part) => part * dispersion)
  const penalty = plain.penalty + 0.5 * Math.log(data.x.rows)
  const wanted = least + penalty
  const mean = Math.max(centralMean(data.y), 0.1)
  const without = Math.max(plain.best?.value ?? plain.ml.value, plain.ml.value)
  const tried = dispersions
    .flatMap((d) => crowdsAt(plain.ml.law.withDispersion(d), data, start, mean, wanted))
    // A crowd of zeros is no crowd: they are counted apart.
    .filter(({ near }) => near !== undefined && centreOf(near.law, mean) >= 1)
    .filter((mixture) => mixture.near?.law.about !== 'more' || hasHump(mixture, data))
    .filter(
      ({ value, near, law }) =>
        value > without + CLEARLY || (near !== undefined && isSeen(near.law, mean, law)),
    )
  return { name: plain.name, penalty, ...majority(tried), ml: plain.ml }
}

function crowdsAt(
  law: CountLikelihood,
  data: Supervised,
  start: LinearParams,
  mean: number,
  least: number,
): CountMixture[] {
  const own = law.dispersion
  const fitted = (crowd: Crowd): CountMixture => fitCountMixture(law, data, start, NO_CORE, { crowd, least })
  const multiples = FACTORS.map((value) => {
    const dispersion = own + Math.max(0, (value - 1) / (value * mean))
    return fitted({ about: 'multiple', value, dispersion, bounds: [own, dispersion + MORE], held: true })
  })
  const { near } = bestOf(multiples)
  if (near !== undefined) multiples.push(fitted({ ...near.law, held: false }))
  const means = MEANS.map((factor) =>
    fitted({
      about: 'mean',
      value: factor * mean,
      dispersion: own + MORE,
      bounds: [own, own + MOST],
      held: false,
    }),
  )
  const spread = Math.sqrt(mean + own * mean * mean)
  const shifts = SHIFTS.map((by) =>
    fitted({ about: 'more', value: by * spread, dispersion: own, bounds: [own, own], held: false }),
  )
  const parts = UNITS.map((value) =>
    fitted({ about: 'part', value, dispersion: own, bounds: [own, own], held: true }),
  )
  return [...multiples, ...parts, ...shifts, ...means]
}

/**
 * Whether good counts have a hump away from 0. A law that falls from 0 on, and a copy of it with so many more, together look like the hump that good counts
 * have beside zeros with a cause of their own: the zeros would be the good ones.
 */
function hasHump({ weights, law }: CountMixture, { y }: Supervised): boolean {
  let [sum, total] = [0, 0]
  for (let i = 0; i < y.length; i++) {
    sum += weights[i] * y[i]
    total += weights[i]
  }
  const mean = sum / total
  // The mode of a negative binomial law is mean (1 - dispersion).
  return mean * (1 - law.dispersion) >= 1
}

function centreOf({ about, value }: Crowd, mean: number): number {
  if (about === 'more') return mean + value
  if (about === 'part') return mean / value
  return about === 'multiple' ? value * mean : value
}

function isSeen(crowd: Crowd, mean: number, { dispersion }: CountLikelihood): boolean {
  return areApart(centreOf(crowd, mean), mean, dispersion)
}

/** Whether counts about another mean can be told from those about theirs. */
export function areApart(other: number, mean: number, dispersion: number): boolean {
  return (other - mean) ** 2 / (mean + dispersion * mean * mean) >= SEEN
}
