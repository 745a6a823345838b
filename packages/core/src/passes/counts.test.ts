import { describe, expect, it } from 'vitest'
import { linearPredictor } from '../kernels/gram.js'
import type { CountLikelihood } from '../likelihoods/counts.js'
import type { LinearParams, Supervised } from '../likelihoods/likelihood.js'
import { poisson } from '../likelihoods/poisson.js'
import { matrix } from '../matrix.js'
import { fit } from '../methods/fit.js'
import { nextDispersion } from '../mixture/discrete/counts/counts.js'
import { type CoreShape, fitProportions } from '../mixture/discrete/counts/proportions.js'
import { firstEdge, shellsOf } from '../mixture/discrete/counts/shells.js'
import { expectClose } from '../testing/close.js'
import { TestRandom } from '../testing/random.js'
import { memoryBlocks } from './blocks.js'
import { calibratedByPasses } from './calibrated.js'
import { inBlocks } from './in-blocks.js'
import { fitByPasses } from './m-step.js'
import { passModels } from './models.js'
import { shellShares } from './shell-shares.js'
import { weigh } from './weigh.js'

/** Counts about e^(1 + x/2), one in nine of them far off. */
function counts(n: number): Supervised {
  const random = new TestRandom(11)
  const x = matrix(n, 2)
  const y = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    x.values[2 * i] = random.normal()
    x.values[2 * i + 1] = random.normal() + 3
    const mean = Math.exp(1 + 0.5 * x.values[2 * i])
    y[i] =
      i % 9 === 4
        ? 40 + random.below(3000)
        : Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()))
  }
  return { x, y }
}

const data = counts(900)
const params: LinearParams = { intercept: 0.9, coefficients: Float64Array.of(0.45, 0.02) }
const model = passModels.poisson()
const rows = inBlocks(model, memoryBlocks(model, data, 128))
const cores: readonly CoreShape[] = [
  { height: 0, reach: 'all' },
  { height: 1, reach: 'mean' },
  { height: 3, reach: 'all' },
]

describe.each([0, 0.3])('counts of dispersion %s by passes', (dispersion) => {
  const law: CountLikelihood = poisson().withDispersion(dispersion)
  const eta = new Float64Array(data.x.rows)
  linearPredictor(data.x, params.intercept, params.coefficients, eta)
  const least = firstEdge(eta, dispersion)
  const losses = new Float64Array(data.x.rows)
  law.losses(data, params, losses)
  const own = rows.counted!(dispersion)

  it.each(cores)('shares and P(good) are those of all rows, with a core of %o', async (core) => {
    const wanted = fitProportions(losses, shellsOf(data.y, eta, dispersion), { core })
    const bins = await own.shells({ params, at: params, least, core })
    expect(bins.least).toBe(least)
    expectClose(
      bins.loss,
      losses.reduce((a, b) => a + b, 0),
      1e-12,
    )
    const found = shellShares(bins, data.x.rows)
    expectClose(found.good, wanted.good, 1e-8)
    expectClose(found.value, wanted.value, 1e-8)
    expectClose(found.shells, wanted.shells, 1e-8, 1e-10)
    const rule = {
      by: 'counts',
      params,
      at: params,
      least,
      core,
      good: found.good,
      shares: found.shells,
    } as const
    expectClose(weigh(own.model, data, rule), wanted.weights, 1e-8, 1e-10)
    const fitted = law.fit(data, wanted.weights, params)
    const byPasses = await fitByPasses(own.model, own, rule, params)
    expectClose(law.vector(byPasses), law.vector(fitted), 1e-8)
  })
})

it('a sample that is off does not decide the dispersion', () => {
  const tried: { dispersion: number; value: number }[] = []
  for (;;) {
    const dispersion = nextDispersion(0.3, tried)
    if (dispersion === undefined) break
    tried.push({ dispersion, value: -((Math.log(dispersion) - Math.log(0.13)) ** 2) })
  }
  const best = tried.reduce((a, b) => (b.value > a.value ? b : a))
  expect(Math.abs(best.dispersion / 0.13 - 1)).toBeLessThan(0.01)
  expect(tried.length).toBeLessThan(15)
  expect(nextDispersion(0, [{ dispersion: 0, value: 1 }])).toBeUndefined()
})

it.each(['poisson', 'negative-binomial'] as const)(
  'calibrated under %s: what fit says of the same rows, within a quarter of the standard errors',
  async (errors) => {
    const inMemory = fit(poisson(), data, { errors })
    const passes = await calibratedByPasses(model, rows, data, { errors })
    expect(passes.status.kind).toBe('converged')
    expect(passes.errors?.name).toBe(inMemory.errors?.name)
    const got = poisson().vector(passes.params)
    poisson()
      .vector(inMemory.params)
      .forEach((value, j) => {
        const error = Math.sqrt(inMemory.covariance!.values[j * 4])
        expect(Math.abs(got[j] - value)).toBeLessThan(0.25 * error)
      })
    const [low, high] = inMemory.corruption.interval!
    expect(passes.corruption.level).toBeGreaterThanOrEqual(low)
    expect(passes.corruption.level).toBeLessThanOrEqual(high)
    expect(inMemory.corruption.level).toBeCloseTo(passes.corruption.level!, 2)
  },
)

it('all rows, and not the sample, say how bad counts lie among good ones', async () => {
  const random = new TestRandom(3)
  const n = 1200
  const close: Supervised = { x: matrix(n, 1), y: new Float64Array(n) }
  for (let i = 0; i < n; i++) {
    close.x.values[i] = random.normal()
    const mean = Math.exp(2 + 0.5 * close.x.values[i])
    const off = i % 6 === 1 ? 2 * mean * Math.abs(random.normal()) : Math.sqrt(mean) * random.normal()
    close.y[i] = Math.max(0, Math.round(mean + off))
  }
  const all = inBlocks(model, memoryBlocks(model, close))
  const wanted = await calibratedByPasses(model, all, close, { errors: 'poisson' })
  // It shows no bad row at all.
  const good = Array.from({ length: n / 3 }, (_, k) => 3 * k)
  const found = await calibratedByPasses(model, all, poisson().take(close, good), { errors: 'poisson' })
  poisson()
    .vector(found.params)
    .forEach((value, j) => {
      const error = Math.sqrt(wanted.covariance!.values[j * 3])
      expect(Math.abs(value - poisson().vector(wanted.params)[j])).toBeLessThan(0.25 * error)
    })
  expectClose(found.corruption.level!, wanted.corruption.level!, 1e-3)
})
