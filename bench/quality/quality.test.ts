import { describe, expect, it } from 'vitest'
import { summariseLevel, work } from './level.js'
import { leverageCriteria, leverageOutcomes } from './leverage.js'
import { ratiosOf } from './linear.js'
import { contest } from './synthetic.js'
import { fewOf, largestOf, SAME, unitDeviations } from './units.js'

// Small versions of the programs in this folder, whose results are in docs/results/calibrated.md: fewer runs, and
// bounds wider by about two standard errors of so few.

describe("the paper's linear benchmark", () => {
  it('is won on clean data and on bad data', async () => {
    const levels = await contest('linreg_nu2.5', [0, 0.2], { runs: 24, seed: 1 })
    const [clean, fifth] = levels.map(ratiosOf)
    expect(clean.ml).toBeLessThan(1.08)
    expect(clean.paper).toBeLessThan(0.88)
    expect(fifth.paper).toBeLessThan(0.97)
    for (const { released, corrected } of [clean, fifth]) {
      expect(released).toBeLessThan(1.1)
      expect(corrected).toBeLessThan(1.1)
    }
  })
})

describe('the corruption level', () => {
  it.each(['shift', 'uniform'])('is the share of bad rows, for %s', (kind) => {
    const reported = work({ kind, epsilon: 0.2, seed: 1, first: 0, last: 8 })
    const { bias, coverage, zero } = summariseLevel(0.2, reported)
    expect(Math.abs(bias)).toBeLessThan(0.03)
    // Of 8 intervals that cover 90 %, fewer than 6 cover once in 26 times.
    expect(coverage).toBeGreaterThanOrEqual(6 / 8)
    expect(zero).toBe(0)
  })

  it('is 0 on clean data, or can be', () => {
    const reported = work({ kind: 'shift', epsilon: 0, seed: 1, first: 0, last: 8 })
    expect(summariseLevel(0, reported).zero).toBeGreaterThanOrEqual(0.85)
  })
})

describe('bad leverage', () => {
  const outcomes = leverageOutcomes()

  it("is found as R's lmrob finds it", () => {
    expect(outcomes.map(({ name }) => name)).toEqual(expect.arrayContaining(['hbk', 'stars']))
    expect(leverageCriteria(outcomes).filter(({ holds }) => !holds)).toEqual([])
  })

  it('is what the paper’s iteration is fooled by, so that the sets can tell', () => {
    for (const { name, paperDistance, lmrobFooled } of outcomes) {
      if (!lmrobFooled) expect(paperDistance, name).toBeGreaterThan(3)
    }
  })
})

describe('units', () => {
  it.each(['linear', 'logistic', 'covariance'])('do not matter to %s', (model) => {
    const deviations = unitDeviations([model], fewOf)
    expect(deviations.length).toBeGreaterThan(0)
    expect(deviations.filter((d) => !(largestOf(d) <= SAME))).toEqual([])
  })
})
