import type { Regression } from '../../likelihoods/capabilities.js'
import type { LinearErrors, LinearParams, Params } from '../../likelihoods/likelihood.js'
import { middleHalves } from '../../linalg/middle-halves.js'
import { normalQuantile } from '../../linalg/quantiles.js'
import type { Caution, Corruption } from '../../result.js'
import { shareInterval } from '../laws/share-interval.js'
import { standardErrorsOf } from '../shared/standard-errors.js'
import type { Judged } from './judge-rows.js'
import type { SecondOpinion } from './second-opinion.js'

/** Rows beyond so many scales of a column's middle half lie far out in it. */
const FAR = 3
/** Fewer of them, or a smaller share, are leverage points one by one. */
const FEWEST = 5
const LEAST_SHARE = 0.01
/** Chance of a false alarm over all columns. */
const ALARM = 1e-4
/** By so many scales of the residuals must the two lines differ where far rows begin. */
const WORTH_TELLING = 0.3

/**
 * Rows far out in the features decide a slope. Where they are many, and wrong by as much as they are far out, such as in other units, the fit may follow them:
 * then the others lie about another line, each of them by no more than its error, and neither shows. So the slopes are compared with those of the rows
 * that lie near (Hausman 1978). What is right nobody can say: the interval holds that all far rows are bad.
 */
export function farSlope<D, P extends Params>(
  likelihood: Regression<D, P>,
  data: D,
  { params, law, fit }: Judged<P>,
): SecondOpinion | undefined {
  if (params === undefined || law === undefined || !isLinear(fit.params)) return undefined
  const x = likelihood.features(data)
  const n = x.rows
  const scales = middleHalves(x)
  const near: number[] = []
  const far = new Int32Array(x.cols)
  let all = 0
  for (let i = 0; i < n; i++) {
    let out = false
    for (let j = 0; j < x.cols; j++) {
      const { centre, scale } = scales[j]
      if (scale > 0 && Math.abs(x.values[i * x.cols + j] - centre) > FAR * scale) {
        out = true
        if (fit.clean[i] > 0.5) far[j]++
      }
    }
    if (!out) near.push(i)
    else if (fit.clean[i] > 0.5) all++
  }
  const size = likelihood.degreesOfFreedom(data)
  if (all < Math.max(FEWEST, LEAST_SHARE * n) || near.length < Math.max(0.5 * n, 5 * size)) return undefined
  const part = likelihood.take(data, near)
  const weights = Float64Array.from(near, (i) => fit.clean[i])
  const without = likelihood.fit(part, weights, params)
  if (without.problem !== undefined || !isLinear(without)) return undefined
  const errors = standardErrorsOf(likelihood, part, without, weights).standardErrors as
    | LinearErrors
    | undefined
  if (errors === undefined) return undefined
  const clearly = normalQuantile(ALARM / x.cols)
  const scale = Math.exp(likelihood.logScale(data, params))
  let [worst, most] = [-1, 0]
  for (let j = 0; j < x.cols; j++) {
    const gap = Math.abs(without.coefficients[j] - fit.params.coefficients[j])
    if (far[j] < FEWEST || gap < clearly * errors.coefficients[j]) continue
    const apart = (gap * FAR * scales[j].scale) / scale
    if (apart > Math.max(most, WORTH_TELLING)) [worst, most] = [j, apart]
  }
  if (worst < 0) return undefined
  return { cautions: [cautionOf(worst, far[worst], n)], corruption: reaching(fit.corruption, all, n) }
}

function cautionOf(column: number, far: number, rows: number): Caution {
  const message = `the ${far} of ${rows} rows that lie far out in column ${column} tell another slope than all others, and the fit follows them: either they are wrong there, such as in other units, or the line bends; look at them, or fit without them`
  return { about: 'leverage', message, column }
}

/** An interval that holds that all of so many rows are bad. */
function reaching(corruption: Corruption, far: number, rows: number): Corruption {
  const { interval } = corruption
  if (interval === undefined) return corruption
  return { ...corruption, interval: [interval[0], Math.max(interval[1], shareInterval(far, rows)[1])] }
}

export function isLinear(params: Params): params is Params & LinearParams {
  return 'coefficients' in params
}
