import type { CountLikelihood } from '../../../likelihoods/counts.js'
import { matrix } from '../../../matrix.js'
import type { BadFrom } from '../../../result.js'
import { type Crowd, crowdLosses } from './crowd.js'
import { type CoreShape, NO_CORE, ownDensities } from './proportions.js'
import { firstEdge, shellsOf } from './shells.js'

/** What a fit says of bad counts: shares of all rows. */
export interface BadCounts {
  readonly good: number
  /** Of the bad counts outside of a crowd, the share of each shell. */
  readonly shells: Float64Array
  readonly core: CoreShape
  readonly crowd?: { readonly law: Crowd; readonly share: number } | undefined
}

/** Counts are looked at up to so many standard deviations off, each of them near the mean and some of them far out. */
const FARTHEST = 60
const STEPS = 600

/**
 * How far above and below a middling mean counts are more probably bad than good. Where no bad ones were seen, it is one that lay
 * there alone, and gains more than the half log n that its shell costs and the share that it takes.
 */
export function countsBadFrom(
  law: CountLikelihood,
  /** Predictors of the rows, or of some of them. */
  eta: Float64Array,
  bad: BadCounts | undefined,
  rows: number = eta.length,
): BadFrom {
  const middle = Float64Array.from(eta).sort()[Math.floor(eta.length / 2)]
  const mean = Math.exp(middle)
  const spread = Math.sqrt(mean + law.dispersion * mean * mean)
  const above = distinct(Math.ceil(mean), (k) => mean + (FARTHEST * spread * (k / STEPS) ** 2 + k))
  const below = distinct(Math.floor(mean), (k) => mean - k * Math.max(1, mean / STEPS)).filter((y) => y >= 0)
  const least = firstEdge(eta, law.dispersion)
  const isGood = (ys: readonly number[]): boolean[] => goodAt(law, ys, middle, least, rows, bad)
  const from = (ys: readonly number[]): { readonly off: number } | undefined => {
    const last = isGood(ys).lastIndexOf(true)
    return last === ys.length - 1 ? undefined : { off: Math.abs(ys[last + 1] - mean) }
  }
  const [up, down] = [from(above), from(below)]
  return {
    ...(up === undefined ? {} : { above: up.off }),
    ...(down === undefined ? {} : { below: down.off }),
    at: mean,
  }
}

/** Whole numbers from one on, each once. */
function distinct(first: number, at: (k: number) => number): number[] {
  const all = Array.from({ length: STEPS + 1 }, (_, k) => (k === 0 ? first : Math.round(at(k))))
  return [...new Set(all)]
}

/** Whether counts of one mean are more probably good than bad. */
function goodAt(
  law: CountLikelihood,
  ys: readonly number[],
  middle: number,
  least: number,
  rows: number,
  bad: BadCounts | undefined,
): boolean[] {
  const y = Float64Array.from(ys)
  const data = { x: matrix(y.length, 0), y }
  const params = { intercept: middle, coefficients: new Float64Array(0) }
  const losses = new Float64Array(y.length)
  law.losses(data, params, losses)
  const shells = shellsOf(y, new Float64Array(y.length).fill(middle), law.dispersion, least)
  const densities = ownDensities(shells, bad?.core ?? NO_CORE)
  const near = bad?.crowd && crowdLosses(law, data, params, bad.crowd.law)
  const good = bad?.good ?? 1
  const crowded = bad?.crowd?.share ?? 0
  const alone = Math.exp(-1) / rows ** 1.5
  return ys.map((_, i) => {
    const shell = Math.abs(shells.shell[i])
    const seen = (1 - good) * (1 - crowded) * (bad?.shells[shell] ?? 0)
    const own = Math.max(seen, alone) * densities[i]
    const crowd = near === undefined ? 0 : (1 - good) * crowded * Math.exp(-near[i])
    return good * Math.exp(-losses[i]) >= own + crowd
  })
}
