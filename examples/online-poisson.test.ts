import { matrix, online } from 'rlvi'
import { onlineModelLaws } from 'rlvi/laws'
import { draws } from 'rlvi/random'
import { describe, expect, it } from 'vitest'
import { logFactorial, onlinePoisson } from './online-poisson.js'

describe('an online model of one’s own', () => {
  const laws = onlineModelLaws({
    model: onlinePoisson,
    response: (f, random) => Math.round(Math.exp(1 + f + 0.3 * random.normal())),
    // Beyond the last count y the reference has 1 / log(y + 1 + e) left.
    support: { from: 0, to: 40_000, step: 1, tail: 1 / Math.log(40_001 + Math.E) },
  })
  it.each(laws.map(({ name, check }) => [name, check] as const))('%s', (_, check) => {
    check()
  })

  it('has log factorials that are the same by both ways', () => {
    // log 1001! - log 1000! crosses from the table to Stirling's series.
    expect(logFactorial(1001) - logFactorial(1000)).toBeCloseTo(Math.log(1001), 9)
  })

  it('is learned robustly: wrong counts do not move it as they move plain SGD', () => {
    const random = draws('counts')
    const batches = Array.from({ length: 80 }, () => {
      const x = matrix(
        50,
        1,
        Float64Array.from({ length: 50 }, () => random.normal()),
      )
      const truth = x.values.map((value) => Math.exp(2 + 0.5 * value))
      // One count in ten got a digit more.
      const y = truth.map((mean) => Math.round(mean) * (random.uniform(0, 1) < 0.1 ? 10 : 1))
      return { x, y, truth }
    })
    const error = (method: 'calibrated' | 'sgd'): number => {
      let state = online.init({ model: onlinePoisson, features: 1, method })
      const gaps = batches.map(({ x, y, truth }) => {
        const step = online.update(state, { x, y }, { model: onlinePoisson })
        state = step.state
        return step.result.predictions.reduce((sum, p, i) => sum + Math.abs(p / truth[i] - 1) / 50, 0)
      })
      return gaps.slice(60).reduce((sum, gap) => sum + gap / 20, 0)
    }
    // Nine counts in ten are right and one is ten times too large: without protection the mean is 1.9 times too large.
    expect(error('sgd')).toBeGreaterThan(0.5)
    expect(error('calibrated')).toBeLessThan(0.1)
  })

  const x = matrix(1, 1, Float64Array.of(1))

  it('is passed to every call, and no other will do', () => {
    const model = onlinePoisson
    const state = online.init({ model, features: 1 })
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
    const batch = { x, y: Float64Array.of(3) }
    expect(online.update(state, batch, { model }).state.batches).toBe(1)
    expect(() => online.update(state, batch)).toThrow(/pass it to every call/)
    expect(() => online.predict(state, x, { model: { ...model, name: 'other' } })).toThrow(
      /the state began with the model 'poisson', got "other"/,
    )
  })

  it('says which responses it cannot take', () => {
    const model = onlinePoisson
    const state = online.init({ model, features: 1 })
    expect(() => online.update(state, { x, y: Float64Array.of(1.5) }, { model })).toThrow(
      'online y: row 0 must be a count: 0, 1, 2, …, got 1.5',
    )
  })

  it('needs a reference for the method calibrated, and only for that', () => {
    const { reference: _, ...without } = onlinePoisson
    expect(() => online.init({ model: without, features: 1 })).toThrow(/add `reference` to it/)
    expect(online.init({ model: without, features: 1, method: 'paper' }).options.method).toBe('paper')
  })
})
