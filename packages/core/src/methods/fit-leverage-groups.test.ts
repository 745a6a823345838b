import { describe, expect, it } from 'vitest'
import type { Supervised } from '../likelihoods/likelihood.js'
import { linear } from '../likelihoods/linear.js'
import { matrix } from '../matrix.js'
import { TestRandom } from '../testing/random.js'
import { fit } from './fit.js'

const SLOPE = 0.5

/** A survey: answers from 1 to 7, of which a tenth is -8 or -9, a measure and an indicator. */
function survey(seed: number, n: number, codes: 'missing' | 'true'): Supervised {
  const random = new TestRandom(seed)
  const x = matrix(n, 3)
  const y = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const [answer, measure, group] = [1 + random.below(7), random.normal(), random.below(2)]
    const code = i % 10 === 3 ? -8 - random.below(2) : answer
    x.values.set([code, measure, group], 3 * i)
    y[i] = 3 + SLOPE * (codes === 'true' ? code : answer) + 0.5 * measure + group + 1.5 * random.normal()
  }
  return { x, y }
}

describe('codes of missing values in a tenth of a column', () => {
  it.each([
    [1, 300],
    [2, 300],
    [3, 1300],
  ])('are what is bad, and are named (set %i, %i rows)', (seed, n) => {
    const { params, clean, corruption, cautions, standardErrors } = fit(linear(), survey(seed, n, 'missing'))
    expect(Math.abs(corruption.level! - 0.1)).toBeLessThan(0.02)
    expect(corruption.interval![1]).toBeGreaterThan(0.1)
    for (let i = 3; i < n; i += 10) expect(clean[i]).toBeLessThan(0.5)
    const { coefficients } = standardErrors as { coefficients: Float64Array }
    expect(Math.abs(params.coefficients[0]! - SLOPE)).toBeLessThan(4 * coefficients[0]!)
    const [told] = cautions!.filter(({ about }) => about === 'leverage')
    expect(told).toMatchObject({ column: 0, values: [-9, -8] })
    expect(told!.message).toMatch(/apart in column 0, /)
  })

  it.each([300, 1300])('are good where the response follows them (%i rows)', (n) => {
    const { clean, corruption, cautions } = fit(linear(), survey(4, n, 'true'))
    expect(corruption.interval![0]).toBe(0)
    expect(clean.filter((p) => p < 0.5).length).toBeLessThan(0.01 * n)
    expect(cautions).toBeUndefined()
  })
})

it('errors with heavy tails are no bad leverage', () => {
  const random = new TestRandom(6)
  const n = 300
  const x = matrix(n, 1)
  const y = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const chi = random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2
    x.values[i] = i % 7 === 2 ? 20 + random.normal() : random.normal()
    y[i] = x.values[i] + random.normal() / Math.sqrt(chi / 3)
  }
  expect(fit(linear(), { x, y }).corruption.interval![0]).toBe(0)
})
