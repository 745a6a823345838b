import { describe, expect, it } from 'vitest'
import { takeRows } from '../../matrix.js'
import { expectClose } from '../../testing/close.js'
import { cloudWithCluster, mixed } from '../../testing/clouds.js'
import { TestRandom } from '../../testing/random.js'
import { invariantCoordinates } from './invariant-coordinates.js'

const COLUMNS = 4

/** Of values with whether their row is one of the first `bad`. */
function correlation(values: Float64Array, bad: number): number {
  const n = values.length
  const share = bad / n
  const mean = values.reduce((sum, v) => sum + v, 0) / n
  let both = 0
  let square = 0
  values.forEach((v, i) => {
    both += (v - mean) * ((i < bad ? 1 : 0) - share)
    square += (v - mean) ** 2
  })
  return both / Math.sqrt(square * n * share * (1 - share))
}

describe('invariant coordinates', () => {
  // Not at .21, where two clouds have the kurtosis of one.
  it.each([0.05, 0.1, 0.15, 0.3, 0.4])('point at a cluster of share %s', (share) => {
    const bad = 300 * share
    const coordinates = invariantCoordinates(cloudWithCluster(1, 300, COLUMNS, bad, 10))
    const closest = Math.max(...coordinates.map((values) => Math.abs(correlation(values, bad))))
    // Two clouds of variance 1 at 10: the share of the variance between them is s(1-s)100 / (1 + s(1-s)100).
    const between = share * (1 - share) * 100
    expect(closest).toBeGreaterThan(0.95 * Math.sqrt(between / (1 + between)))
  })

  it('do not know units, mixed columns, or the order of rows', () => {
    const x = cloudWithCluster(2, 200, COLUMNS, 40, 8)
    const order = new TestRandom(3).order(200)
    const before = invariantCoordinates(x)
    const after = invariantCoordinates(takeRows(mixed(x), order))
    before.forEach((values, k) => {
      // A direction has no sign.
      const sign = Math.sign(values[order[0]] * after[k][0])
      expectClose(
        after[k].map((v) => sign * v),
        Float64Array.from(order, (i) => values[i]),
        1e-6,
        1e-6,
      )
    })
  })

  it('are none where a column depends on others', () => {
    const x = cloudWithCluster(4, 50, 3, 0, 0)
    for (let i = 0; i < 50; i++) x.values[3 * i + 2] = x.values[3 * i] - x.values[3 * i + 1]
    expect(invariantCoordinates(x)).toEqual([])
  })
})
