import { describe, expect, it } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { matrix } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { draws } from '../../random/draws.js'
import { filledValue } from './filled-in.js'

const drawn = (n: number, value: (random: ReturnType<typeof draws>) => number): Float64Array => {
  const random = draws('filled in', n)
  return Float64Array.from({ length: n }, () => value(random))
}
const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length
/** The first rows have one value in place of their own. */
const filled = (values: Float64Array, rows: number, by?: number): Float64Array =>
  values.slice().fill(by ?? mean(values.subarray(rows)), 0, rows)
/** y = 5 + 2 a - b and an error. */
function tableOf(a: Float64Array, given: Float64Array) {
  const random = draws('filled in, others', a.length)
  const x = matrix(a.length, 2)
  const y = a.map((value, i) => {
    const b = random.normal()
    x.values.set([given[i], b], 2 * i)
    return 5 + 2 * value - b + random.normal()
  })
  return { x, y }
}
const told = (data: ReturnType<typeof tableOf>) => {
  const { cautions, corruption } = fit(linear(), data)
  return { caution: cautions?.find(({ message }) => message.includes('filled in')), ...corruption }
}

describe('the value that missing ones were filled in by', () => {
  const normal = drawn(200, (random) => random.normal())
  const ages = drawn(200, (random) => Math.round(30 + 12 * random.normal()))

  it('is one that comes far more often than all others, amid them', () => {
    expect(filledValue(filled(normal, 10, 0))).toBe(0)
    expect(filledValue(filled(normal, 10, 0).reverse())).toBe(0)
  })

  it('is the mean of all others, though whole numbers come as often', () => {
    const given = filled(ages, 6)
    expect(filledValue(given)).toBe(given[0])
    expect(filledValue(given.map((age) => 365.25 * age))).toBe(365.25 * given[0])
  })

  it('is none where nothing was filled in', () => {
    expect(filledValue(normal)).toBeUndefined()
    expect(filledValue(ages)).toBeUndefined()
  })

  it('is none at an end, where zeros of amounts and limits are', () => {
    const amounts = normal.map((value) => Math.max(0, value))
    expect(filledValue(amounts.map((value, i) => (i % 2 ? value : Math.abs(value))))).toBeUndefined()
  })

  it('is not the middle of a design that was planned', () => {
    expect(filledValue(Float64Array.from({ length: 210 }, (_, i) => i % 21))).toBeUndefined()
  })
})

describe('a feature that was filled in by its mean', () => {
  const a = drawn(200, (random) => random.normal())

  // Before: "0 %, 0 to 1 %" without a word, since rows at the mean have no leverage.
  it('is told with its value, and the interval holds the share of its rows', () => {
    const { caution, interval } = told(tableOf(a, filled(a, 20)))
    expect(caution).toMatchObject({ about: 'ties', column: 0, values: [mean(a.subarray(20))] })
    expect(interval![1]).toBeGreaterThanOrEqual(0.1)
  })

  it('is not told where residuals show that the value was measured', () => {
    // Changes, of which some are 0.
    const changes = drawn(400, (random) => (random.uniform(0, 1) < 0.2 ? 0 : random.normal()))
    expect(filledValue(changes)).toBe(0)
    expect(told(tableOf(changes, changes)).caution).toBeUndefined()
  })
})
