import { describe, expect, it } from 'vitest'
import { paperRules } from '../inference/paper.js'
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
import { huber } from './huber.js'
import { ml } from './ml.js'
import { paper } from './paper.js'
import { rrm } from './rrm.js'
import { sever } from './sever.js'

/** y = 1 + 2 a - b + noise, with every fifth row thrown far off. */
function dirtyLine(seed: number, n = 100): Supervised {
  const random = new TestRandom(seed)
  const x = matrix(n, 2)
  const y = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const a = random.normal()
    const b = random.normal()
    x.values.set([a, b], i * 2)
    y[i] = 1 + 2 * a - b + 0.1 * random.normal() + (i % 5 === 0 ? 20 * random.normal() : 0)
  }
  return { x, y }
}

const spoilt = (value: number): Supervised => {
  const data = dirtyLine(1)
  data.x.values[7] = value
  return data
}

describe('paper', () => {
  it('finds the line that the good rows support, and ranks the bad rows below them', () => {
    const data = dirtyLine(3)
    const result = paper(linear(), data)
    expect(result.status.kind).toBe('converged')
    const clean = linear().fit({
      x: takeRows(
        data.x,
        [...data.y.keys()].filter((i) => i % 5 !== 0),
      ),
      y: data.y.filter((_, i) => i % 5 !== 0),
    })
    // Within the spread of an estimate from 80 rows of noise .1, which plain least squares misses by far.
    expect(Math.abs(result.params.intercept - clean.intercept)).toBeLessThan(0.06)
    expect(Math.abs(ml(linear(), data).params.intercept - clean.intercept)).toBeGreaterThan(0.06)
    const meanClean = (bad: boolean): number => {
      const rows = Array.from(result.clean).filter((_, i) => (i % 5 === 0) === bad)
      return rows.reduce((a, b) => a + b, 0) / rows.length
    }
    expect(meanClean(true)).toBeLessThan(0.2 * meanClean(false))
    expect(result.trace).toHaveLength(result.iterations)
  })

  it('gives the same answer for the same data, to the last bit', () => {
    expect(paper(linear(), dirtyLine(5))).toEqual(paper(linear(), dirtyLine(5)))
  })

  it('does not depend on units: scaled and shifted columns change nothing but their coefficients', () => {
    const data = dirtyLine(6)
    const moved = matrix(data.x.rows, 2)
    for (let i = 0; i < data.x.rows; i++) {
      moved.values[2 * i] = 1e6 * data.x.values[2 * i] + 1e8
      moved.values[2 * i + 1] = 1e-3 * data.x.values[2 * i + 1]
    }
    const a = paper(linear(), data, { tolerance: 0, maxIterations: 5 })
    const b = paper(
      linear(),
      { x: moved, y: data.y.map((y) => 1e-4 * y + 7) },
      { tolerance: 0, maxIterations: 5 },
    )
    expectClose(b.params.coefficients[0], 1e-10 * a.params.coefficients[0], 1e-7)
    expectClose(b.params.coefficients[1], 1e-1 * a.params.coefficients[1], 1e-7)
    expectClose(b.clean, a.clean, 1e-5, 1e-8)
  })

  it('with one exact step on losses that collapse says so instead of reporting a level', () => {
    const result = paper(linear(), dirtyLine(7), { eStep: 'exact' })
    expect(result.status).toMatchObject({ kind: 'degenerate', reason: 'collapse' })
    expect(result.corruption.source).toBe('relative')
  })

  it('infers the level where the losses have a meaningful zero', () => {
    // Likelihood ratio against a density of corrupted rows: N(0, 1) good, N(0, 10^2) bad, 30 % bad.
    const random = new TestRandom(8)
    const z = Float64Array.from({ length: 4000 }, (_, i) => random.normal() * (i % 10 < 3 ? 10 : 1))
    const ratio = {
      name: 'ratio',
      rows: () => z.length,
      check: () => {},
      fit: () => ({}),
      vector: () => Float64Array.of(1),
      losses: (_: unknown, __: object, out: Float64Array) => {
        for (let i = 0; i < z.length; i++) out[i] = 0.5 * z[i] ** 2 * (1 - 0.01) - Math.log(10)
      },
    }
    const { corruption } = paper(ratio, undefined, { eStep: 'exact' })
    expect(corruption.source).toBe('inferred')
    expect(Math.abs(corruption.level! - 0.3)).toBeLessThan(0.03)
  })

  it('reports that it ran out of iterations', () => {
    const result = paper(linear(), dirtyLine(9), { maxIterations: 2, tolerance: 0 })
    expect(result.status).toMatchObject({
      kind: 'max-iterations',
      message: 'still moving after 2 iterations',
    })
  })

  it('holds at least the given number of good rows (Appendix D)', () => {
    const random = new TestRandom(10)
    const x = fromRows(Array.from({ length: 50 }, () => [random.normal(), random.normal()]))
    const { trace } = paper(covariance(), { x }, { goodRows: 35, tolerance: 1e-2 })
    for (const step of trace) expectClose(step.level, 0.3, 1e-9)
  })

  it.each([
    ['tolerance', { tolerance: -1 }, 'paper tolerance: must not be negative, got -1'],
    [
      'maxIterations',
      { maxIterations: 0 },
      'paper maxIterations: a whole number of at least 1 is needed, got 0',
    ],
    [
      'goodRows',
      { goodRows: 1000 },
      'constrain: the number of good rows must be between 0 and 100, got 1000',
    ],
    [
      'start',
      { eStep: { ...paperRules.standard, start: 0 } },
      'rule.start: a number between 0 and 1 is needed, got 0',
    ],
  ])('refuses an impossible %s', (_, options, message) => {
    expect(() => paper(linear(), dirtyLine(1), options)).toThrow(message)
  })
})

describe('hard data comes back with the reason', () => {
  const n = 30
  const random = new TestRandom(11)
  const a = Array.from({ length: n }, () => random.normal())
  const b = Array.from({ length: n }, () => random.normal())
  const noisy = Float64Array.from(a, (v) => 2 * v + 0.1 * random.normal())
  const labels = Float64Array.from(a, (v) => (v > 0 ? 1 : 0))
  const columns = (...list: number[][]) => fromRows(a.map((_, i) => list.map((column) => column[i])))
  const counts = Float64Array.from(a, () => random.below(5))

  it.each([
    [
      'a constant column',
      columns(
        a,
        a.map(() => 3.3),
      ),
      [1],
    ],
    ['a duplicate column', columns(a, b, a), [2]],
    [
      'a combination of columns',
      columns(
        a,
        b,
        a.map((v, i) => 1e5 * (v - b[i])),
      ),
      [2],
    ],
  ])('%s', (_, x, guilty) => {
    for (const result of [
      paper(linear(), { x, y: noisy }),
      ml(linear(), { x, y: noisy }),
      paper(poisson(), { x, y: counts }),
      ml(logistic(), { x, y: labels.map((label, i) => (i % 3 === 0 ? 1 - label : label)) }),
      ml(softmax({ classes: 2 }), { x, y: labels.map((label, i) => (i % 3 === 0 ? 1 - label : label)) }),
    ]) {
      expect(result.status).toMatchObject({ kind: 'degenerate', reason: 'collinear', columns: guilty })
    }
  })

  it('fewer rows than parameters', () => {
    const x = takeRows(columns(a, b, noisyCopy(a)), [0, 1, 2])
    const status = paper(linear(), { x, y: noisy.slice(0, 3) }).status
    expect(status).toMatchObject({ reason: 'few-rows', message: '3 rows cannot determine 4 parameters' })
  })

  it('an exact fit', () => {
    const y = Float64Array.from(a, (v) => 3 * v - 1)
    const result = paper(linear(), { x: columns(a), y })
    expect(result.status).toMatchObject({ kind: 'degenerate', reason: 'exact-fit' })
    expectClose(result.params.coefficients, [3], 1e-10)
  })

  it('identical rows', () => {
    const x = fromRows(Array.from({ length: 9 }, () => [5, 6]))
    expect(paper(mean(), { x }).status).toMatchObject({ kind: 'degenerate', reason: 'exact-fit' })
    expect(ml(covariance(), { x }).status).toMatchObject({ kind: 'degenerate', reason: 'singular' })
    expect(paper(pca(), { x }).params.variances[0]).toBe(0)
  })

  it('classes that can be told apart', () => {
    expect(ml(logistic(), { x: columns(a), y: labels }).status).toMatchObject({ reason: 'separable' })
    expect(ml(softmax({ classes: 2 }), { x: columns(a), y: labels }).status).toMatchObject({
      reason: 'separable',
    })
    expect(ml(logistic({ ridge: 0.1 }), { x: columns(a), y: labels }).status).toEqual({ kind: 'converged' })
  })

  it('one class only', () => {
    const y = new Float64Array(n).fill(1)
    expect(paper(logistic(), { x: columns(a), y }).status).toMatchObject({
      reason: 'one-class',
      message: 'all rows that count have the label 1',
    })
    expect(paper(softmax({ classes: 3 }), { x: columns(a), y }).status).toMatchObject({ reason: 'one-class' })
  })

  it('a single row', () => {
    expect(paper(mean(), { x: fromRows([[1, 2]]) }).status).toMatchObject({ kind: 'degenerate' })
  })
})

function noisyCopy(values: number[]): number[] {
  return values.map((v, i) => v + Math.sin(i))
}

describe('input that is no data', () => {
  const good = dirtyLine(1)
  it.each([
    [
      'NaN',
      () => paper(linear(), spoilt(Number.NaN)),
      'x: row 3, column 1 must be a finite number, got NaN; drop such rows first',
    ],
    [
      'infinity',
      () => paper(linear(), spoilt(Number.POSITIVE_INFINITY)),
      'x: row 3, column 1 must be a finite number, got Infinity',
    ],
    [
      'NaN in y',
      () => ml(linear(), { x: good.x, y: good.y.map((y, i) => (i === 2 ? Number.NaN : y)) }),
      'y: entry 2 must be a finite number, got NaN',
    ],
    [
      'lengths',
      () => paper(linear(), { x: good.x, y: good.y.slice(1) }),
      'y: one value for each of 100 rows is needed, got 99',
    ],
    ['no rows', () => paper(mean(), { x: matrix(0, 2) }), 'x: at least one row is needed, got 0'],
    [
      'label 2',
      () => paper(logistic(), { x: good.x, y: good.y.map(() => 2) }),
      'logistic y[0]: labels must be 0 or 1, got 2',
    ],
    [
      'class 3',
      () => paper(softmax({ classes: 3 }), { x: good.x, y: good.y.map(() => 3) }),
      'softmax y[0]: classes must be 0 to 2, got 3',
    ],
    [
      'half a count',
      () => paper(poisson(), { x: good.x, y: good.y.map(() => 0.5) }),
      'poisson y[0]: counts must be whole and not negative, got 0.5',
    ],
    [
      'components',
      () => paper(pca({ components: 3 }), good),
      'pca components: at most one for each of 2 columns, got 3',
    ],
    ['ridge', () => logistic({ ridge: -1 }), 'logistic ridge: must not be negative, got -1'],
    [
      'assumed',
      () => rrm(linear(), good, { assumed: 1 }),
      'rrm assumed: a number between 0 and 1 is needed, got 1',
    ],
    [
      'assumed',
      () => sever(linear(), good, { assumed: -0.1 }),
      'sever assumed: a number between 0 and 1 is needed, got -0.1',
    ],
    ['c', () => huber(linear(), good, { c: 0 }), 'huber c: must be positive, got 0'],
    [
      'weights of the wrong length',
      () => linear().fit(good, new Float64Array(99)),
      'fit weights: one value for each of 100 rows is needed, got 99',
    ],
    [
      'a negative weight',
      () => mean().fit(good, new Float64Array(100).fill(-1)),
      'fit weights: weight 0 must be finite and not negative, got -1',
    ],
    [
      'weights that are all 0',
      () => logistic().fit(good, new Float64Array(100)),
      'fit weights: at least one weight must be positive, got 0',
    ],
    ['ragged rows', () => fromRows([[1, 2], [3]]), 'fromRows: row 1 must have 2 entries like row 0, got 1'],
    ['a short matrix', () => matrix(2, 2, new Float64Array(3)), 'matrix: 2 x 2 needs 4 values, got 3'],
    [
      'a torn matrix',
      () => paper(mean(), { x: { rows: 2, cols: 2, values: new Float64Array(3) } }),
      'x: 2 x 2 needs 4 values, got 3',
    ],
  ])('%s', (_, act, message) => {
    expect(act).toThrow(message)
  })
})

describe('rivals', () => {
  const data = dirtyLine(12)

  it('Huber with a large c is least squares', () => {
    expectClose(
      huber(linear(), data, { c: 50 }).params.coefficients,
      ml(linear(), data).params.coefficients,
      1e-9,
    )
  })

  it("Huber's scale is right for Gaussian noise", () => {
    const random = new TestRandom(13)
    const x = matrix(4000, 1)
    for (let i = 0; i < 4000; i++) x.values[i] = random.normal()
    const y = x.values.map((v) => 3 * v + 0.5 * random.normal())
    // The standard error of a scale from 4000 rows is about 1.3 %.
    expect(Math.abs(huber(linear(), { x, y }).params.scale - 0.5)).toBeLessThan(0.03)
  })

  it('Huber, SEVER and RRM are nearer to the truth than least squares', () => {
    const miss = (c: Float64Array): number => Math.hypot(c[0] - 2, c[1] + 1)
    const plain = miss(ml(linear(), data).params.coefficients)
    expect(miss(huber(linear(), data).params.coefficients)).toBeLessThan(plain)
    expect(miss(sever(linear(), data, { assumed: 0.4 }).params.coefficients)).toBeLessThan(plain)
    expect(miss(rrm(linear(), data, { assumed: 0.4 }).params.coefficients)).toBeLessThan(plain)
  })

  it('SEVER that drops nothing, and RRM that must count all rows alike, are maximum likelihood', () => {
    const plain = ml(linear(), data).params.coefficients
    expectClose(sever(linear(), data, { assumed: 1e-9 }).params.coefficients, plain, 1e-12)
    expectClose(rrm(linear(), data, { assumed: 1e-12 }).params.coefficients, plain, 1e-4)
  })

  it('SEVER drops half of the assumed share a round', () => {
    const { clean, corruption } = sever(linear(), data, { assumed: 0.2, rounds: 3 })
    expect(clean.filter((c) => c === 0)).toHaveLength(10 + 9)
    expectClose(corruption.level!, 0.19, 1e-12)
  })
})

describe('least squares', () => {
  it("reaches the certified coefficients of Longley's data, a classic of ill condition (NIST StRD)", () => {
    const rows = [
      [60323, 83, 234289, 2356, 1590, 107608, 1947],
      [61122, 88.5, 259426, 2325, 1456, 108632, 1948],
      [60171, 88.2, 258054, 3682, 1616, 109773, 1949],
      [61187, 89.5, 284599, 3351, 1650, 110929, 1950],
      [63221, 96.2, 328975, 2099, 3099, 112075, 1951],
      [63639, 98.1, 346999, 1932, 3594, 113270, 1952],
      [64989, 99, 365385, 1870, 3547, 115094, 1953],
      [63761, 100, 363112, 3578, 3350, 116219, 1954],
      [66019, 101.2, 397469, 2904, 3048, 117388, 1955],
      [67857, 104.6, 419180, 2822, 2857, 118734, 1956],
      [68169, 108.4, 442769, 2936, 2798, 120445, 1957],
      [66513, 110.8, 444546, 4681, 2637, 121950, 1958],
      [68655, 112.6, 482704, 3813, 2552, 123366, 1959],
      [69564, 114.2, 502601, 3931, 2514, 125368, 1960],
      [69331, 115.7, 518173, 4806, 2572, 127852, 1961],
      [70551, 116.9, 554894, 4007, 2827, 130081, 1962],
    ]
    const x = fromRows(rows.map((row) => row.slice(1)))
    const { params } = ml(linear(), { x, y: Float64Array.from(rows, (row) => row[0]) })
    expectClose(params.intercept, -3482258.63459582, 1e-9)
    const certified = [
      15.0618722713733, -0.035819179292591, -2.02022980381683, -1.03322686717359, -0.0511041056535807,
      1829.15146461355,
    ]
    expectClose(params.coefficients, certified, 1e-9)
  })
})
