import { describe, expect, it } from 'vitest'
import { covariance } from '../likelihoods/covariance.js'
import { mean } from '../likelihoods/mean.js'
import { type Matrix, matrix } from '../matrix.js'
import { draws } from '../random/draws.js'
import { fit } from './fit.js'

const RUNS = 3

/** An exponential column; the first rows are bad: anywhere within 20 to either side. */
function column(rows: number, bad: number, run: number): Matrix {
  const random = draws('one-column', rows, bad, run)
  return matrix(
    rows,
    1,
    Float64Array.from({ length: rows }, (_, i) =>
      i < bad ? random.uniform(-20, 20) : -Math.log(random.uniform(0, 1)),
    ),
  )
}

describe('one skewed column', () => {
  it.each([
    ['mean', 40, (x: Matrix) => fit(mean(), { x })],
    ['covariance', 10, (x: Matrix) => fit(covariance(), { x })],
  ] as const)('to %s: the interval holds the share of %i bad rows in 200', (_name, bad, fitted) => {
    const held = Array.from({ length: RUNS }, (_, run) => {
      const [low, high] = fitted(column(200, bad, run)).corruption.interval!
      return low <= bad / 200 && bad / 200 <= high
    })
    // A curve that draws in the long tail calls half of the bad rows good.
    expect(held).toEqual([true, true, true])
  })

  it('has the mean of its good rows, and says in what way it is skewed', () => {
    const { params, errors, clean } = fit(mean(), { x: column(200, 40, 0) })
    // Four standard errors of 160 rows of variance 1, and of what hides among them.
    expect(Math.abs(params.mean[0] - 1)).toBeLessThan(4 / Math.sqrt(160))
    expect(errors!.name).toBe('skewed')
    expect(clean.subarray(40).filter((p) => p < 0.5).length).toBeLessThanOrEqual(10)
  })

  it('without bad rows is clean', () => {
    for (let run = 0; run < RUNS; run++)
      expect(fit(mean(), { x: column(200, 0, run) }).corruption.interval![0]).toBe(0)
  })
})
