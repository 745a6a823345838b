import { describe, expect, it } from 'vitest'
import { RlviError } from '../../errors.js'
import type { Supervised } from '../../likelihoods/likelihood.js'
import { logistic } from '../../likelihoods/logistic.js'
import { poisson } from '../../likelihoods/poisson.js'
import { softmax } from '../../likelihoods/softmax.js'
import { fromRows, matrix, takeRows } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import type { Fit } from '../../result.js'
import { expectClose } from '../../testing/close.js'
import { TestRandom } from '../../testing/random.js'

/** Laws of `fit` for labels and counts, on many small sets. */

type Model = 'logistic' | 'softmax' | 'poisson'
const MODELS: readonly Model[] = ['logistic', 'softmax', 'poisson']

function fitted(model: Model, data: Supervised, seed = 0): Fit<never> {
  const likelihood =
    model === 'logistic' ? logistic() : model === 'softmax' ? softmax({ classes: 3, ridge: 0.01 }) : poisson()
  return fit<Supervised, never>(likelihood as never, data, { seed })
}

const vectorOf = (params: object): number[] =>
  Object.values(params).flatMap((value) =>
    typeof value === 'number'
      ? [value]
      : value instanceof Float64Array
        ? [...value]
        : 'values' in value
          ? [...value.values]
          : [],
  )

/** A small set: features, and a response that follows the first of them but for a tenth of the rows. */
function small(model: Model, seed: number): Supervised {
  const random = new TestRandom(seed)
  const n = 15 + random.below(20)
  const x = matrix(n, 2)
  const y = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    x.values.set([random.normal(), random.normal()], 2 * i)
    const eta = 2 * x.values[2 * i] + random.normal()
    if (model === 'poisson') {
      for (let p = random.uniform(); p > Math.exp(-Math.exp(1 + eta / 4)); y[i]++) p *= random.uniform()
      if (i % 10 === 0) y[i] += 30
    } else if (model === 'logistic') y[i] = eta > 0 === (i % 10 !== 0) ? 1 : 0
    else y[i] = i % 10 === 0 ? random.below(3) : eta > 1 ? 2 : eta > -1 ? 1 : 0
  }
  return { x, y }
}

describe.each(MODELS)('%s, many small sets', (model) => {
  // Softmax takes several times as long as the others.
  const sets = Array.from({ length: model === 'softmax' ? 6 : 14 }, (_, seed) => small(model, 900 + seed))
  const known = new Map<Supervised, Fit<never>>()
  const asItIs = (data: Supervised): Fit<never> => {
    if (!known.has(data)) known.set(data, fitted(model, data))
    return known.get(data)!
  }

  it('the order of rows changes nothing', () => {
    sets.forEach((data, k) => {
      const order = new TestRandom(k).order(data.y.length)
      const a = asItIs(data)
      const b = fitted(model, {
        x: takeRows(data.x, order),
        y: Float64Array.from(order, (i) => data.y[i]),
      })
      expectClose(b.corruption.level!, a.corruption.level!, 1e-5, 1e-6)
      expectClose(
        b.clean,
        Array.from(order, (i) => a.clean[i]),
        1e-4,
        1e-5,
      )
    })
  })

  it('the units of columns change nothing', () => {
    // A ridge of the user's own is in units: leave it out.
    if (model === 'softmax') return
    for (const data of sets) {
      const scaled = {
        x: matrix(
          data.x.rows,
          2,
          data.x.values.map((v, k) => v * (k % 2 === 0 ? 1000 : 0.03)),
        ),
        y: data.y,
      }
      const a = asItIs(data)
      const b = fitted(model, scaled)
      expectClose(b.corruption.level!, a.corruption.level!, 1e-5, 1e-6)
      expectClose(b.clean, a.clean, 1e-4, 1e-5)
    }
  })

  it('the seed changes nothing', () => {
    for (const data of sets.slice(0, 3)) expect(fitted(model, data, 7)).toEqual(asItIs(data))
  })
})

describe.each(MODELS)('%s, degenerate data', (model) => {
  const features: ReadonlyArray<readonly [string, (i: number) => number[]]> = [
    ['a constant', () => [1]],
    ['ties', (i) => [i % 2]],
    ['a trend', (i) => [i]],
    ['1e140', (i) => [1e140 * (i % 3)]],
    ['1e-300', (i) => [1e-300 * i]],
    ['collinear', (i) => [i, 2 * i]],
  ]
  const top = model === 'poisson' ? 1e6 : model === 'logistic' ? 1 : 2
  const responses: ReadonlyArray<readonly [string, (i: number) => number]> = [
    ['all 0', () => 0],
    ['all but one', (i) => (i === 1 ? top : 0)],
    ['alternating', (i) => (i % 2) * Math.min(top, 2)],
  ]
  const sizes = [1, 2, 3, 4, 5, 12]
  it.each(features.flatMap(([a, x]) => responses.map(([b, y]) => [a, b, x, y] as const)))(
    '%s, %s: finite numbers, or an error that says why',
    (_, __, x, y) => {
      for (const n of sizes) {
        const rows = Array.from({ length: n }, (_, i) => i)
        const data = { x: fromRows(rows.map(x)), y: Float64Array.from(rows, y) }
        const { corruption, clean, losses, params, status } = fitted(model, data)
        const [low, high] = corruption.interval ?? [0, 1]
        const numbers = [corruption.level!, low, high, ...clean, ...losses, ...vectorOf(params)]
        expect(numbers.filter((v) => !Number.isFinite(v))).toEqual([])
        expect(corruption.level).toBeGreaterThanOrEqual(0)
        expect(corruption.level).toBeLessThanOrEqual(1)
        expect(['converged', 'degenerate', 'max-iterations']).toContain(status.kind)
      }
    },
  )
})

describe('values whose squares are no numbers', () => {
  it.each(MODELS)('%s: refused', (model) => {
    const data = { x: fromRows([[1e300], [2], [3], [1]]), y: Float64Array.of(0, 1, 1, 0) }
    expect(() => fitted(model, data)).toThrow(RlviError)
  })
})

describe('counts', () => {
  /** Knuth's product: Poisson's law for small means. */
  const poissonDraw = (random: TestRandom, rate: number): number => {
    let count = 0
    for (let p = random.uniform(); p > Math.exp(-rate); count++) p *= random.uniform()
    return count
  }

  it.each([100, 300, 1e9])('one count of %d among fives is bad, and no other', (wild) => {
    const random = new TestRandom(3)
    const x = fromRows(Array.from({ length: 120 }, () => [random.normal()]))
    const y = Float64Array.from(x.values, () => poissonDraw(random, 5))
    y[0] = wild
    const { clean, corruption, params } = fit(poisson(), { x, y })
    expect(clean[0]).toBeLessThan(1e-3)
    expect(clean.filter((c) => c < 0.5)).toHaveLength(1)
    expect(corruption.level).toBeGreaterThan(0.3 / 120)
    // Three standard errors of the log of a mean of 119 fives.
    expect(Math.abs(params.intercept - Math.log(5))).toBeLessThan(3 / Math.sqrt(5 * 119))
  })

  it('calls hardly any Poisson counts overdispersed', () => {
    let overdispersed = 0
    for (let seed = 0; seed < 12; seed++) {
      const random = new TestRandom(60 + seed)
      const x = fromRows(Array.from({ length: 80 }, () => [random.normal()]))
      const y = Float64Array.from(x.values, (v) => poissonDraw(random, Math.exp(1.5 + 0.3 * v)))
      if (fit(poisson(), { x, y }).errors!.name !== 'poisson') overdispersed++
    }
    expect(overdispersed).toBeLessThanOrEqual(2)
  })

  it('finds the dispersion of overdispersed ones, and no bad row', () => {
    // R, MASS: glm.nb(Days ~ Age, quine): coefficients, 1 / theta.
    const { clean, corruption, errors, params } = fit(poisson(), quine())
    expect(errors?.name).toBe('negative-binomial')
    expectClose(errors!.dispersion!, 0.871613, 0.02)
    expectClose(
      [params.intercept, ...params.coefficients],
      [2.698125, -0.28649, 0.348776, 0.277714],
      0.01,
      0.005,
    )
    expect(corruption.interval![0]).toBe(0)
    expect(clean.every((c) => c > 0.5)).toBe(true)
  })

  it('takes the law that it is told', () => {
    const data = quine()
    expect(fit(poisson(), data, { errors: 'poisson' }).errors).toEqual({ name: 'poisson' })
    expect(fit(poisson(), data, { errors: 'negative-binomial' }).errors?.name).toBe('negative-binomial')
    expect(() => fit(poisson(), data, { errors: 'student' })).toThrow(
      'fit errors: the law of counts is auto, poisson or negative-binomial, got "student"',
    )
    const labels = { x: data.x, y: data.y.map((v) => (v > 10 ? 1 : 0)) }
    expect(() => fit(logistic(), labels, { errors: 'poisson' })).toThrow('logistic has no law of errors')
  })

  it('bears more zeros than counts, whose models run off to means without bound', () => {
    for (let seed = 0; seed < 5; seed++) {
      const random = new TestRandom(80 + seed)
      const x = fromRows(Array.from({ length: 100 }, () => [random.normal()]))
      const y = Float64Array.from(x.values, (v, i) =>
        i % 10 < 6 ? 0 : poissonDraw(random, Math.exp(1 + 0.5 * v)),
      )
      const { corruption, clean } = fit(poisson(), { x, y })
      expect([corruption.level!, ...corruption.interval!, ...clean].every(Number.isFinite)).toBe(true)
    }
  })

  it('says so where too many are 0', () => {
    const random = new TestRandom(5)
    const x = fromRows(Array.from({ length: 300 }, () => [random.normal()]))
    const zeros = Float64Array.from(x.values, (_, i) => (i % 5 < 2 ? 0 : poissonDraw(random, 8)))
    expect(fit(poisson(), { x, y: zeros }, { errors: 'poisson' }).cautions).toMatchObject([
      { about: 'zeros' },
    ])
    const few = Float64Array.from(x.values, () => poissonDraw(random, 1.5))
    // Halves of so small counts look like good ones, which is said; nothing is of zeros.
    expect(fit(poisson(), { x, y: few }).cautions).toMatchObject([{ about: 'law' }])
  })

  it('says so too where a negative binomial bends to the zeros, and of its own zeros does not', () => {
    for (let seed = 0; seed < 2; seed++) {
      const random = new TestRandom(40 + seed)
      const x = fromRows(Array.from({ length: 300 }, () => [random.normal()]))
      const inflated = Float64Array.from(x.values, (_, i) => (i % 5 < 2 ? 0 : poissonDraw(random, 4)))
      const found = fit(poisson(), { x, y: inflated })
      expect(found.cautions).toMatchObject([{ about: 'zeros' }])
      // Not as if the zeros were the good counts, and the others bad ones with so many more.
      expect(found.corruption.interval![0]).toBe(0)
      // Rates with an exponential law: a dispersion of 1, and a zero in five.
      const scattered = Float64Array.from(x.values, () =>
        poissonDraw(random, -4 * Math.log(random.uniform())),
      )
      const about = fit(poisson(), { x, y: scattered }).cautions?.map((caution) => caution.about)
      expect(about ?? []).not.toContain('zeros')
    }
  })
})

describe('labels', () => {
  it('the level does not depend on the ridge, and so does not jump with it', () => {
    const data = small('logistic', 77)
    const levels = [1e-5, 3e-5, 1e-4, 1e-2].map((ridge) => fit(logistic({ ridge }), data).corruption.level!)
    for (const level of levels) expectClose(level, levels[0], 1e-3, 1e-4)
  })

  it('few rows for many coefficients are cautioned of', () => {
    const random = new TestRandom(8)
    const x = matrix(
      60,
      12,
      Float64Array.from({ length: 720 }, () => random.normal()),
    )
    const y = Float64Array.from({ length: 60 }, (_, i) => (x.values[12 * i] + random.normal() > 0 ? 1 : 0))
    expect(fit(logistic(), { x, y }).cautions).toMatchObject([{ about: 'features' }])
  })

  it('by cross-fitting: the level is in its interval, and has none where rows are too few to tell', () => {
    const flipped = (n: number, d: number): Supervised => {
      const random = new TestRandom(n + d)
      const x = matrix(
        n,
        d,
        Float64Array.from({ length: n * d }, () => random.normal()),
      )
      // One label in ten is wrong.
      const y = Float64Array.from({ length: n }, (_, i) => {
        const right = x.values[d * i] + x.values[d * i + 1] > 0
        return right === (i % 10 !== 0) ? 1 : 0
      })
      return { x, y }
    }
    const many = fit(logistic(), flipped(1500, 100))
    const [low, high] = many.corruption.interval!
    expect(low).toBeLessThan(0.1)
    expect(high).toBeGreaterThan(0.1)
    expect(low).toBeGreaterThan(0)
    const few = fit(logistic(), flipped(600, 150))
    expect(few.corruption.interval).toBeUndefined()
    expect(few.cautions?.[0].message).toMatch('cannot be told')
  })
})

/** Days of absence from school by age group: R, MASS::quine. */
function quine(): Supervised {
  const days = [
    2, 11, 14, 5, 5, 13, 20, 22, 6, 6, 15, 7, 14, 6, 32, 53, 57, 14, 16, 16, 17, 40, 43, 46, 8, 23, 23, 28,
    34, 36, 38, 3, 5, 11, 24, 45, 5, 6, 6, 9, 13, 23, 25, 32, 53, 54, 5, 5, 11, 17, 19, 8, 13, 14, 20, 47, 48,
    60, 81, 2, 0, 2, 3, 5, 10, 14, 21, 36, 40, 6, 17, 67, 0, 0, 2, 7, 11, 12, 0, 0, 5, 5, 5, 11, 17, 3, 4, 22,
    30, 36, 8, 0, 1, 5, 7, 16, 27, 0, 30, 10, 14, 27, 41, 69, 25, 10, 11, 20, 33, 5, 7, 0, 1, 5, 5, 5, 5, 7,
    11, 15, 5, 14, 6, 6, 7, 28, 0, 5, 14, 2, 2, 3, 8, 10, 12, 1, 1, 9, 22, 3, 3, 5, 15, 18, 22, 37,
  ]
  const age =
    '00000000111112222222222233333330000011111111111111122222222233333333300000000011111111122222222223333333000001111111111111111122222222223333333333'
  return {
    x: fromRows(Array.from(age, (a) => [1, 2, 3].map((k) => (Number(a) === k ? 1 : 0)))),
    y: Float64Array.from(days),
  }
}
