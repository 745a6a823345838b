import type { Caution } from '../../../result.js'
import type { Crowd } from './crowd.js'
import type { CountMixture } from './em.js'
import type { FittedLaw } from './laws.js'

/** From so much more on a crowd that was not chosen, but may be true, is worth a word. */
const WIDER = 0.1

/** What is to be said of a crowd of bad counts near the good ones: that it was found, or that it cannot be told from overdispersion. */
export function crowdCaution(
  laws: readonly FittedLaw[],
  chosen: CountMixture | undefined,
  without: readonly [number, number],
  interval: readonly [number, number],
): Caution | undefined {
  if (chosen?.near !== undefined) {
    const message = `the bad counts lie near the good ones: ${wordsOf(chosen.near.law)}; they may be good counts of another kind, such as two events counted as one, another unit or another group`
    return { about: 'cluster', message }
  }
  if (interval[1] < without[1] + WIDER) return undefined
  const crowds = laws.flatMap(({ tried, penalty }) =>
    tried
      .filter(({ near }) => near !== undefined)
      .map((mixture) => ({ mixture, value: mixture.value - penalty })),
  )
  if (crowds.length === 0) return undefined
  const { mixture } = crowds.reduce((a, b) => (b.value > a.value ? b : a))
  const message = `bad counts near the good ones would explain these counts about as well as good counts that scatter more (${wordsOf(mixture.near!.law)}): the rows cannot tell the two apart, and the interval holds both; more rows, or a check of some large and small counts by hand, can`
  return { about: 'law', message }
}

function wordsOf({ about, value }: Crowd): string {
  const number = Math.abs(value) >= 10 ? value.toFixed(0) : Number(value.toPrecision(2))
  if (about === 'more')
    return `about ${String(number).replace('-', '')} ${value < 0 ? 'fewer' : 'more'} than good counts of their rows are`
  if (about === 'part') return `about 1/${number} of what good counts of their rows are`
  return about === 'multiple'
    ? `about ${number} times what good counts of their rows are`
    : `about ${number} each, whatever their row`
}
