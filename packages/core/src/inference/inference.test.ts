import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draws } from '../random/draws.js'
import { expectClose } from '../testing/close.js'
import { bound, profileBound } from './bound.js'
import { constrain } from './constrained.js'
import { exactEStep } from './exact.js'
import { paperEStep, paperRules } from './paper.js'
import { truncate, truncationThreshold } from './truncate.js'

const loss = fc.integer({ min: -1000, max: 1000 }).map((k) => k / 100)
const someLosses = fc.array(loss, { minLength: 1, maxLength: 60 }).map((list) => Float64Array.from(list))
const mean = (values: Float64Array): number => values.reduce((a, b) => a + b, 0) / values.length

describe('exact E-step', () => {
  it('is the best mean weight of all', () => {
    fc.assert(
      fc.property(someLosses, fc.double({ min: 0, max: 1, noNaN: true }), (losses, other) => {
        const { mean: m } = exactEStep(losses)
        expect(profileBound(losses, m)).toBeGreaterThanOrEqual(profileBound(losses, other) - 1e-9)
      }),
    )
  })

  it('satisfies the stationary point (eq. 11): the weights average to their own mean', () => {
    fc.assert(
      fc.property(someLosses, (losses) => {
        const pi = new Float64Array(losses.length)
        const step = exactEStep(losses, pi)
        fc.pre(step.status === 'interior')
        expectClose(mean(pi), step.mean, 1e-9)
        for (let i = 0; i < pi.length; i++) {
          expectClose(pi[i], 1 / (1 + (step.level / step.mean) * Math.exp(losses[i])), 1e-9)
        }
      }),
    )
  })

  it('mirrors: negated losses exchange good and bad', () => {
    fc.assert(
      fc.property(someLosses, (losses) => {
        const step = exactEStep(losses)
        const mirrored = exactEStep(losses.map((l) => -l))
        const swap = {
          interior: 'interior',
          collapse: 'saturate',
          saturate: 'collapse',
          undetermined: 'undetermined',
        }
        expect(mirrored.status).toBe(swap[step.status])
        if (step.status === 'interior') expectClose(mirrored.mean, step.level, 1e-8)
      }),
    )
  })

  it('counts copies: every loss k times gives the same mean', () => {
    fc.assert(
      fc.property(someLosses, fc.integer({ min: 2, max: 4 }), (losses, k) => {
        const copies = Float64Array.from({ length: k * losses.length }, (_, i) => losses[i % losses.length])
        const once = exactEStep(losses)
        const often = exactEStep(copies)
        fc.pre(once.status === often.status)
        expectClose(often.mean, once.mean, 1e-8)
      }),
    )
  })

  it.each([
    ['one very bad row among good ones', [-1e5, -1e5, -1e5, 1e5], 0.75],
    ['one very good row among bad ones', [-1e5, 1e5, 1e5, 1e5], 0.25],
  ])('holds for losses of 1e5: %s', (_, losses, expected) => {
    const pi = new Float64Array(4)
    expectClose(exactEStep(Float64Array.from(losses), pi).mean, expected, 1e-12)
    expect(Array.from(pi)).toEqual(losses.map((l) => (l < 0 ? 1 : 0)))
  })

  it('keeps the digits of a level near 0', () => {
    // n - 1 certain rows and one bad one: epsilon solves (1 - 1/n) / (1 - eps) = 1 / (n eps), so eps = 1/n.
    const n = 1_000_000
    const losses = new Float64Array(n).fill(-200)
    losses[17] = 200
    expectClose(exactEStep(losses).level, 1e-6, 1e-9)
  })

  it('finds the root of a million losses', () => {
    const losses = Float64Array.from({ length: 1_000_000 }, (_, i) =>
      i % 5 === 0 ? 3 + (i % 7) : -2 + (i % 11) / 5,
    )
    const pi = new Float64Array(losses.length)
    const step = exactEStep(losses, pi)
    expect(step.status).toBe('interior')
    expectClose(mean(pi), step.mean, 1e-10)
  })

  it('says which loss is no number', () => {
    expect(() => exactEStep(Float64Array.of(1, Number.NaN))).toThrow(
      'exactEStep losses: entry 1 must be a finite number, got NaN',
    )
    expect(() => exactEStep(Float64Array.of(Number.POSITIVE_INFINITY))).toThrow('got Infinity')
    expect(() => exactEStep(new Float64Array(0))).toThrow('exactEStep: at least one loss is needed, got 0')
  })
})

describe("the paper's rule", () => {
  it('goes to the exact root when it may', () => {
    fc.assert(
      fc.property(fc.array(loss, { minLength: 2, maxLength: 20 }), (list) => {
        const losses = Float64Array.from(list)
        const exact = exactEStep(losses)
        fc.pre(exact.status === 'interior' && exact.mean > 0.05 && exact.mean < 0.95)
        const rule = { ...paperRules.standard, cap: 100_000, tolerance: 1e-13 }
        expectClose(paperEStep(losses, rule).mean, exact.mean, 1e-5)
      }),
    )
  })

  it('never lowers the bound from one iteration to the next', () => {
    fc.assert(
      fc.property(someLosses, (losses) => {
        let before = Number.NEGATIVE_INFINITY
        for (let cap = 1; cap < 20; cap++) {
          const pi = new Float64Array(losses.length)
          paperEStep(losses, { ...paperRules.standard, cap, tolerance: 0 }, pi)
          const now = bound(losses, pi)
          expect(now).toBeGreaterThanOrEqual(before - 1e-9 * (1 + Math.abs(before)))
          before = now
        }
      }),
    )
  })

  it('refuses a start at which nothing can move', () => {
    const rule = { ...paperRules.standard, start: 1 }
    expect(() => paperEStep(Float64Array.of(1), rule)).toThrow(
      'paperEStep rule.start: a number between 0 and 1 is needed, got 1',
    )
  })
})

describe('constrained step', () => {
  it('meets the number of good rows and keeps the order of the losses', () => {
    fc.assert(
      fc.property(someLosses, fc.double({ min: 0.05, max: 0.95, noNaN: true }), (losses, share) => {
        fc.pre(losses.length > 1)
        const pi = new Float64Array(losses.length)
        const goodRows = share * losses.length
        expect(constrain(losses, goodRows, pi).active).toBe(true)
        expectClose(mean(pi) * losses.length, goodRows, 1e-9)
        const order = Array.from(losses.keys()).sort((a, b) => losses[a] - losses[b])
        for (let k = 1; k < order.length; k++)
          expect(pi[order[k]]).toBeLessThanOrEqual(pi[order[k - 1]] + 1e-12)
      }),
    )
  })

  it('leaves weights that hold the constraint', () => {
    const pi = Float64Array.of(0.9, 0.9, 0.1)
    expect(constrain(Float64Array.of(0, 0, 3), 1.5, pi).active).toBe(false)
    expect(Array.from(pi)).toEqual([0.9, 0.9, 0.1])
  })

  it('refuses more good rows than rows', () => {
    expect(() => constrain(Float64Array.of(0, 1), 2, new Float64Array(2))).toThrow('between 0 and 2, got 2')
  })
})

describe('truncation', () => {
  it('keeps at most the allowed share of the expected corruption, and as many rows as that allows', () => {
    const weights = fc.float64Array({ minLength: 2, maxLength: 50, min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(weights, fc.double({ min: 0.01, max: 0.5, noNaN: true }), (pi, alpha) => {
        const tau = truncationThreshold(pi, alpha)
        const total = pi.reduce((sum, p) => sum + 1 - p, 0)
        const keptAt = (t: number): number => pi.reduce((sum, p) => sum + (p >= t ? 1 - p : 0), 0)
        fc.pre(tau !== undefined && new Set(pi).size === pi.length)
        expect(keptAt(tau!)).toBeLessThanOrEqual(alpha * total + 1e-12)
        const lower = pi.filter((p) => p < tau!)
        if (lower.length > 0) expect(keptAt(Math.max(...lower))).toBeGreaterThan(alpha * total - 1e-12)
      }),
    )
  })

  it.each([
    ['spread', (u: number) => u],
    ['near the ends', (u: number) => (u < 0.5 ? u ** 9 : 1 - (1 - u) ** 9)],
    ['all alike', () => 0.3],
    ['of three values', (u: number) => Math.floor(3 * u) / 2],
  ])('of many weights, %s, is that of all in their order', (_, weight) => {
    const random = draws('truncation', 1)
    for (const alpha of [0.001, 0.05, 0.3, 0.9]) {
      const pi = Float64Array.from({ length: 10_000 }, () => weight(random.uniform(0, 1)))
      const sorted = pi.toSorted().reverse()
      const total = pi.reduce((sum, p) => sum + 1 - p, 0)
      let kept = 0
      const expected = sorted
        .filter((p) => {
          kept += 1 - p
          return kept <= alpha * total
        })
        .at(-1)
      expect(truncationThreshold(pi, alpha)).toBe(expected)
    }
  })

  it('sets what is below to zero', () => {
    const pi = Float64Array.of(0.2, 0.9, 0.5)
    truncate(pi, 0.5)
    expect(Array.from(pi)).toEqual([0, 0.9, 0.5])
  })
})
