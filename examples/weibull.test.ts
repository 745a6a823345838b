import { fit, ml, paper, RlviError, rrm, sever } from 'rlvi'
import { likelihoodLaws } from 'rlvi/laws'
import { type Draws, draws } from 'rlvi/random'
import { describe, expect, it } from 'vitest'
import { type Lifetimes, weibull } from './weibull.js'

/** Shape 2, scale 1000; the share that is bad could be anything from 1 to 1,000,000. */
function lifetimes(random: Draws, n: number, bad: number): Lifetimes {
  const hours = (): number => 1000 * Math.sqrt(-Math.log(1 - random.uniform(0, 1)))
  return {
    times: Float64Array.from({ length: n }, (_, i) =>
      i < bad * n ? 10 ** (6 * random.uniform(0, 1)) : hours(),
    ),
  }
}

const laws = likelihoodLaws(weibull, {
  sample: (random) => lifetimes(random, 60, 0.1),
  take: weibull.take,
  free: weibull.vector,
  withFree: (p, free) => ({ ...p, shape: free[0], scale: free[1] }),
  gradientsByFree: true,
})

describe('weibull obeys the laws of likelihoods', () => {
  for (const law of laws) it(law.name, law.check)
})

describe('a likelihood of one’s own', () => {
  it('is fitted robustly by calibrated, with the share of bad rows', () => {
    const data = lifetimes(draws('weibull', 3), 500, 0.2)
    const plain = ml(weibull, data)
    const robust = fit(weibull, data)
    // 400 good rows tell the shape of 2 to about .08, the scale of 1000 to about 26, the level to about .02.
    expect(plain.params.shape).toBeLessThan(1)
    expect(Math.abs(robust.params.shape - 2)).toBeLessThan(0.4)
    expect(Math.abs(robust.params.scale / 1000 - 1)).toBeLessThan(0.13)
    expect(Math.abs(robust.corruption.level! - 0.2)).toBeLessThan(0.08)
  })

  it('a method that cannot use it says so, and the rivals can', () => {
    const data = lifetimes(draws('weibull', 3), 200, 0.1)
    // A density can be made as large as one likes on a few equal times: the paper's method shrinks onto them.
    expect(paper(weibull, data).status.kind).toBe('degenerate')
    for (const { params } of [sever(weibull, data, { assumed: 0.2 }), rrm(weibull, data, { assumed: 0.2 })]) {
      expect(params.shape).toBeGreaterThan(ml(weibull, data).params.shape)
    }
  })

  it('does not depend on the unit of time', () => {
    const data = lifetimes(draws('weibull', 4), 200, 0.1)
    const seconds = fit(weibull, { times: data.times.map((t) => 3600 * t) })
    const hours = fit(weibull, data)
    expect(seconds.params.shape / hours.params.shape).toBeCloseTo(1, 6)
    expect(seconds.params.scale / 3600 / hours.params.scale).toBeCloseTo(1, 6)
    expect(seconds.corruption.level).toBeCloseTo(hours.corruption.level!, 6)
  })

  it('gives standard errors: those of textbooks where no row is bad', () => {
    const data = lifetimes(draws('weibull', 5), 2000, 0)
    const { params, standardErrors } = fit(weibull, data)
    // The asymptotic standard error of a Weibull shape is .7797 shape / sqrt(n), that of its scale 1.053 scale / (shape sqrt(n)).
    expect(standardErrors!.shape / ((0.7797 * params.shape) / Math.sqrt(2000))).toBeCloseTo(1, 1)
    expect(standardErrors!.scale / ((1.053 * params.scale) / params.shape / Math.sqrt(2000))).toBeCloseTo(
      1,
      1,
    )
  })

  it('tells bad input, and data without spread, by name', () => {
    expect(() => ml(weibull, { times: Float64Array.of(1, 0) })).toThrow(RlviError)
    expect(() => ml(weibull, { times: Float64Array.of(1, 0) })).toThrow('times[1]: a time must be positive')
    const same = ml(weibull, { times: new Float64Array(9).fill(7) })
    expect(same.status).toMatchObject({ kind: 'degenerate', reason: 'exact-fit' })
  })
})
