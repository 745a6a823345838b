import { describe, expect, it } from 'vitest'
import { covariance } from '../likelihoods/covariance.js'
import { mean } from '../likelihoods/mean.js'
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

describe('fit, pca, with a cluster that can turn the component', () => {
  /** Rows along the second column, and every ninth of them moved along it and off it. */
  function rows(n: number, off: number) {
    const random = new TestRandom(3)
    const x = matrix(n, 3)
    for (let i = 0; i < n; i++) {
      const far = i % 9 === 4 ? off : 0
      x.values.set([random.normal() + far, 3 * random.normal() + 4 * far, random.normal()], 3 * i)
    }
    return x
  }

  it.each([300, 1500])('has its share in the interval, of %i rows, for any seed', (n) => {
    for (const seed of [0, 1, 2]) {
      const { corruption, cautions } = fit(pca(), { x: rows(n, 4) }, { seed })
      expect(corruption.interval![1]).toBeGreaterThan(1 / 9)
      if (corruption.level === 0) expect(cautions?.map(({ about }) => about)).toContain('cluster')
    }
  })

  it('says nothing where no row lies apart', () => {
    const { corruption, cautions } = fit(pca(), { x: rows(300, 0) })
    expect(corruption.interval![1]).toBeLessThan(0.05)
    expect(cautions).toBeUndefined()
  })
})

describe('fit, mean, of columns that go together', () => {
  /** Three columns with one thing in common; a tenth of the rows off it. */
  function rows(seed: number, bad: boolean) {
    const random = new TestRandom(seed)
    const x = matrix(300, 3)
    for (let i = 0; i < 300; i++) {
      const common = 4 * random.normal()
      for (let j = 0; j < 3; j++)
        x.values[3 * i + j] = common + random.normal() + (bad && i < 30 && j === 0 ? 12 : 0)
    }
    return x
  }

  it.each([1, 2, 3])('has the share of bad rows in its interval, and says why (set %i)', (seed) => {
    const { corruption, cautions } = fit(mean(), { x: rows(seed, true) })
    expect(corruption.interval![0]).toBeLessThanOrEqual(0.1)
    expect(corruption.interval![1]).toBeGreaterThanOrEqual(0.1)
    expect(cautions?.some(({ message }) => message.includes('covariance'))).toBe(true)
  })

  it('calls none bad where none is, without a word', () => {
    const { corruption, cautions } = fit(mean(), { x: rows(4, false) })
    expect(corruption.interval![0]).toBe(0)
    expect(corruption.interval![1]).toBeLessThan(0.05)
    expect(cautions).toBeUndefined()
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
