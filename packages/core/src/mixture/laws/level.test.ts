import { describe, expect, it } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { fromRows } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { TestRandom } from '../../testing/random.js'
import { speaking } from './evidence.js'
import { shareInterval } from './share-interval.js'

describe('the interval of the level', () => {
  it.each([
    [300, 0.2],
    [1500, 0.05],
    [3000, 0.2],
    [10_000, 0.05],
    [10_000, 0.3],
    [50_000, 0.2],
  ])('is that of a count where nobody can doubt which rows are bad: %i rows, %f of them bad', (n, share) => {
    const random = new TestRandom(n)
    const x = fromRows(Array.from({ length: n }, () => [random.normal()]))
    const bad = Math.round(share * n)
    // Scattered widely, to both sides.
    const y = Float64Array.from({ length: n }, (_, i) =>
      i < bad ? (i % 2 === 0 ? 1 : -1) * 1000 * Math.exp(random.normal()) : x.values[i]! + random.normal(),
    )
    const { corruption } = fit(linear(), { x, y })
    const [low, high] = shareInterval(share * speaking(n), speaking(n))
    const width = high - low
    expect(Math.abs(corruption.level! - share)).toBeLessThan(0.02 * width)
    expect(Math.abs(corruption.interval![0] - low)).toBeLessThan(0.03 * width)
    expect(Math.abs(corruption.interval![1] - high)).toBeLessThan(0.03 * width)
  })
})
