import { describe, expect, it } from 'vitest'
import { covariance } from '../../likelihoods/covariance.js'
import type { Supervised } from '../../likelihoods/likelihood.js'
import { linear } from '../../likelihoods/linear.js'
import { poisson } from '../../likelihoods/poisson.js'
import { matrix } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { memoryBlocks } from '../../passes/blocks.js'
import { calibratedByPasses } from '../../passes/calibrated.js'
import { inBlocks } from '../../passes/in-blocks.js'
import { passModels } from '../../passes/models.js'
import { weigh } from '../../passes/weigh.js'
import { type Draws, draws } from '../../random/draws.js'
import type { BadFrom } from '../../result.js'
import { thinnedRows } from '../shared/thinned.js'

type Errors = (random: Draws) => number

const LAWS: Readonly<Record<string, Errors>> = {
  normal: (random) => random.normal(),
  skewed: (random) => -Math.log(random.uniform(0, 1)) - 1,
}

/** A line with errors of a law; some rows are 6 to 20 off. */
function line(n: number, share: number, law: string, run: number): Supervised {
  const random = draws('bad-from', n, share, law, run)
  const x = matrix(n, 1)
  const y = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    x.values[i] = random.normal()
    const off = i < share * n ? (i % 2 === 0 ? 1 : -1) * random.uniform(6, 20) : 0
    y[i] = 1 + 2 * x.values[i] + LAWS[law](random) + off
  }
  return { x, y }
}

function withRow({ x, y }: Supervised, value: number): Supervised {
  return { x: matrix(x.rows + 1, 1, Float64Array.of(...x.values, 0)), y: Float64Array.of(...y, value) }
}

const sides = (badFrom: BadFrom | undefined) => badFrom as { above: number; below: number; at?: number }

describe('from where on rows are bad', () => {
  it.each([
    [100, 0, 'normal'],
    [200, 0.1, 'normal'],
  ])('a new row of %i, %d bad, %s: bad beyond, good within', (n, share, law) => {
    const data = line(n, share, law, 1)
    const { params, badFrom } = fit(linear(), data)
    const { above, below } = sides(badFrom)
    // The row moves the fit that judges it, and the law is one of few rows: a quarter beyond and within.
    const goodAt = (off: number): number => fit(linear(), withRow(data, params.intercept + off)).clean[n]
    for (const far of [above, -below]) {
      expect(goodAt(1.25 * far)).toBeLessThan(0.5)
      expect(goodAt(0.75 * far)).toBeGreaterThan(0.5)
    }
  })

  it('is where rows of the fit are told apart', () => {
    const data = line(200, 0.1, 'normal', 4)
    const { params, badFrom, clean } = fit(linear(), data)
    const { above, below } = sides(badFrom)
    const told = data.y.map((y, i) => {
      const off = y - params.intercept - params.coefficients[0] * data.x.values[i]
      return off > above || off < -below ? 1 : 0
    })
    expect(told).toEqual(clean.map((p) => (p < 0.5 ? 1 : 0)))
  })

  it('is farther on the long side of skewed errors', () => {
    const { above, below } = sides(fit(linear(), line(200, 0.1, 'skewed', 2)).badFrom)
    expect(above).toBeGreaterThan(below)
  })

  it('goes with units, and not with the order of rows', () => {
    for (const law of ['normal', 'skewed']) {
      const data = line(100, 0.1, law, 2)
      const { above, below } = sides(fit(linear(), data).badFrom)
      const times = sides(fit(linear(), { ...data, y: data.y.map((y) => 3 * y) }).badFrom)
      expect(times.above / above).toBeCloseTo(3, 6)
      expect(times.below / below).toBeCloseTo(3, 6)
      const reversed = { x: matrix(100, 1, data.x.values.toReversed()), y: data.y.toReversed() }
      expect(sides(fit(linear(), reversed).badFrom).above).toBeCloseTo(above, 6)
    }
  })

  it('of rows by passes is where their own rule has P(good) at a half', async () => {
    const data = line(9000, 0.1, 'normal', 3)
    const model = passModels.linear()
    const sample = thinnedRows(9000, 3000)
    const some = {
      x: matrix(
        sample.length,
        1,
        Float64Array.from(sample, (i) => data.x.values[i]),
      ),
      y: Float64Array.from(sample, (i) => data.y[i]),
    }
    const found = await calibratedByPasses(model, inBlocks(model, memoryBlocks(model, data)), some, {})
    const { above, below } = sides(found.badFrom)
    const { intercept } = found.params
    const at = (off: number): number =>
      weigh(model, { x: matrix(1, 1), y: Float64Array.of(intercept + off) }, found.clean)[0]
    expect(at(1.001 * above)).toBeLessThan(0.5)
    expect(at(0.999 * above)).toBeGreaterThan(0.5)
    expect(at(-1.001 * below)).toBeLessThan(0.5)
    expect(at(-0.999 * below)).toBeGreaterThan(0.5)
  })

  it('of rows without a response is a distance that columns of other units do not change', () => {
    const random = draws('bad-from', 'columns')
    const x = matrix(200, 2)
    for (let i = 0; i < x.values.length; i++) x.values[i] = random.normal() + (i < 40 ? 15 : 0)
    const { distance } = fit(covariance(), { x }).badFrom as { distance: number }
    const scaled = matrix(
      200,
      2,
      x.values.map((value, i) => (i % 2 === 0 ? 100 * value : value)),
    )
    expect((fit(covariance(), { x: scaled }).badFrom as { distance: number }).distance).toBeCloseTo(
      distance,
      6,
    )
    // All but 27 in 10,000 good rows lie within 3.44 standard deviations; bad ones are 21 off.
    expect(distance).toBeGreaterThan(2.5)
    expect(distance).toBeLessThan(21)
  })
})

describe('from where on counts are bad', () => {
  it.each([5, 50])('a new count where the mean is about %i: bad beyond, good within', (mean) => {
    const random = draws('bad-counts', mean)
    const n = 150
    const x = matrix(n, 1)
    const y = new Float64Array(n)
    for (let i = 0; i < n; i++) {
      x.values[i] = random.uniform(-1, 1)
      y[i] = random.binomial(1000, (mean * Math.exp(0.2 * x.values[i])) / 1000)
    }
    const { params, badFrom } = fit(poisson(), { x, y })
    const { above, below, at } = sides(badFrom)
    const place = (Math.log(at!) - params.intercept) / params.coefficients[0]
    const goodAt = (count: number): number =>
      fit(poisson(), {
        x: matrix(n + 1, 1, Float64Array.of(...x.values, place)),
        y: Float64Array.of(...y, Math.max(0, Math.round(count))),
      }).clean[n]
    expect(goodAt(at! + 1.25 * above)).toBeLessThan(0.5)
    expect(goodAt(at! + 0.75 * above)).toBeGreaterThan(0.5)
    // Few counts of a small mean are no reason for doubt.
    if (below === undefined) expect(goodAt(0)).toBeGreaterThan(0.5)
    else expect(goodAt(at! - 0.75 * below)).toBeGreaterThan(0.5)
  })
})
