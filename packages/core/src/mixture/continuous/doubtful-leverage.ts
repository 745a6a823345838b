import type { Params } from '../../likelihoods/likelihood.js'
import type { Caution } from '../../result.js'
import { shareInterval, withShare } from '../laws/share-interval.js'
import type { Judged } from './judge-rows.js'

/**
 * Leverage points that the coefficients rest on, though the other rows hardly agree with them. Of few rows two such points off by what
 * one set in twenty has by chance turn a slope round: they count as good, which is told, and the interval holds that they are bad.
 */
export function allowForDoubtful<P extends Params>(
  judged: Judged<P>,
  doubtful: readonly number[] = [],
): Judged<P> {
  const { fit } = judged
  const trusted = doubtful.filter((i) => fit.clean[i] > 0.5).length
  if (trusted === 0) return judged
  const { level = 0, interval } = fit.corruption
  const n = fit.clean.length
  const wide =
    interval === undefined
      ? {}
      : {
          interval: [
            interval[0],
            withShare(level, interval, trusted / n, shareInterval(trusted, n))[1],
          ] as const,
        }
  return {
    ...judged,
    fit: { ...fit, corruption: { ...fit.corruption, ...wide } },
    cautions: [...(judged.cautions ?? []), ofDoubtful(trusted)],
  }
}

function ofDoubtful(count: number): Caution {
  const [rows, them] = count === 1 ? ['1 row', 'it'] : [`${count} rows`, 'them']
  const message = `the coefficients rest on ${rows} far out in the features that the others hardly agree with: without ${them} they would be quite different; look at such rows first`
  return { about: 'leverage', message }
}
