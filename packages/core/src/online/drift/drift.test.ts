import { describe, expect, it } from 'vitest'
import { given, optionsFor, right, run } from '../../testing/online.js'

describe('drift and corruption', () => {
  it('a reversed rule is followed and reported as drift', () => {
    const batches = given('logistic', { batches: 50, rows: 100, turn: 25, seed: 2 })
    const { results } = run(optionsFor('logistic', 'calibrated'), batches)
    const reported = results.filter(({ event }) => event.kind !== 'none')
    expect(reported.map(({ event }) => event.kind)).toEqual(['drift'])
    expect(reported[0].batch).toBeGreaterThan(25)
    expect(reported[0].batch).toBeLessThanOrEqual(30)
    expect(right(results.slice(35), batches.slice(35))).toBeGreaterThan(0.93)
    // Without the watch the old rule would be held up against the new one.
    const stubborn = run({ ...optionsFor('logistic', 'calibrated'), drift: false }, batches)
    expect(right(stubborn.results.slice(25, 35), batches.slice(25, 35))).toBeLessThan(0.5)
  })

  it('a burst of wrong labels is reported as corruption and not learned', () => {
    const quiet = given('logistic', { batches: 80, rows: 100, seed: 3 })
    const loud = given('logistic', { batches: 80, rows: 100, seed: 3, noise: 0.45 })
    const batches = quiet.map((batch, t) => (t >= 25 && t < 35 ? loud[t] : batch))
    const { results } = run(optionsFor('logistic', 'calibrated'), batches)
    const reported = results.filter(({ event }) => event.kind !== 'none')
    expect(reported.map(({ event }) => event.kind)).toEqual(['corruption'])
    expect(results[30].alarm).toBe(true)
    expect(results[79].alarm).toBe(false)
    const undisturbed = run(optionsFor('logistic', 'calibrated'), quiet)
    const cost =
      right(undisturbed.results.slice(35), quiet.slice(35)) - right(results.slice(35), batches.slice(35))
    expect(cost).toBeLessThan(0.02)
  })
})
