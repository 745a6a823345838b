import type { Corruption } from '../../result.js'
import type { SecondOpinion } from './second-opinion.js'

/** From this level on the bad rows are nearly as many as the good ones. */
const NEARLY_HALF = 0.45

/**
 * At most half of the rows can be bad, since it is the majority that says what is good. Where nearly half are called bad, the
 * others are hardly a majority: rows of two kinds look like that, and so does a model that fits neither.
 */
export function allowForHalves(corruption: Corruption): SecondOpinion {
  const { level = 0, interval } = corruption
  if (level < NEARLY_HALF) return { cautions: [], corruption }
  const message =
    'nearly half of the rows count as bad, and more can never be found: rows of two kinds look like that, or a model that does not fit; which half is good cannot be told, and the interval begins at 0'
  const wide = interval === undefined ? {} : { interval: [0, interval[1]] as const }
  return { cautions: [{ about: 'level', message }], corruption: { ...corruption, ...wide } }
}
