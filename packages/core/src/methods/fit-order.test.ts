import { expect, test } from 'vitest'
import type { Continuous } from '../likelihoods/capabilities.js'
import { covariance } from '../likelihoods/covariance.js'
import type { Params, Supervised } from '../likelihoods/likelihood.js'
import { linear } from '../likelihoods/linear.js'
import { mean } from '../likelihoods/mean.js'
import { pca } from '../likelihoods/pca.js'
import { matrix } from '../matrix.js'
import { TestRandom } from '../testing/random.js'
import { fit } from './fit.js'

/** Rows of which a tenth lies off, with errors of more scatter where more is predicted. */
function rows(n: number): Supervised {
  const random = new TestRandom(5)
  const x = matrix(n, 3)
  const y = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const bad = i % 10 === 3
    for (let j = 0; j < 3; j++) x.values[3 * i + j] = (j + 1) * random.normal() ** (bad ? 3 : 1)
    const eta = x.values[3 * i] - 0.5 * x.values[3 * i + 1]
    y[i] = eta + Math.exp(0.3 * eta) * random.normal() + (bad ? 8 * random.normal() : 0)
  }
  return { x, y }
}

// Of more than 800 rows starts are searched on some of them, and laws begin with some: which ones must not go by their places.
test.each([linear(), mean(), covariance(), pca()] as unknown as Continuous<Supervised, Params>[])(
  'many rows in another order have the same fit: $name',
  (likelihood) => {
    const n = 2500
    const data = rows(n)
    const order = new TestRandom(6).order(n)
    const first = fit(likelihood as never, data as never)
    const second = fit(likelihood as never, likelihood.take(data, order) as never)
    const numbers = ({ params, corruption }: typeof first): number[] => [
      corruption.level!,
      ...corruption.interval!,
      ...likelihood.vector(params as Params),
    ]
    numbers(second).forEach((value, k) => {
      expect(Math.abs(value - numbers(first)[k]!)).toBeLessThan(1e-9)
    })
    order.forEach((row, i) => {
      expect(Math.abs(second.clean[i]! - first.clean[row]!)).toBeLessThan(1e-9)
    })
  },
)
