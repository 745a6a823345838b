import { describe, expect, it } from 'vitest'
import { normalQuantile } from '../../linalg/quantiles.js'
import { candidates } from './select.js'
import type { ShapeName } from './shape.js'

/** The quantiles of a law: what its errors are like without any chance. */
const quantilesOf = (rows: number, quantile: (p: number) => number): Float64Array =>
  Float64Array.from({ length: rows }, (_, i) => quantile((i + 0.5) / rows))
const uniform = (rows: number): Float64Array => quantilesOf(rows, (p) => 2 * p - 1)
const normal = (rows: number): Float64Array =>
  quantilesOf(rows, (p) => (p < 0.5 ? -normalQuantile(2 * p) : normalQuantile(2 * (1 - p))))

const isTried = (values: Float64Array, degreesOfFreedom: number, names: readonly ShapeName[]): boolean =>
  candidates(values, { dimension: 1, signed: true, degreesOfFreedom }, names).some(
    ({ shape }) => shape.name === 'light',
  )

describe('a law with lighter tails than the normal', () => {
  const either = ['normal', 'light'] as const

  it('is tried where 60 rows beyond the coefficients lie so, and no fewer', () => {
    expect(isTried(uniform(62), 2, either)).toBe(true)
    expect(isTried(uniform(61), 2, either)).toBe(false)
    // Of 60 rows with 25 columns the fit has made the tails.
    expect(isTried(uniform(85), 25, either)).toBe(true)
    expect(isTried(uniform(84), 25, either)).toBe(false)
  })

  it('is not tried where tails are as long as normal ones, however wide', () => {
    for (const unit of [0.5, 1, 2]) {
      expect(
        isTried(
          normal(500).map((value) => unit * value),
          2,
          either,
        ),
      ).toBe(false)
      expect(
        isTried(
          uniform(500).map((value) => unit * value),
          2,
          either,
        ),
      ).toBe(true)
    }
  })

  it('is tried in any case where it is the only one that is allowed', () => {
    expect(isTried(normal(30), 2, ['light'])).toBe(true)
  })
})
