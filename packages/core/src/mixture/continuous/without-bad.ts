import { type Continuous, isRegression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import type { Caution, Fit } from '../../result.js'

/** In more rows no few of them decide where the others lie, and a second search would cost. */
const MOST_ROWS = 60
/** Below this P(good) a row must not matter. */
const BAD = 0.01
/** So many standard errors a coefficient may move without a word. */
const FAR = 1

/**
 * In few rows those that were found to be bad may decide which others are: where the fit without them has another mind by more than a
 * standard error, both can be true.
 */
export function withoutBadCaution<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  { params, clean, covariance }: Fit<P>,
  refit: (rest: D) => Fit<P>,
): Caution | undefined {
  if (!isRegression(likelihood) || covariance === undefined || clean.length > MOST_ROWS) return undefined
  const kept = Array.from(clean.keys()).filter((i) => clean[i] >= BAD)
  if (kept.length === clean.length) return undefined
  const other = refit(likelihood.take(data, kept))
  if (other.status.kind === 'degenerate') return undefined
  const [here, there] = [likelihood.vector(params), likelihood.vector(other.params)]
  let most = 0
  for (let j = 0; j < covariance.cols; j++)
    most = Math.max(
      most,
      Math.abs(there[j] - here[j]) / Math.sqrt(covariance.values[j * covariance.cols + j]),
    )
  if (!(most > FAR)) return undefined
  const bad = clean.length - kept.length
  const times = Number(most.toPrecision(2))
  const message = `without the ${bad === 1 ? 'row that is surely bad' : `${bad} rows that are surely bad`} the others are fitted otherwise, by ${times} standard errors: some of them contradict each other, and either may be right; look at the rows farthest out`
  return { about: 'leverage', message }
}
