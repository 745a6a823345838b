import { describe, expect, test } from 'vitest'
import { linear } from '../likelihoods/linear.js'
import { matrix } from '../matrix.js'
import { type Draws, draws } from '../random/draws.js'
import { fit } from './fit.js'

/** Responses of which many are one value, by what is expected of them. */
const kinds: Readonly<Record<string, (random: Draws, expected: number) => number>> = {
  'rounded, none below 0': (random, e) => Math.max(0, Math.round(1 + e + 2 * random.normal())),
  'rounded, none below 1': (random, e) => Math.max(1, Math.round(1 + e + 2 * random.normal())),
  'cut off at 0': (random, e) => Math.max(0, e + 2 * random.normal()),
  'cut off at 10': (random, e) => Math.min(10, 10.3 + e + 2 * random.normal()),
  'half 0, the others a line without errors': (random, e) => (random.uniform(0, 1) < 0.5 ? 0 : 1 + e),
  '3 in 10 are 0': (random, e) => (random.uniform(0, 1) < 0.3 ? 0 : 3 + e + random.normal()),
  '7 in 10 are 0': (random, e) => (random.uniform(0, 1) < 0.7 ? 0 : 3 + e + random.normal()),
  'half are 7': (random, e) => (random.uniform(0, 1) < 0.5 ? 7 : 3 + e + random.normal()),
}

function fitted(kind: string, n: number, d: number, ...key: (string | number)[]) {
  const random = draws(...key)
  const x = matrix(n, d)
  const y = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    let sum = 0
    for (let j = 0; j < d; j++) sum += x.values[i * d + j] = random.normal()
    y[i] = kinds[kind]!(random, sum / Math.sqrt(d))
  }
  return { y, ...fit(linear(), { x, y }) }
}

describe('a response that stands out by repeating', () => {
  /** Some of the rows of a line with errors have one value, which lies among the others; all are rounded to such a digit. */
  const stuck = (share: number, digit: number, set: number) => {
    const random = draws('stuck', set)
    const n = 400
    const x = matrix(n, 1)
    const y = Float64Array.from({ length: n }, (_, i) => {
      x.values[i] = random.normal()
      const own = Math.round((20 + 3 * x.values[i]! + random.normal()) / digit) * digit
      return i < share * n ? 21 : own
    })
    return fit(linear(), { x, y })
  }
  const isTold = ({ cautions }: ReturnType<typeof stuck>): boolean =>
    cautions?.some(({ about, message }) => about === 'ties' && message.includes('are 21,')) ?? false

  test.each([0.05, 0.1, 0.15])('is told, and the interval holds all of its rows (a share of %d)', (share) => {
    for (const set of [1, 2, 3]) {
      const found = stuck(share, 1e-3, set)
      expect(isTold(found)).toBe(true)
      const [low, high] = found.corruption.interval!
      expect(low).toBeLessThanOrEqual(share)
      expect(high).toBeGreaterThanOrEqual(share)
    }
  })

  test('is none where nothing is stuck, nor where values are rounded so far that all repeat', () => {
    for (const set of [1, 2, 3]) {
      expect(isTold(stuck(0, 1e-3, set))).toBe(false)
      expect(isTold(stuck(0, 0.5, set))).toBe(false)
    }
  })
})

describe('responses of which many are one value', () => {
  // Sets that ended in an error once: rows of that value were the only ones left, and then none.
  test.each([1, 6, 8])('rounded ones, half of them 0, are fitted (set %i)', (set) => {
    const { params, status, corruption, clean } = fitted(
      'rounded, none below 0',
      120,
      1,
      'creep',
      'zeros',
      set,
    )
    expect(status.kind).toBe('converged')
    expect(corruption.interval![0]).toBe(0)
    // The slope of the expected value of max(0, 1 + a + 2 z) is P(1 + a + 2 z > 0), about two thirds; of the value that repeats it is 0.
    expect(params.coefficients[0]).toBeGreaterThan(0.3)
    expect(clean.every((p) => p >= 0 && p <= 1)).toBe(true)
  })

  test('answers on a scale of five steps are no exact fit of one of them', () => {
    // 44 % are 3: a line of slope 0 passes through these rows.
    const random = draws('survey', 'likert', 1000, 1, 0)
    const x = matrix(1000, 1)
    const y = new Float64Array(1000)
    for (let i = 0; i < 1000; i++) {
      x.values[i] = random.normal()
      y[i] = Math.max(1, Math.min(5, Math.round(3 + 0.5 * x.values[i]! + 0.8 * random.normal())))
    }
    const { status, params, corruption } = fit(linear(), { x, y })
    expect(status.kind).toBe('converged')
    expect(corruption.interval![0]).toBe(0)
    // Four standard errors of .8 / sqrt(1000), and a little for what the ends of the scale take.
    expect(Math.abs(params.coefficients[0]! - 0.5)).toBeLessThan(0.12)
  })

  test.each(Object.keys(kinds))(
    '%s: no error, finite numbers, a caution, and an interval that holds 0',
    (kind) => {
      for (const [n, d] of [
        [30, 1],
        [60, 3],
        [120, 1],
      ] as const) {
        const { y, params, status, corruption, cautions, clean } = fitted(kind, n, d, 'ties', kind, n, d)
        const where = `${n} x ${d}`
        expect(status.kind, where).toBe('converged')
        for (const value of [params.intercept, params.scale, ...params.coefficients, ...clean])
          expect(Number.isFinite(value), where).toBe(true)
        const most = Math.max(...[...new Set(y)].map((value) => y.filter((other) => other === value).length))
        // The documented limits: a fifth of the rows, of a scale of fewer than 8 steps 45 %.
        if (most <= (new Set(y).size < 8 ? 0.45 : 0.2) * n) continue
        expect(
          cautions?.some(({ about }) => about === 'ties' || about === 'zeros'),
          where,
        ).toBe(true)
        expect(corruption.interval![0], where).toBe(0)
        expect(corruption.interval![1], where).toBeGreaterThanOrEqual(Math.min(most / n, 0.5))
      }
    },
  )
})
