import { describe, expect, it } from 'vitest'
import { draws } from '../../random/draws.js'
import { type Bend, bent, bestBend, logSlope, POWERS } from './bend.js'

const columns = {
  lognormal: (z: number) => Math.exp(z),
  exponential: (_z: number, u: number) => -Math.log(u),
  mirrored: (z: number) => -Math.exp(0.5 * z),
}

function column(name: keyof typeof columns, rows = 2000): Float64Array {
  const random = draws('bend', name)
  return Float64Array.from({ length: rows }, () => columns[name](random.normal(), random.uniform(0, 1)))
}

const skewness = (values: Float64Array): number => {
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length
  const moment = (k: number): number => values.reduce((sum, v) => sum + (v - mean) ** k, 0) / values.length
  return moment(3) / moment(2) ** 1.5
}

const best = (values: Float64Array, power: number): { bend: Bend; gain: number } =>
  bestBend(values, new Float64Array(values.length).fill(1), power)!

describe.each(POWERS)('a curve of power %s', (power) => {
  it.each([0.7, -0.7])('with g = %s rises everywhere, by the slope that it says', (g) => {
    const bend = { middle: 3, unit: 2, g, power, end: 0.2 }
    expect(bent(bend, 3)).toBe(3)
    expect(logSlope(bend, 3)).toBeCloseTo(0)
    for (let value = -20; value <= 20; value += 0.37) {
      const slope = (bent(bend, value + 1e-6) - bent(bend, value - 1e-6)) / 2e-6
      expect(Math.log(slope)).toBeCloseTo(logSlope(bend, value), 5)
    }
  })

  it.each(Object.keys(columns) as (keyof typeof columns)[])(
    'takes most skewness out of a %s column',
    (name) => {
      const values = column(name)
      const { bend, gain } = best(values, power)
      expect(gain).toBeGreaterThan(50)
      const left = Math.abs(skewness(values.map((value) => bent(bend, value))))
      expect(left).toBeLessThan(0.2 * Math.abs(skewness(values)))
    },
  )

  it('does not depend on units, nor on which way is up', () => {
    const values = column('lognormal', 300)
    const { bend, gain } = best(values, power)
    const other = best(
      values.map((value) => 7 - 3 * value),
      power,
    )
    expect(other.bend.g).toBeCloseTo(-bend.g, 6)
    expect(other.gain).toBeCloseTo(gain, 6)
  })
})

it('the logarithm of a lognormal column is as likely as can be: the column is that of its law', () => {
  const values = column('lognormal')
  // log(x) has slope 1/x: the gain over the plain column, by hand.
  const spread = (v: Float64Array): number => {
    const mean = v.reduce((sum, x) => sum + x, 0) / v.length
    return Math.sqrt(v.reduce((sum, x) => sum + (x - mean) ** 2, 0) / v.length)
  }
  const logs = values.map(Math.log)
  const exact = -logs.reduce((sum, x) => sum + x, 0) - values.length * Math.log(spread(logs) / spread(values))
  expect(best(values, 0).gain).toBeGreaterThan(exact - 3)
  expect(best(values, 0).gain).toBeLessThan(exact + 6)
})

it('values that pile up have no curve', () => {
  const values = column('lognormal', 100).map((value, i) => (i < 20 ? 0 : value))
  expect(bestBend(values, new Float64Array(100).fill(1), 0)).toBeUndefined()
})
