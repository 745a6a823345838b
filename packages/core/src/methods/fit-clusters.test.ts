import { describe, expect, it } from 'vitest'
import { covariance } from '../likelihoods/covariance.js'
import { pca } from '../likelihoods/pca.js'
import { matrix, takeRows } from '../matrix.js'
import { draws } from '../random/draws.js'
import { expectClose } from '../testing/close.js'
import { cloudWithCluster, mixed } from '../testing/clouds.js'
import { TestRandom } from '../testing/random.js'
import { fit } from './fit.js'

// A cluster of share s in d columns fools a reference that is a ball as soon as s d > 1.
describe('fit, covariance, with a cluster', () => {
  it.each([
    [2, 0.3, 8],
    [3, 0.2, 8],
    [5, 0.1, 8],
    [5, 0.2, 1000],
    [5, 0.3, 20],
    [10, 0.2, 8],
  ])('in %i columns of share %s at %i sigma is not stretched by it', (columns, share, distance) => {
    const n = 300
    const { corruption, params, clean } = fit(covariance(), {
      x: cloudWithCluster(columns, n, columns, share * n, distance),
    })
    const [low, high] = corruption.interval!
    expect(low).toBeLessThanOrEqual(share)
    expect(high).toBeGreaterThanOrEqual(share)
    expect(Math.max(...clean.subarray(0, share * n))).toBeLessThan(0.5)
    // Variances of 1, with a standard error of sqrt(2 / good rows): within five of them.
    const five = 5 * Math.sqrt(2 / ((1 - share) * n))
    for (let j = 0; j < columns; j++) {
      expect(Math.abs(params.covariance.values[j * columns + j] - 1)).toBeLessThan(five)
    }
  })

  it('gives one answer for any seed, order of rows and units', () => {
    const x = cloudWithCluster(7, 120, 4, 36, 8)
    const { corruption, clean } = fit(covariance(), { x })
    for (let seed = 1; seed < 10; seed++) {
      expectClose(fit(covariance(), { x }, { seed }).corruption.level!, corruption.level!, 1e-6)
    }
    const order = new TestRandom(8).order(120)
    const other = fit(covariance(), { x: takeRows(mixed(x), order) })
    expectClose(other.corruption.level!, corruption.level!, 1e-6)
    expectClose(
      other.clean,
      Float64Array.from(order, (i) => clean[i]),
      1e-5,
      1e-9,
    )
  })
})

describe('fit, pca, with a cluster', () => {
  /** Rows along the first column, and 20 % of them off it, far enough to draw the component to themselves. */
  function rows(seed: number, off: number) {
    const x = cloudWithCluster(seed, 200, 4, 0, 0)
    for (let i = 0; i < 200; i++) {
      x.values[4 * i] *= 5
      if (i < 40) x.values[4 * i + 3] += off
    }
    return x
  }

  it('does not lean towards it', () => {
    const { params, corruption } = fit(pca(), { x: rows(1, 1000) })
    expect(Math.abs(params.components.values[0])).toBeGreaterThan(0.99)
    expectClose(corruption.level!, 0.2, 0.01)
  })

  it('keeps rows far out along the component, which are good', () => {
    const x = rows(2, 0)
    for (let i = 0; i < 40; i++) x.values[4 * i] += 1000
    const { clean } = fit(pca(), { x })
    expect(Math.min(...clean.subarray(0, 40))).toBeGreaterThan(0.5)
  })
})

it('sees no group among many normal rows, of which it looks at a part', () => {
  for (const seed of [3, 4, 5]) {
    const random = draws('y', 5000, 10, seed)
    const x = matrix(5000, 10)
    for (let k = 0; k < x.values.length; k++) x.values[k] = random.normal()
    const { corruption, cautions } = fit(covariance(), { x })
    expect(cautions).toBeUndefined()
    expect(corruption.interval![1]).toBeLessThan(0.005)
  }
})
