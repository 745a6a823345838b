import { describe, expect, it } from 'vitest'
import { draws } from './draws.js'

/** Mean and variance of draws, each within five standard errors of the law's. */
function expectMoments(draw: () => number, mean: number, variance: number, fourth: number): void {
  const n = 20_000
  let sum = 0
  let squares = 0
  for (let k = 0; k < n; k++) {
    const value = draw() - mean
    sum += value
    squares += value * value
  }
  expect(Math.abs(sum / n)).toBeLessThan(5 * Math.sqrt(variance / n))
  expect(Math.abs(squares / n - variance)).toBeLessThan(5 * Math.sqrt((fourth - variance ** 2) / n))
}

describe('draws', () => {
  it('is the same for the same key and another for another', () => {
    const first = (...key: Array<string | number>): number[] => {
      const random = draws(...key)
      return Array.from({ length: 4 }, () => random.uniform(0, 1))
    }
    expect(first(1, 'pca', 0.2, 7)).toEqual(first(1, 'pca', 0.2, 7))
    const keys = [
      first(1, 'pca', 0.2, 7),
      first(1, 'pca', 0.2, 8),
      first(2, 'pca', 0.2, 7),
      first(1, 'cov', 0.2, 7),
    ]
    expect(new Set(keys.flat()).size).toBe(16)
  })

  it('is uncorrelated between neighbouring runs', () => {
    const n = 20_000
    let product = 0
    for (let run = 0; run < n; run++) product += draws(0, 'x', run).normal() * draws(0, 'x', run + 1).normal()
    expect(Math.abs(product / n)).toBeLessThan(5 / Math.sqrt(n))
  })

  it('has the moments of its laws', () => {
    const random = draws('moments')
    expectMoments(() => random.uniform(-5, 5), 0, 100 / 12, 125)
    expectMoments(() => random.normal(), 0, 1, 3)
    // Chi-squared with k degrees: mean k, variance 2k, fourth central moment 12k(k + 4).
    expectMoments(() => random.chiSquared(1.5), 1.5, 3, 12 * 1.5 * 5.5)
    expectMoments(() => random.chiSquared(2.5), 2.5, 5, 12 * 2.5 * 6.5)
    // Binomial(40, .2): fourth central moment npq(1 + 3(n - 2)pq).
    expectMoments(() => random.binomial(40, 0.2), 8, 6.4, 6.4 * (1 + 3 * 38 * 0.16))
    // Student's t with 10 degrees: variance 10/8, fourth moment 3 * 100 / (8 * 6).
    expectMoments(() => random.studentT(10), 0, 1.25, 6.25)
  })

  it('takes the ends of the binomial', () => {
    const random = draws('ends')
    expect(random.binomial(40, 0)).toBe(0)
    expect(random.binomial(40, 1)).toBe(40)
  })
})
