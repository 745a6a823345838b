import type { Supervised } from '../../../likelihoods/likelihood.js'
import type { Caution } from '../../../result.js'
import { areApart } from './crowds.js'
import { centralMean } from './laws.js'

/**
 * From this dispersion on good counts reach so far that they hide a part of the bad ones, and the interval ends so much higher: on
 * generated counts ten times too large, a fifth of them, the level was a third too low in the mean at a dispersion of 1, and in single sets far more.
 */
const HIDING = 0.5
const HIDDEN = 0.25
/** No larger share of counts can be bad. */
const MOST = 0.5

/** An interval of the level that allows for bad counts in the long tail of good ones. */
export function allowForTail(
  dispersion: number,
  level: number,
  [low, high]: readonly [number, number],
): readonly [number, number] {
  if (!hides(dispersion, level)) return [low, high]
  return [low, Math.max(high, Math.min(MOST, high * (1 + HIDDEN * Math.min(1, dispersion))))]
}

export function tailCaution(dispersion: number, level: number): Caution | undefined {
  if (!hides(dispersion, level)) return undefined
  const message =
    'counts that scatter as much as these hide bad ones in their own long tail: the share of bad counts may come out too low, and be as large as the end of its interval'
  return { about: 'law', message }
}

/** Where a count that is half of what it should be looks like a good one: small counts, and such as scatter far. */
export function halvesCaution({ y }: Supervised, dispersion: number): Caution | undefined {
  const mean = centralMean(y)
  if (areApart(mean / 2, mean, dispersion)) return undefined
  const number = mean >= 10 ? mean.toFixed(0) : Number(mean.toPrecision(2))
  const message = `a count that is half of what it should be looks like a good one where counts are about ${number} and scatter as these do: the level is that of bad counts farther off`
  return { about: 'law', message }
}

function hides(dispersion: number, level: number): boolean {
  return level > 0 && dispersion >= HIDING
}
