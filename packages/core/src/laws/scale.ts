import type { Continuous } from '../likelihoods/capabilities.js'
import type { Params } from '../likelihoods/likelihood.js'
import { mustBeClose } from './assert.js'
import { type Law, type LikelihoodCases, law } from './law.js'

/** What the scale of a continuous model means. */
export function scaleLaws<D, P extends Params>(
  likelihood: Continuous<D, P>,
  cases: LikelihoodCases<D, P>,
): Law[] {
  const distances = (data: D, params: P): Float64Array => {
    const out = new Float64Array(likelihood.rows(data))
    likelihood.squaredDistances(data, params, out)
    return out
  }
  return [
    law(
      'a scale f times as large divides squared distances by f^2 and adds log f per dimension',
      10,
      (random) => {
        const data = cases.sample(random)
        const params = likelihood.fit(data)
        const f = Math.exp(random.uniform(-3, 3))
        const wider = likelihood.rescale(params, f)
        const expected = distances(data, params).map((d) => d / (f * f))
        mustBeClose('squared distances', distances(data, wider), expected, 1e-9, 1e-12)
        const logScale = likelihood.logScale(data, params) + likelihood.dimension(data) * Math.log(f)
        mustBeClose('log scale', [likelihood.logScale(data, wider)], [logScale], 1e-9, 1e-9)
      },
    ),

    law('squared distances average to the dimension under the maximum-likelihood fit', 10, (random) => {
      const data = cases.sample(random)
      const squared = distances(data, likelihood.fit(data))
      const mean = squared.reduce((sum, d) => sum + d, 0) / squared.length
      mustBeClose('mean squared distance', [mean], [likelihood.dimension(data)], 1e-6, 0)
    }),
  ]
}
