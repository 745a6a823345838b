import { describe, expect, it } from 'vitest'
import { maximise } from '../../linalg/bfgs.js'
import { normalQuantile, studentQuantile } from '../../linalg/quantiles.js'
import { TestRandom } from '../../testing/random.js'
import { growthOf } from './growth.js'
import { fitLaw, fitWithin, goodProbabilities, logDensities } from './law-fit.js'
import { momentsOf } from './moments.js'
import { toOffsets } from './offsets.js'
import { candidates } from './select.js'
import { coreRadius, SHAPES, type ShapeName, tailsOf } from './shape.js'
import { shareInterval } from './share-interval.js'

const PARAMS: Readonly<Record<ShapeName, Float64Array>> = {
  normal: Float64Array.of(0.3),
  student: Float64Array.of(-0.2, 1.1),
  light: Float64Array.of(0.2, -0.4),
  'skewed-student': Float64Array.of(0.1, 0.8, 0.5, 0.6),
  'skewed-power': Float64Array.of(-0.3, 0.4, -0.4, -0.7),
}
const NAMES = Object.keys(PARAMS) as ShapeName[]
const about = { dimension: 1, signed: true, degreesOfFreedom: 2 }

describe.each(NAMES)('the law %s', (name) => {
  const shape = SHAPES[name]
  const params = PARAMS[name]

  it('knows its slope by the tails to the last digits, which a search in flat likelihoods ends by', () => {
    for (const [tail, v] of [
      [0.7, 0.3],
      [2, 1.4],
      [4.6, 1.2],
    ] as const) {
      const at = (t: number): ReturnType<typeof tailsOf> => tailsOf(name, t, 1)
      const steps = (at(tail + 1e-4).log(v) - at(tail - 1e-4).log(v)) / 2e-4
      expect(at(tail).byTail(v)).toBeCloseTo(steps, 6)
      // Neighbours have the same slope: what rounding moves is nothing.
      expect(Math.abs(at(tail + 1e-13).byTail(v) - at(tail).byTail(v))).toBeLessThan(3e-12)
    }
  })

  it('has a density that integrates to 1, with the mean and spread that are told', () => {
    // By the midpoint rule, far out by a change of variable.
    const step = 0.01
    const grid = Float64Array.from({ length: 4000 }, (_, k) => Math.sinh((k - 1999.5) * step * 0.5))
    const out = new Float64Array(grid.length)
    logDensities(grid, 1, shape, params, out)
    const mass = out.map((log, k) => Math.exp(log) * Math.cosh((k - 1999.5) * step * 0.5) * step * 0.5)
    const sum = (power: number): number => mass.reduce((total, m, k) => total + m * grid[k] ** power, 0)
    expect(sum(0)).toBeCloseTo(1, 4)
    const shells = { unit: 3, dimension: 1, signed: true, core: [0, 0], tied: [true, true] } as const
    const fitted = { shape, params, shells, level: 0, masses: new Float64Array(0), value: 0 }
    const { mean, spread } = momentsOf(fitted)
    expect(sum(1)).toBeCloseTo(mean, 2)
    expect(Math.sqrt(sum(2) - sum(1) ** 2) / spread).toBeCloseTo(1, 1)
  })

  it('is fitted where its likelihood stands still', () => {
    const random = new TestRandom(5)
    const values = Float64Array.from(
      { length: 300 },
      () => random.normal() + (random.uniform() < 0.1 ? 7 : 0),
    )
    const offsets = toOffsets(values, about, 3)
    const best = fitLaw(offsets, shape, params, { unit: 3, tied: [true, true] })
    for (let j = 0; j < params.length; j++) {
      for (const change of [-1e-3, 1e-3]) {
        const moved = best.params.slice()
        moved[j] += change
        // One parameter moved, none fitted: the masses only.
        const there = fitWithin(offsets, shape, moved, best.shells, Number.POSITIVE_INFINITY)
        expect(there.value).toBeLessThanOrEqual(best.value + 1e-9)
      }
    }
    expect(goodProbabilities(best, values).every((p) => p >= 0 && p <= 1)).toBe(true)
  })
})

describe('evidence', () => {
  const chosen = (seed: number, error: (random: TestRandom) => number): ShapeName => {
    const random = new TestRandom(seed)
    const values = Float64Array.from({ length: 400 }, () => error(random))
    return candidates(values, about, NAMES).reduce((a, b) => (b.evidence > a.evidence ? b : a)).shape.name
  }
  it('is for the law that the errors follow', () => {
    expect(chosen(1, (random) => random.normal())).toBe('normal')
    expect(chosen(2, (random) => -Math.log(1 - random.uniform()) - 1)).toMatch(/^skewed/)
    const t4 = (random: TestRandom): number =>
      random.normal() / Math.sqrt([0, 0, 0, 0].reduce((sum) => sum + random.normal() ** 2, 0) / 4)
    expect(chosen(3, t4)).toBe('student')
  })
})

describe('growth', () => {
  it('is seen where scatter follows the prediction, and not where it does not', () => {
    const random = new TestRandom(8)
    const predicted = Float64Array.from({ length: 500 }, () => 5 + 2 * random.normal())
    const all = new Float64Array(500).fill(1)
    const steady = predicted.map(() => random.normal())
    expect(growthOf(steady, predicted, all, false)).toBeUndefined()
    const growing = predicted.map((value) => random.normal() * Math.exp(0.25 * (value - 5)))
    // .25 for each unit is .5 for each standard deviation.
    expect(growthOf(growing, predicted, all, false)?.rate).toBeCloseTo(0.5, 0)
  })
})

describe('numbers of the books', () => {
  it('quantiles of the normal law and of Student’s t', () => {
    expect(normalQuantile(0.05)).toBeCloseTo(1.959964, 6)
    expect(normalQuantile(0.001)).toBeCloseTo(3.290527, 6)
    expect(studentQuantile(0.05, 10)).toBeCloseTo(2.228, 3)
    expect(studentQuantile(0.01, 20)).toBeCloseTo(2.845, 3)
  })

  it('the core of a normal law: 3 scales, and chi-squared in more dimensions', () => {
    expect(coreRadius(tailsOf('normal', 0, 1), 1)).toBe(3)
    // The 99.73 % points of chi-squared with 2 and 5 degrees of freedom: 11.829 and 18.205.
    expect(coreRadius(tailsOf('normal', 0, 2), 2) ** 2).toBeCloseTo(11.829, 0)
    expect(coreRadius(tailsOf('normal', 0, 5), 5) ** 2).toBeCloseTo(18.205, 0)
  })

  it('the likelihood interval of a share', () => {
    const [low, high] = shareInterval(10, 100)
    // Where 10 log p + 90 log(1 - p) is 1.353 below its maximum.
    const value = (p: number): number => 10 * Math.log(p) + 90 * Math.log(1 - p)
    expect(value(low)).toBeCloseTo(value(0.1) - 1.353, 3)
    expect(value(high)).toBeCloseTo(value(0.1) - 1.353, 3)
    expect(shareInterval(0, 50)[0]).toBe(0)
  })

  it('the top of a hill', () => {
    const hill = (at: Float64Array, gradient: Float64Array): number => {
      gradient[0] = -2 * (at[0] - 1) - (at[1] + 2)
      gradient[1] = -4 * (at[1] + 2) - (at[0] - 1)
      return -((at[0] - 1) ** 2) - 2 * (at[1] + 2) ** 2 - (at[0] - 1) * (at[1] + 2)
    }
    const { at } = maximise(hill, Float64Array.of(9, 9), 1e-18)
    expect(at[0]).toBeCloseTo(1, 8)
    expect(at[1]).toBeCloseTo(-2, 8)
  })
})
