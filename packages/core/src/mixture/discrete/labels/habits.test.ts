import { describe, expect, it } from 'vitest'
import type { Discrete } from '../../../likelihoods/capabilities.js'
import type { Params, Supervised } from '../../../likelihoods/likelihood.js'
import { logistic } from '../../../likelihoods/logistic.js'
import { softmax } from '../../../likelihoods/softmax.js'
import { fromRows, matrix, takeRows } from '../../../matrix.js'
import { fit } from '../../../methods/fit.js'
import type { Fit } from '../../../result.js'
import { expectClose } from '../../../testing/close.js'
import { drawn, PAIRFLIP, type Rates, renamed } from '../../../testing/drawn-labels.js'
import { TestRandom } from '../../../testing/random.js'
import { pathsFrom } from './habits.js'

describe('fit', () => {
  const three = (data: Supervised): Fit<Params> =>
    fit(softmax({ classes: 3, ridge: 0.01 }) as Discrete<Supervised, Params>, data)

  it('finds habits, and the labels that they made wrong', () => {
    const { data, truth } = drawn(11, 400, PAIRFLIP)
    const { clean, corruption, standardErrors } = three(data)
    const wrong = truth.filter((label, i) => label !== data.y[i]).length / truth.length
    expect(corruption.interval![0]).toBeLessThan(wrong)
    expect(corruption.interval![1]).toBeGreaterThan(wrong)
    // Three standard errors of a share of a quarter in 130 rows.
    expectClose(corruption.habits!.values, fromRows(PAIRFLIP).values, 0, 0.115)
    const { clean: uniformly } = fit(withoutClasses(), data)
    expect(areaUnderCurve(clean, truth, data.y)).toBeGreaterThan(
      areaUnderCurve(uniformly, truth, data.y) + 0.005,
    )
    expect(standardErrors).toBeDefined()
  })

  it('finds none in uniform noise, and there is nearly as it was', () => {
    const uniform: Rates = PAIRFLIP.map((_, c) => [0, 1, 2].map((y) => (y === c ? 0.8 : 0.1)))
    for (const seed of [21, 22]) {
      const { data } = drawn(seed, 200, uniform)
      const found = three(data)
      expect(found.corruption.habits).toBeUndefined()
      // What is not likely has a little weight in the mean level.
      expectClose(found.clean, Array.from(fit(withoutClasses(), data).clean), 0, 0.005)
    }
  })

  it('says that the share of very many wrong labels is hard to tell', () => {
    const many: Rates = [0, 1, 2].map((c) => [0, 1, 2].map((y) => (y === c ? 0.55 : 0.225)))
    const { corruption, cautions } = three(drawn(41, 400, many, 8).data)
    expect(corruption.level).toBeGreaterThan(0.3)
    expect(cautions!.map(({ about }) => about)).toContain('level')
    const few = three(drawn(42, 400, PAIRFLIP, 8).data)
    expect(few.cautions ?? []).toEqual([])
  })

  it('finds no wrong label in clean data', () => {
    const clean: Rates = PAIRFLIP.map((_, c) => [0, 1, 2].map((y) => (y === c ? 1 : 0)))
    for (const seed of [31, 32, 33]) {
      const { corruption } = three(drawn(seed, 200, clean, 8).data)
      expect(corruption.habits).toBeUndefined()
      expect(corruption.level).toBe(0)
      expect(corruption.interval![0]).toBe(0)
    }
  })

  it('is the same in another order of rows, in other units, and with classes renamed', () => {
    const { data } = drawn(12, 120, PAIRFLIP, 5)
    const a = three(data)
    const order = new TestRandom(1).order(120)
    const b = three({ x: takeRows(data.x, order), y: Float64Array.from(order, (i) => data.y[i]) })
    expectClose(b.corruption.level!, a.corruption.level!, 1e-3)
    expectClose(b.corruption.habits!.values, a.corruption.habits!.values, 1e-2, 1e-3)
    expectClose(
      b.clean,
      Array.from(order, (i) => a.clean[i]),
      1e-2,
      2e-3,
    )
    const names = [1, 2, 0]
    const c = three({ x: data.x, y: data.y.map((label) => names[label]) })
    expectClose(c.corruption.level!, a.corruption.level!, 1e-2)
    expectClose(c.corruption.habits!.values, renamed(a.corruption.habits!, names).values, 1e-2, 2e-3)
    // A ridge of the user's own is in units: without one.
    const free = softmax({ classes: 3 })
    const scaled = matrix(
      120,
      2,
      data.x.values.map((v, k) => v * (k % 2 === 0 ? 1000 : 0.03)),
    )
    const d = fit(free, data)
    const e = fit(free, { x: scaled, y: data.y })
    expectClose(e.corruption.level!, d.corruption.level!, 1e-3)
    expectClose(e.clean, d.clean, 1e-2, 2e-3)
  })

  it('tells two classes’ rates apart where many rows are certain', () => {
    const { data, truth } = drawn(13, 600, [
      [0.75, 0.25],
      [0, 1],
    ])
    const { corruption } = fit(logistic(), data)
    expectClose(corruption.habits!.values, [0.75, 0.25, 0, 1], 0, 0.1)
    const wrong = truth.filter((label, i) => label !== data.y[i]).length / truth.length
    expect(corruption.interval![0]).toBeLessThan(wrong)
    expect(corruption.interval![1]).toBeGreaterThan(wrong)
  })

  it('finds them in many rows, and by cross-fitting where coefficients are many', () => {
    const many = drawn(14, 2100, PAIRFLIP)
    const { corruption } = three(many.data)
    expectClose(corruption.habits!.values, fromRows(PAIRFLIP).values, 0, 0.05)
    const wrong = many.truth.filter((label, i) => label !== many.data.y[i]).length / 2100
    expect(corruption.interval![0]).toBeLessThan(wrong)
    expect(corruption.interval![1]).toBeGreaterThan(wrong)
    const random = new TestRandom(15)
    const { data, truth } = drawn(15, 800, PAIRFLIP)
    const wide = matrix(
      800,
      60,
      Float64Array.from({ length: 800 * 60 }, () => 0.5 * random.normal()),
    )
    for (let i = 0; i < 800; i++) wide.values.set(data.x.values.subarray(2 * i, 2 * i + 2), 60 * i)
    const large = three({ x: wide, y: data.y })
    expectClose(large.corruption.habits!.values, fromRows(PAIRFLIP).values, 0, 0.12)
    expect(areaUnderCurve(large.clean, truth, data.y)).toBeGreaterThan(0.9)
    expect(large.standardErrors).toBeUndefined()
  })

  it('bears a class that no row has', () => {
    const { data } = drawn(16, 200, PAIRFLIP)
    const { clean, corruption } = fit(softmax({ classes: 4, ridge: 0.01 }), data)
    expect([...clean, corruption.level!, ...(corruption.habits?.values ?? [])].every(Number.isFinite)).toBe(
      true,
    )
  })
})

describe('the levels at which habits are judged', () => {
  it('lie apart, wherever the learned one falls, and begin at none', () => {
    for (let k = 0; k <= 1000; k++) {
      const learned = k / 1000
      const [below = [], above = []] = pathsFrom(learned)
      const levels = [...below].reverse().concat(learned, above)
      const gaps = levels.slice(1).map((level, i) => level - levels[i]!)
      if (learned > 0.002) expect(Math.min(...gaps)).toBeGreaterThan(0.0004)
      if (learned > 0.1) expect(Math.min(...gaps)).toBeGreaterThan(0.0024)
      expect(levels[0]).toBe(0)
    }
  })
})

/** A softmax that knows of uniform noise alone. */
function withoutClasses(): Discrete<Supervised, Params> {
  const { classes: habits, ...plain } = softmax({ classes: 3, ridge: 0.01 })
  return plain as Discrete<Supervised, Params>
}

/** How often a wrong label scores below a right one. */
function areaUnderCurve(clean: Float64Array, truth: Float64Array, given: Float64Array): number {
  let [below, pairs] = [0, 0]
  for (let i = 0; i < clean.length; i++)
    for (let j = 0; j < clean.length; j++) {
      if (truth[i] === given[i] || truth[j] !== given[j]) continue
      pairs++
      below += clean[i] < clean[j] ? 1 : clean[i] === clean[j] ? 0.5 : 0
    }
  return below / pairs
}
