import type { Supervised } from '../../../likelihoods/likelihood.js'
import type { Caution } from '../../../result.js'
import type { CountMixture } from './em.js'

/** Zeros beyond what the law explains, in its standard deviations, and beyond what it expects, as a factor. */
const DEVIATIONS = 4
const FACTOR = 1.3

/** A caution where far more counts are 0 than the law of good counts explains. */
export function zeroCaution(
  { y, x }: Supervised,
  model: Pick<CountMixture, 'law' | 'params'>,
): Caution | undefined {
  const losses = new Float64Array(y.length)
  model.law.losses({ x, y: new Float64Array(y.length) }, model.params, losses)
  let expected = 0
  let variance = 0
  let zeros = 0
  for (let i = 0; i < y.length; i++) {
    const p = Math.exp(-losses[i])
    expected += p
    variance += p * (1 - p)
    if (y[i] === 0) zeros++
  }
  if (zeros - expected < Math.max(DEVIATIONS * Math.sqrt(variance), (FACTOR - 1) * expected, 4))
    return undefined
  const many = expected < 0.5 ? 'none' : `about ${Math.round(expected)}`
  return {
    about: 'zeros',
    message: `${zeros} of ${y.length} counts are 0 where the law of the others expects ${many}: some zeros may have a cause of their own; fit the counts above 0 apart, or use a zero-inflated or hurdle model`,
  }
}
