import { type Continuous, isRegression } from '../../likelihoods/capabilities.js'
import type { Params } from '../../likelihoods/likelihood.js'
import { ROWS_PER_COEFFICIENT } from './leverage.js'
import { type SecondOpinion, united } from './second-opinion.js'

/**
 * With few rows for each coefficient every residual is a sum over many rows, which looks normal whatever the errors are: rows far off
 * bend the fit towards themselves and hide. Of n rows and p coefficients (n - p) / 2 bad ones can fool any method (Rousseeuw and
 * Leroy 1987), so that the interval reaches up to their share.
 */
export function allowForFewPerCoefficient<D, P extends Params>(
  likelihood: Continuous<D, P>,
  data: D,
  { corruption, cautions }: SecondOpinion,
): SecondOpinion {
  const n = likelihood.rows(data)
  const coefficients = likelihood.degreesOfFreedom(data)
  if (!isRegression(likelihood) || n >= (ROWS_PER_COEFFICIENT + 1) * coefficients)
    return { corruption, cautions }
  const hidden = Math.floor(Math.max(0, n - coefficients) / 2) / n
  const message = `with ${n} rows for ${coefficients} coefficients bad rows that lie far out in the features cannot be seen, and others bend the fit towards themselves: the interval leaves open that as many are bad as can hide`
  return {
    corruption: united(corruption, { ...corruption, interval: [hidden, hidden] }),
    cautions: [...cautions, { about: 'leverage', message }],
  }
}
