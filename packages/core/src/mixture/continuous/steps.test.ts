import { describe, expect, it } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { type Matrix, matrix } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { TestRandom } from '../../testing/random.js'
import { spreadOverSteps } from './steps.js'

interface Answers {
  readonly x: Matrix
  readonly y: Float64Array
  readonly bad: readonly boolean[]
}

/** Whole numbers about 5, 9, 13 and 17, by a category, with an error of 0.6; every `bad`-th is 8 too low. */
function answers(seed: number, n: number, bad = Number.POSITIVE_INFINITY): Answers {
  const random = new TestRandom(seed)
  const x = matrix(n, 3)
  const y = Float64Array.from({ length: n }, (_, i) => {
    const group = i % 4
    if (group > 0) x.values[3 * i + group - 1] = 1
    return Math.round(5 + 4 * group + 0.6 * random.normal()) - (isBad(i, bad) ? 8 : 0)
  })
  return { x, y, bad: Array.from(y, (_, i) => isBad(i, bad)) }
}
const isBad = (i: number, every: number): boolean => i % every === every - 1

describe('whole numbers by category, of which more than half are the same in each', () => {
  it.each([1, 2, 3])('clean ones are good, and the interval holds 0 (%i)', (seed) => {
    const { clean, corruption, status } = fit(linear(), answers(seed, 400))
    expect(status.kind).toBe('converged')
    expect(clean.every((p) => p > 0.5)).toBe(true)
    expect(corruption.interval?.[0]).toBe(0)
    expect(corruption.interval?.[1]).toBeLessThan(0.05)
  })

  it.each([1, 2, 3])('the bad ones are found, and what the others say (%i)', (seed) => {
    const { bad, ...data } = answers(seed, 400, 15)
    const { clean, corruption, params, standardErrors, cautions } = fit(linear(), data)
    expect(Array.from(clean, (p) => p < 0.5)).toEqual(bad)
    const share = bad.filter(Boolean).length / bad.length
    expect(corruption.interval?.[0]).toBeLessThanOrEqual(share)
    expect(corruption.interval?.[1]).toBeGreaterThanOrEqual(share)
    const { coefficients } = standardErrors as { coefficients: Float64Array }
    for (const [k, truth] of [4, 8, 12].entries())
      expect(Math.abs(params.coefficients[k] - truth)).toBeLessThan(4 * coefficients[k])
    expect(cautions?.[0]).toMatchObject({
      about: 'ties',
      message: expect.stringMatching(/^responses are steps of 1,/),
    })
  })

  it('neither the order of rows nor units change anything', () => {
    const { x, y } = answers(4, 200, 11)
    const there = fit(linear(), { x, y })
    const back = { x: matrix(x.rows, x.cols, x.values.toReversed()), y: y.toReversed() }
    // Features from the last to the first, too.
    const other = fit(linear(), { ...back, y: back.y.map((value) => 7 * value) })
    const error = there.clean.map((p, i) => Math.abs(p - other.clean[x.rows - 1 - i]))
    expect(Math.max(...error)).toBeLessThan(1e-6)
    expect(other.corruption.level).toBeCloseTo(there.corruption.level!, 6)
  })
})

describe('spreading', () => {
  it('keeps every response within its step, and what is symmetric in the middle', () => {
    const { x, y } = answers(5, 400)
    const spread = spreadOverSteps({ x, y })!
    expect(spread.step).toBe(1)
    spread.y.forEach((value, i) => {
      expect(Math.abs(value - y[i])).toBeLessThan(0.5)
    })
    const even = {
      x: matrix(60, 0),
      y: Float64Array.from({ length: 60 }, (_, i) => [0, 1, 1, 1, 2, 1][i % 6]),
    }
    const sum = spreadOverSteps(even)!.y.reduce((a, b) => a + b, 0)
    expect(sum).toBeCloseTo(60, 9)
  })

  it('is not for prices by article of which some are wrong, nor for features that differ, nor for numbers that are no steps', () => {
    const { x, y } = answers(6, 400)
    const prices = y.map((_, i) => (i % 10 === 0 ? (i * 7) % 100 : 5 + 4 * (i % 4)))
    expect(spreadOverSteps({ x, y: prices })).toBeUndefined()
    expect(spreadOverSteps({ x: { ...x, values: x.values.map((value, i) => value + i) }, y })).toBeUndefined()
    expect(spreadOverSteps({ x, y: y.map((value, i) => value + (i % 2) * Math.SQRT1_2) })).toBeUndefined()
  })
})
