import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { covariance } from '../likelihoods/covariance.js'
import type { Supervised } from '../likelihoods/likelihood.js'
import { linear } from '../likelihoods/linear.js'
import { logistic } from '../likelihoods/logistic.js'
import { mean } from '../likelihoods/mean.js'
import { pca } from '../likelihoods/pca.js'
import { poisson } from '../likelihoods/poisson.js'
import { softmax } from '../likelihoods/softmax.js'
import { fromRows, matrix, takeRows } from '../matrix.js'
import { expectClose } from '../testing/close.js'
import { TestRandom } from '../testing/random.js'
import { fit } from './fit.js'
import { ml } from './ml.js'

interface Dirty extends Supervised {
  readonly bad: readonly boolean[]
}

/** y = 1 + a - b + noise of scale .5; bad rows (exactly `share` of them) have `off` in units of the scale instead. */
function line(seed: number, n: number, share: number, off: (random: TestRandom) => number): Dirty {
  const random = new TestRandom(seed)
  const x = matrix(n, 2)
  const y = new Float64Array(n)
  const bad = Array.from({ length: n }, (_, i) => i < share * n)
  for (let i = 0; i < n; i++) {
    const a = random.normal()
    const b = random.normal()
    x.values.set([a, b], 2 * i)
    y[i] = 1 + a - b + 0.5 * (bad[i] ? off(random) : random.normal())
  }
  return { x, y, bad }
}

const never = () => 0
const shifted = (random: TestRandom) => 10 + random.normal()
const scattered = (random: TestRandom) => 20 * (random.uniform() - 0.5)

describe('fit, linear', () => {
  it('is maximum likelihood on clean data, with level 0 and the textbook standard errors', () => {
    const data = line(1, 200, 0, never)
    const result = fit(linear(), data)
    const plain = ml(linear(), data).params
    expect(result.corruption.level).toBe(0)
    expect(result.corruption.interval?.[0]).toBe(0)
    expect(result.status).toEqual({ kind: 'converged' })
    expectClose(result.params.coefficients, plain.coefficients, 1e-12)
    // s^2 = RSS / (n - p), and its (X'X)^-1: with the columns (1, a, b).
    expectClose(result.params.scale, plain.scale * Math.sqrt(200 / 197), 1e-6)
    const gram = [0, 0, 0, 0, 0, 0, 0, 0, 0]
    for (let i = 0; i < 200; i++) {
      const row = [1, data.x.values[2 * i], data.x.values[2 * i + 1]]
      for (let j = 0; j < 3; j++) for (let k = 0; k < 3; k++) gram[3 * j + k] += row[j] * row[k]
    }
    const textbook = inverseDiagonal3(gram).map((v) => Math.sqrt(v) * result.params.scale)
    // P(good) of the outermost clean rows is a little below 1, so the errors agree to a percent.
    const { intercept, coefficients } = result.standardErrors!
    expectClose([intercept, ...coefficients], textbook, 0.02)
  })

  it.each([
    ['shifted by 10 scales', shifted],
    ['scattered over 20 scales', scattered],
  ])('tells the level of rows %s, and which rows', (_, off) => {
    for (const share of [0.05, 0.4]) {
      let sum = 0
      let covered = 0
      for (let seed = 0; seed < 10; seed++) {
        const data = line(10 + seed, 500, share, off)
        const { corruption, clean } = fit(linear(), data)
        sum += corruption.level!
        const [low, high] = corruption.interval!
        if (low <= share && share <= high) covered++
        // No row beyond 6 scales is ever taken for good, no row within 1 for bad.
        for (let i = 0; i < 500; i++) {
          const x = data.x.values
          const distance = Math.abs(data.y[i] - 1 - x[2 * i] + x[2 * i + 1]) / 0.5
          if (distance > 6) expect(clean[i]).toBeLessThan(0.5)
          if (distance < 1) expect(clean[i]).toBeGreaterThan(0.5)
        }
      }
      // The level's spread over samples is about .02 / sqrt(10) here.
      expect(Math.abs(sum / 10 - share)).toBeLessThan(0.02)
      expect(covered).toBeGreaterThanOrEqual(6)
    }
  })

  it('does not depend on units', () => {
    const data = line(3, 100, 0.2, scattered)
    const moved = matrix(100, 2)
    for (let i = 0; i < 100; i++) {
      moved.values[2 * i] = 1e6 * data.x.values[2 * i] + 3e6
      moved.values[2 * i + 1] = -1e-5 * data.x.values[2 * i + 1]
    }
    const a = fit(linear(), data)
    const b = fit(linear(), { x: moved, y: data.y.map((y) => 1e-3 * y - 5) })
    expectClose(b.corruption.level!, a.corruption.level!, 1e-7)
    expectClose(b.clean, a.clean, 1e-6, 1e-8)
    expectClose(b.params.coefficients[0], 1e-9 * a.params.coefficients[0], 1e-7)
    expectClose(b.params.scale, 1e-3 * a.params.scale, 1e-7)
  })

  it('does not depend on the order of the rows', () => {
    const data = line(4, 80, 0.1, shifted)
    const order = new TestRandom(5).order(80)
    const a = fit(linear(), data)
    const b = fit(linear(), {
      x: takeRows(data.x, order),
      y: Float64Array.from(order, (i) => data.y[i]),
    })
    // Random subsets draw other rows, but end in the same model.
    expectClose(b.params.coefficients, a.params.coefficients, 1e-3)
    expectClose(
      b.clean,
      Array.from(order, (i) => a.clean[i]),
      1e-2,
      1e-2,
    )
  })

  it('gives the same answer for the same seed', () => {
    const data = line(6, 60, 0.3, scattered)
    expect(fit(linear(), data, { seed: 3 })).toEqual(fit(linear(), data, { seed: 3 }))
  })

  it('fits many rows from starts on a few', () => {
    const data = line(7, 20_000, 0.25, shifted)
    const result = fit(linear(), data)
    expect(Math.abs(result.corruption.level! - 0.25)).toBeLessThan(0.01)
    // Five standard errors of the coefficients from 15,000 good rows.
    expectClose(result.params.coefficients, [1, -1], 0, (5 * 0.5) / Math.sqrt(15_000))
  })

  it('is not fooled by rows far out in the features', () => {
    const random = new TestRandom(8)
    const data = line(9, 100, 0, never)
    for (let i = 0; i < 25; i++) {
      data.x.values.set([12 + 0.2 * random.normal(), -12 + 0.2 * random.normal()], 2 * i)
      data.y[i] = -30 + 0.5 * random.normal()
    }
    const { params, clean } = fit(linear(), data)
    expect(Array.from(clean.subarray(0, 25)).every((c) => c < 0.5)).toBe(true)
    expectClose(params.coefficients, [1, -1], 0, 0.3)
    // Least squares is turned around by them.
    expect(ml(linear(), data).params.coefficients[0]).toBeLessThan(0)
  })

  it('keeps rows far out in the features that agree', () => {
    const data = line(10, 100, 0, never)
    for (let i = 0; i < 10; i++) {
      data.x.values.set([15, -15], 2 * i)
      data.y[i] = 31 + 0.3 * Math.sin(i)
    }
    const { clean, corruption } = fit(linear(), data)
    expect(Array.from(clean.subarray(0, 10)).every((c) => c > 0.5)).toBe(true)
    expect(corruption.interval?.[0]).toBe(0)
  })

  it('gives every coefficient a standard error, also in few rows', () => {
    const file = new URL('../../../../examples/data/stackloss.csv', import.meta.url)
    const rows = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((text) => text.split(',').map(Number))
    const data = {
      x: fromRows(rows.map((row) => row.slice(0, 3))),
      y: Float64Array.from(rows, (row) => row[3]),
    }
    const { standardErrors, params } = fit(linear(), data)
    // No better than if the 17 rows left were known to be good and the features orthogonal: scale / (sd sqrt(17)).
    const spread = [0, 1, 2].map(
      (j) => Math.max(...rows.map((row) => row[j])) - Math.min(...rows.map((row) => row[j])),
    )
    spread.forEach((range, j) => {
      expect(standardErrors!.coefficients[j]).toBeGreaterThan(params.scale / ((range / 2) * Math.sqrt(21)))
    })
  })

  it("finds the giants of the star cluster CYG OB1, and a slope within lmrob's error", () => {
    const file = new URL('../../../../examples/data/stars.csv', import.meta.url)
    const rows = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((text) => text.split(',').map(Number))
    const data = { x: fromRows(rows.map((row) => [row[0]])), y: Float64Array.from(rows, (row) => row[1]) }
    const { params, clean } = fit(linear(), data)
    // R, robustbase: lmrob(log.light ~ log.Te, starsCYG) has slope 2.253 with standard error .769, and these outliers.
    for (const giant of [10, 19, 29, 33]) expect(clean[giant]).toBeLessThan(0.5)
    expect(Math.abs(params.coefficients[0] - 2.253)).toBeLessThan(0.769)
  })
})

describe('fit, other models', () => {
  it('is maximum likelihood on clean clouds', () => {
    const random = new TestRandom(20)
    const x = fromRows(
      Array.from({ length: 150 }, () => {
        const common = 3 * random.normal()
        return [common + random.normal(), 2 * common + random.normal(), random.normal() - 4]
      }),
    )
    const c = fit(covariance(), { x })
    expect(c.corruption.level).toBe(0)
    expectClose(
      c.params.covariance.values,
      ml(covariance({ unbiased: true }), { x }).params.covariance.values,
      1e-9,
      1e-9,
    )
    const p = fit(pca(), { x })
    expect(p.corruption.interval?.[0]).toBe(0)
    expectClose(p.params.components.values, ml(pca(), { x }).params.components.values, 0, 0.02)
  })

  it('finds rows off a cloud and off a line', () => {
    const random = new TestRandom(21)
    const rows = Array.from({ length: 200 }, (_, i) => {
      const along = 3 * random.normal()
      const far = i < 30 ? 15 : 0
      return [along + 0.5 * random.normal() - far, along + 0.5 * random.normal() + far]
    })
    const x = fromRows(rows)
    for (const result of [fit(covariance(), { x }), fit(pca(), { x })]) {
      expect(Math.abs(result.corruption.level! - 0.15)).toBeLessThan(0.02)
      expect(Array.from(result.clean, (c, i) => c < 0.5 === i < 30).every(Boolean)).toBe(true)
    }
    const component = fit(pca(), { x }).params.components.values
    expect(Math.abs(component[0] + component[1])).toBeGreaterThan(Math.SQRT2 * 0.998)
    const centre = fit(mean(), { x: fromRows(rows.map(([a, b]) => [a - b, 0.7 * random.normal()])) })
    expect(Math.abs(centre.corruption.level! - 0.15)).toBeLessThan(0.02)
  })

  it.each([20, 21, 60, 200])('%d columns: the level of rows shifted by 5 scales', (columns) => {
    const random = new TestRandom(22)
    const x = matrix(300, columns)
    for (let k = 0; k < x.values.length; k++)
      x.values[k] = random.normal() + (Math.floor(k / columns) % 10 === 0 ? 5 : 0)
    const { corruption, clean, cautions } = fit(mean(), { x })
    // Good rows scatter alike in every direction, though in few rows no covariance looks so.
    expect(cautions?.filter(({ about }) => about === 'law') ?? []).toEqual([])
    expectClose(corruption.level!, 0.1, 1e-6)
    expect(Array.from(clean, (c) => c < 0.5)).toEqual(Array.from(clean, (_, i) => i % 10 === 0))
  })

  it('more columns than volumes can be computed for are refused', () => {
    expect(() => fit(mean(), { x: matrix(5, 1001, new Float64Array(5005).fill(1)) })).toThrow(
      'fit: distances in at most 1000 dimensions can be compared, got 1001; use fewer columns, or `paper`',
    )
  })

  it.each([
    ['logistic', 2, logistic()],
    ['softmax', 3, softmax({ classes: 3, ridge: 0.01 })],
  ])('%s: tells the share of wrong labels and finds them', (_, classes, model) => {
    let gap = 0
    let found = 0
    let wrong = 0
    for (let seed = 0; seed < 5; seed++) {
      const random = new TestRandom(30 + seed)
      const x = matrix(400, 2)
      const y = new Float64Array(400)
      const flipped: number[] = []
      for (let i = 0; i < 400; i++) {
        const angle = 2 * Math.PI * random.uniform()
        x.values.set([3 * Math.cos(angle) + 0.3 * random.normal(), 3 * Math.sin(angle)], 2 * i)
        y[i] = Math.floor((classes * angle) / (2 * Math.PI))
        if (random.uniform() < 0.15) {
          flipped.push(i)
          y[i] = (y[i] + 1 + random.below(classes - 1)) % classes
        }
      }
      const result = fit<Supervised, never>(model as never, { x, y })
      gap += result.corruption.level! - flipped.length / 400
      wrong += flipped.length
      found += flipped.filter((i) => result.clean[i] < 0.5).length
    }
    expect(Math.abs(gap / 5)).toBeLessThan(0.02)
    expect(found / wrong).toBeGreaterThan(0.9)
  })

  it('poisson: finds counts that the features do not explain', () => {
    const random = new TestRandom(40)
    const x = matrix(300, 1)
    const y = new Float64Array(300)
    for (let i = 0; i < 300; i++) {
      x.values[i] = random.normal()
      const rate = Math.exp(1 + 0.5 * x.values[i])
      for (let p = random.uniform(); p > Math.exp(-rate); y[i]++) p *= random.uniform()
      if (i < 30) y[i] += 40 + random.below(20)
    }
    const { params, corruption, clean } = fit(poisson(), { x, y })
    expect(Math.abs(corruption.level! - 0.1)).toBeLessThan(0.03)
    expect(Array.from(clean.subarray(0, 30)).every((c) => c < 0.5)).toBe(true)
    expectClose(params.coefficients, [0.5], 0, 0.1)
  })
})

describe('fit, degenerate data', () => {
  const random = new TestRandom(50)
  const x = fromRows(Array.from({ length: 60 }, () => [random.normal()]))

  it('most rows exactly on a line: they are good, the others bad', () => {
    const y = Float64Array.from(x.values, (v, i) => (i < 40 ? 2 * v + 1 : 5 * random.normal()))
    const result = fit(linear(), { x, y })
    expect(result.status).toMatchObject({ kind: 'degenerate', reason: 'exact-fit' })
    expectClose(result.params.coefficients, [2], 1e-9)
    expect(Array.from(result.clean)).toEqual(Array.from(y, (_, i) => (i < 40 ? 1 : 0)))
    expectClose(result.corruption.level!, 20 / 60, 1e-12)
  })

  it('more than half of the rows identical', () => {
    const same = fromRows(
      Array.from({ length: 50 }, (_, i) => (i < 30 ? [1, 2] : [random.normal(), random.normal()])),
    )
    const result = fit(mean(), { x: same })
    expect(result.status).toMatchObject({ kind: 'degenerate', reason: 'exact-fit' })
    expectClose(result.params.mean, [1, 2], 1e-12)
  })

  it('rows exactly on a principal component, and equal rows', () => {
    const rows = Array.from({ length: 30 }, (_, i) =>
      i < 20 ? [i, 2 * i, -i] : [random.normal(), random.normal(), 9],
    )
    const result = fit(pca(), { x: fromRows(rows) })
    expect(result.status).toMatchObject({ kind: 'degenerate', reason: 'exact-fit' })
    expect(Array.from(result.clean)).toEqual(rows.map((_, i) => (i < 20 ? 1 : 0)))
    const equal = fromRows([
      [5, 1],
      [5, 1],
      [5, 1],
    ])
    expect(fit(pca(), { x: equal }).status).toMatchObject({ reason: 'exact-fit' })
    expect(() => fit(pca({ components: 2 }), { x: equal })).toThrow('rows must be able to lie off the model')
  })

  it('counts that are all 0', () => {
    expect(fit(poisson(), { x, y: new Float64Array(60) }).clean).toHaveLength(60)
  })

  it('separable classes with a ridge converge', () => {
    const y = Float64Array.from(x.values, (v) => (v > 0 ? 1 : 0))
    expect(fit(logistic({ ridge: 0.01 }), { x, y }).status).toEqual({ kind: 'converged' })
  })

  it('a constant response', () => {
    const result = fit(linear(), { x, y: new Float64Array(60).fill(4) })
    expect(result.status).toMatchObject({ kind: 'degenerate', reason: 'exact-fit' })
  })

  it('classes that can be told apart, one class, collinear columns', () => {
    const y = Float64Array.from(x.values, (v) => (v > 0 ? 1 : 0))
    expect(fit(logistic(), { x, y }).status).toMatchObject({ reason: 'separable' })
    expect(fit(logistic(), { x, y: y.fill(1) }).status).toMatchObject({ reason: 'one-class' })
    const twice = fromRows(Array.from(x.values, (v) => [v, -v]))
    expect(fit(linear(), { x: twice, y: x.values }).status).toMatchObject({ reason: 'collinear' })
  })

  it('a likelihood without what fit needs is refused, by the compiler and at run time', () => {
    const { squaredDistances: _, rescale: __, ...bare } = linear()
    // @ts-expect-error: not Continuous, and not Discrete
    expect(() => fit(bare, { x, y: x.values })).toThrow(
      'fit: a Continuous or a Discrete likelihood is needed, got one without squaredDistances, rescale; give "linear" these too, or use `paper`',
    )
    const { information: ___, ...blunt } = logistic()
    // @ts-expect-error: not Discrete
    expect(() => fit(blunt, { x, y: x.values })).toThrow('got one without information;')
  })
})

/** Diagonal of the inverse of a 3 x 3 matrix, by cofactors. */
function inverseDiagonal3(m: number[]): number[] {
  const minor = (a: number, b: number, c: number, d: number): number => m[a] * m[d] - m[b] * m[c]
  const determinant = m[0] * minor(4, 5, 7, 8) - m[1] * minor(3, 5, 6, 8) + m[2] * minor(3, 4, 6, 7)
  return [minor(4, 5, 7, 8), minor(0, 2, 6, 8), minor(0, 1, 3, 4)].map((v) => v / determinant)
}
