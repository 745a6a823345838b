import { expect, it } from 'vitest'
import { quantile, summarise } from './summary.js'

it('has the quantiles of numpy, linear between neighbours', () => {
  // numpy.quantile([1, 2, 3, 4], [.25, .5, .75]) = [1.75, 2.5, 3.25]
  expect([0, 0.25, 0.5, 0.75, 1].map((share) => quantile([1, 2, 3, 4], share))).toEqual([
    1, 1.75, 2.5, 3.25, 4,
  ])
})

it('leaves failed runs out and counts them', () => {
  const summary = summarise([4, Number.NaN, 1, 3, 2])
  expect(summary).toMatchObject({ mean: 2.5, min: 1, median: 2.5, max: 4, runs: 4, failed: 1 })
  // Variance 5/3 with n - 1, over 4 runs.
  expect(summary.sem).toBeCloseTo(Math.sqrt(5 / 12), 14)
})

it('says nothing of no runs', () => {
  expect(summarise([Number.NaN])).toMatchObject({ runs: 0, failed: 1, mean: Number.NaN, median: Number.NaN })
})
