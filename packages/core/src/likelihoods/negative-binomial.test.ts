import { describe, expect, it } from 'vitest'
import { fromRows } from '../matrix.js'
import { expectClose } from '../testing/close.js'
import { logGamma } from './log-gamma.js'
import { negativeBinomial } from './negative-binomial.js'
import { poisson } from './poisson.js'

describe('negativeBinomial', () => {
  it("has R's densities", () => {
    // dnbinom(c(0, 3, 70, 300), size = 2, mu = c(2, 4, 50, 20), log = TRUE)
    const data = { x: fromRows([2, 4, 50, 20].map((m) => [Math.log(m)])), y: Float64Array.of(0, 3, 70, 300) }
    const out = new Float64Array(4)
    const params = { intercept: 0, coefficients: Float64Array.of(1) }
    negativeBinomial(poisson(), { dispersion: 0.5 }).losses(data, params, out)
    expectClose(out, [1.38629436111989, 2.02732554054082, 4.99896311973134, 27.6817342221453], 1e-12)
  })

  it("has R's coefficients", () => {
    // glm(y ~ x, family = MASS::negative.binomial(2))
    const data = {
      x: fromRows([[0], [1], [2], [3], [4], [5], [6], [7]]),
      y: Float64Array.of(1, 0, 2, 3, 5, 9, 4, 20),
    }
    const { intercept, coefficients } = negativeBinomial(poisson(), { dispersion: 0.5 }).fit(data)
    expectClose([intercept, ...coefficients], [-0.414483731413346, 0.462143154732314], 1e-7)
  })

  it("becomes Poisson's law as the dispersion vanishes", () => {
    const data = { x: fromRows([[0.2], [1], [2]]), y: Float64Array.of(1, 7, 90) }
    const params = { intercept: 1, coefficients: Float64Array.of(1.5) }
    const [a, b] = [new Float64Array(3), new Float64Array(3)]
    negativeBinomial(poisson(), { dispersion: 1e-9 }).losses(data, params, a)
    poisson().losses(data, params, b)
    expectClose(a, Array.from(b), 1e-4)
  })

  it('refuses a dispersion that is none', () => {
    expect(() => negativeBinomial(poisson(), { dispersion: 0 })).toThrow(
      'negativeBinomial dispersion: must be above 0',
    )
  })
})

describe('logGamma', () => {
  it("has R's values", () => {
    // lgamma(c(.3, 1.5, 20.25, 1e5))
    const found = [0.3, 1.5, 20.25, 1e5].map(logGamma)
    expectClose(found, [1.09579799481808, -0.120782237635245, 40.0841105979174, 1051287.70897366], 1e-13)
  })
})
