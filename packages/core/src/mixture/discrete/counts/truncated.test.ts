import { expect, it } from 'vitest'
import { poisson } from '../../../likelihoods/poisson.js'
import { ones } from '../../../likelihoods/shared.js'
import { matrix } from '../../../matrix.js'
import { TestRandom } from '../../../testing/random.js'
import { zerosByPositives } from './truncated.js'

it('counts above 0 say how many zeros belong to them, however many there are', () => {
  for (let seed = 0; seed < 5; seed++) {
    const random = new TestRandom(seed)
    const n = 2000
    const rate = 2.5
    const y = Float64Array.from({ length: n }, (_, i) => {
      let count = 0
      for (let p = random.uniform(); p > Math.exp(-rate); count++) p *= random.uniform()
      return i % 2 === 0 ? 0 : count
    })
    const start = { intercept: Math.log(rate), coefficients: new Float64Array(0) }
    const { mean } = zerosByPositives(poisson(), { x: matrix(n, 0), y }, ones(n), start)
    // Poisson's law: e^-rate of all rows. It is the most that is possible: not below by chance, nor above by half.
    expect(mean).toBeGreaterThan(0.85 * n * Math.exp(-rate))
    expect(mean).toBeLessThan(1.6 * n * Math.exp(-rate))
  }
})
