import type { Supervised } from '../../../likelihoods/likelihood.js'
import type { Caution } from '../../../result.js'
import type { CountMixture } from './em.js'
import { searchRows } from './search-rows.js'
import { type ExpectedZeros, expectedZeros, zerosByPositives } from './truncated.js'

/** Half width of a 90 % interval in standard errors. */
const Z = 1.645
/** Zeros beyond what a law explains, in its standard deviations, and beyond what it expects, as a factor. */
const DEVIATIONS = 4
const FACTOR = 1.3
/** A law that was fitted to the zeros too may have bent to them, where they are at least this share. */
const BENDING = 0.1

/** Zeros that no law explains. */
export interface ExcessZeros {
  readonly caution: Caution
  /** How many there are more than the law of the others expects: the upper end of its 90 % interval. */
  readonly count: number
}

/** Where far more counts are 0 than the law of good counts, or one of the counts above 0 alone, explains. */
export function excessZeros(
  data: Supervised,
  model: Pick<CountMixture, 'law' | 'params' | 'weights'>,
): ExcessZeros | undefined {
  const { y, x } = data
  const zeros = y.reduce((sum, count) => sum + (count === 0 ? 1 : 0), 0)
  const own = expectedZeros(model.law, x, model.params)
  if (tooMany(zeros, own)) return excess(zeros, y.length, own)
  if (zeros < BENDING * y.length || zeros > y.length - 2 * (x.cols + 2)) return undefined
  const rows = searchRows(model.law, data, model.params)
  const share = rows.y.length / y.length
  const weights = rows === data ? model.weights : new Float64Array(rows.y.length).fill(1)
  const found = zerosByPositives(model.law.withDispersion(0), rows, weights, model.params)
  const expected = { mean: found.mean / share, variance: found.variance / share }
  return tooMany(zeros, expected) ? excess(zeros, y.length, expected) : undefined
}

function tooMany(zeros: number, { mean, variance }: ExpectedZeros): boolean {
  return zeros - mean >= Math.max(DEVIATIONS * Math.sqrt(variance), (FACTOR - 1) * mean, 4)
}

function excess(zeros: number, n: number, { mean, variance }: ExpectedZeros): ExcessZeros {
  const many = mean < 0.5 ? 'none' : `about ${Math.round(mean)}`
  const message = `${zeros} of ${n} counts are 0 where the law of the others expects ${many}: some zeros may have a cause of their own, and the interval leaves open that they are bad; fit the counts above 0 apart, or use a zero-inflated or hurdle model`
  return { caution: { about: 'zeros', message }, count: zeros - mean + Z * Math.sqrt(variance) }
}

/** An interval of the level that ends no lower than where all zeros beyond the expected ones are bad: the others cannot say. */
export function leavingZerosOpen(
  { y }: Supervised,
  clean: Float64Array,
  zeros: ExcessZeros | undefined,
  [low, high]: readonly [number, number],
): readonly [number, number] {
  if (zeros === undefined) return [low, high]
  const bad = y.reduce((sum, count, i) => sum + (count === 0 ? 0 : 1 - clean[i]), zeros.count)
  return [low, Math.max(high, Math.min(MOST, bad / y.length))]
}

/** No larger share of counts can be bad. */
const MOST = 0.5
