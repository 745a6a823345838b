import type { CountLikelihood } from '../../../likelihoods/counts.js'
import type { LinearParams, Supervised } from '../../../likelihoods/likelihood.js'
import { type CountMixture, fitCountMixture } from './em.js'
import type { CoreShape } from './proportions.js'

/** A law of counts, with and without bad ones. */
export interface FittedLaw {
  readonly name: 'poisson' | 'negative-binomial'
  /** What its parameter costs: half a log n for a dispersion, as in BIC. */
  readonly penalty: number
  /** The best model with bad rows, where one has at least half of them good. */
  readonly best: CountMixture | undefined
  /** All that were tried, each the best for its dispersion and core. */
  readonly tried: readonly CountMixture[]
  /** Maximum likelihood: no bad rows. */
  readonly ml: CountModel
}

/** A law fitted to all rows alike. */
export interface CountModel {
  readonly law: CountLikelihood
  readonly params: LinearParams
  readonly value: number
}

/** Steps of the walk down the dispersions, as a factor. */
const STEP = 2
/** An overdispersion below this share of the mean's variance is none. */
const LEAST = 0.03
/** Bad counts in the core: none, as many as in the first shell down to the mean or all through, more (a law that falls). */
export const CORES: readonly CoreShape[] = [
  { height: 0, reach: 'all' },
  { height: 1, reach: 'mean' },
  { height: 1, reach: 'all' },
  { height: 3, reach: 'mean' },
]
/** A law that falls puts most bad counts where none can be seen: so much likelihood must speak for it, but for the interval. */
const NEEDED = 6
const REFINEMENTS = 3
const LEAST_GOOD = 0.5

/** Poisson's law. */
export function fitPoissonLaw(
  law: CountLikelihood,
  data: Supervised,
  starts: readonly LinearParams[],
): FittedLaw {
  const ml = mlOf(law, data, starts[0])
  const tried = CORES.map((core) => bestOf(starts.map((start) => fitCountMixture(law, data, start, core))))
  return { name: 'poisson', penalty: 0, ...majority(tried), ml }
}

/**
 * The negative binomial law. A dispersion that explains bad counts too is one that hides them: from that of all rows the
 * dispersions are walked down, each start being the model before, so that counts drop out one after the other, the worst first.
 */
export function fitNegativeBinomialLaw(
  poisson: CountLikelihood,
  data: Supervised,
  starts: readonly LinearParams[],
): FittedLaw {
  const ml = mlDispersion(poisson, data, starts[0])
  const least = LEAST / Math.max(centralMean(data.y), 0.1)
  const most = Math.max(1.5 * ml.law.dispersion, 4 * least)
  const tried: CountMixture[] = []
  const tryAt = (dispersion: number, from: readonly LinearParams[]): CountMixture => {
    const law = poisson.withDispersion(dispersion)
    let params = from
    let best: CountMixture | undefined
    for (const core of CORES) {
      const mixture = bestOf(params.map((start) => fitCountMixture(law, data, start, core)))
      tried.push(mixture)
      best = best === undefined ? mixture : bestOf([best, mixture])
      // The core's height changes the model little: one start will do from here.
      params = [best.params]
    }
    return best!
  }
  let walk: LinearParams = ml.params
  for (let dispersion = most; dispersion > least; dispersion /= STEP)
    walk = tryAt(dispersion, [walk, ...starts.slice(1)]).params
  for (let k = 0, width = STEP; k < REFINEMENTS; k++) {
    width = Math.sqrt(width)
    const { law, params } = bestOf(tried)
    for (const factor of [width, 1 / width]) tryAt(law.dispersion * factor, [params])
  }
  return { name: 'negative-binomial', penalty: 0.5 * Math.log(data.x.rows), ...majority(tried), ml }
}

/** A model of a minority of the rows is none. */
export function majority(all: readonly CountMixture[]): Pick<FittedLaw, 'best' | 'tried'> {
  const tried = all.filter(({ good }) => good >= LEAST_GOOD)
  return { tried, best: tried.length === 0 ? undefined : bestOf(tried) }
}

/** The best of models of which at least half of the rows are good, if there is one. */
export function bestOf(models: readonly CountMixture[]): CountMixture {
  const score = (m: CountMixture): number =>
    m.value - (m.good < LEAST_GOOD ? 1e9 : 0) - (m.core.height > 1 ? NEEDED : 0)
  return models.reduce((a, b) => (score(b) > score(a) ? b : a))
}

function mlOf(law: CountLikelihood, data: Supervised, start?: LinearParams): CountModel {
  const params = law.fit(data, undefined, start)
  const losses = new Float64Array(data.x.rows)
  law.losses(data, params, losses)
  return { law, params, value: -losses.reduce((a, b) => a + b, 0) }
}

/** The maximum-likelihood dispersion: the best of a coarse grid, then finer and finer about it. */
function mlDispersion(poisson: CountLikelihood, data: Supervised, start: LinearParams): CountModel {
  const at = (logarithm: number, from: LinearParams): CountModel =>
    mlOf(poisson.withDispersion(Math.exp(logarithm)), data, from)
  let best: CountModel | undefined
  for (let logarithm = -12; logarithm <= 6; logarithm += 1.5) {
    const model = at(logarithm, best?.params ?? start)
    if (best === undefined || model.value > best.value) best = model
  }
  for (let width = 0.75; width > 0.005; width /= 2) {
    const centre = Math.log(best!.law.dispersion)
    for (const logarithm of [centre - width, centre + width]) {
      const model = at(logarithm, best!.params)
      if (model.value > best!.value) best = model
    }
  }
  return best!
}

/** The mean of the middle half: one wild count does not move it. */
export function centralMean(y: Float64Array): number {
  const sorted = Float64Array.from(y).sort()
  const middle = sorted.subarray(Math.floor(y.length / 4), Math.ceil((3 * y.length) / 4))
  return middle.reduce((a, b) => a + b, 0) / middle.length
}
