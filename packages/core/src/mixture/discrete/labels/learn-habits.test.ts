import { describe, expect, it } from 'vitest'
import type { Params, Supervised } from '../../../likelihoods/likelihood.js'
import { digamma, logGamma } from '../../../likelihoods/log-gamma.js'
import { logistic } from '../../../likelihoods/logistic.js'
import { softmax } from '../../../likelihoods/softmax.js'
import { fromRows, matrix, takeRows } from '../../../matrix.js'
import { expectClose } from '../../../testing/close.js'
import { certain, drawn, PAIRFLIP, renamed, rowsOf } from '../../../testing/drawn-labels.js'
import { TestRandom } from '../../../testing/random.js'
import type { Classed } from './labelled.js'
import { learnHabits } from './learn-habits.js'
import { leaveOneOutClasses } from './leave-one-out-classes.js'
import { posteriorOf } from './noise.js'
import { fitThroughNoise } from './through-noise.js'

describe('habits learned from P(class)', () => {
  it('are the shares of labels where classes are certain, drawn a little towards uniform noise', () => {
    const n = 3000
    const p = certain(n, 3)
    // Of every class 1000 rows: one in four is labelled as the next class.
    const given = Float64Array.from({ length: n }, (_, i) =>
      Math.floor(i / 3) % 4 === 0 ? (i + 1) % 3 : i % 3,
    )
    const { T, gain, shares } = learnHabits(p, given)
    expectClose(T.values, fromRows(PAIRFLIP).values, 0.01, 0.01)
    expectClose(shares, [1 / 3, 1 / 3, 1 / 3], 1e-3)
    // 750 wrong labels are twice as probable as uniform ones would be, less what is paid.
    expect(gain).toBeGreaterThan(0.9 * 750 * Math.LN2)
  })

  it('are none where every label is right, and no more than chance where noise is uniform', () => {
    const p = certain(300, 3)
    const right = learnHabits(
      p,
      Float64Array.from({ length: 300 }, (_, i) => i % 3),
    )
    expect(right.gain).toBeLessThan(1)
    for (let c = 0; c < 3; c++) expect(right.T.values[c * 4]).toBeGreaterThan(0.99)
    const random = new TestRandom(4)
    const given = Float64Array.from({ length: 300 }, (_, i) =>
      random.uniform() < 0.3 ? random.below(3) : i % 3,
    )
    expect(learnHabits(p, given).gain).toBeLessThan(3)
  })

  it('find rates that differ between two classes', () => {
    const given = Float64Array.from({ length: 2000 }, (_, i) => (i % 10 === 0 ? 1 : i % 2))
    const { T, gain } = learnHabits(certain(2000, 2), given)
    // Every fifth row of class 0, and none of class 1.
    expectClose(T.values, [0.8, 0.2, 0, 1], 0.01, 0.01)
    expect(gain).toBeGreaterThan(50)
  })

  it('are permuted where classes are', () => {
    const { data } = drawn(7, 300, PAIRFLIP)
    const model = softmax({ classes: 3, ridge: 1 })
    const p = model.classes!.probabilities(data, model.fit(data))
    const names = [2, 0, 1]
    const other = matrix(p.rows, 3)
    for (let i = 0; i < p.rows; i++)
      for (let c = 0; c < 3; c++) other.values[i * 3 + names[c]] = p.values[i * 3 + c]
    const a = learnHabits(p, data.y)
    const b = learnHabits(
      other,
      data.y.map((label) => names[label]),
    )
    expectClose(b.T.values, renamed(a.T, names).values, 1e-9, 1e-12)
    expectClose(b.gain, a.gain, 1e-9, 1e-9)
  })

  it('count a row of weight k like k rows', () => {
    const { data } = drawn(8, 120, PAIRFLIP)
    const model = softmax({ classes: 3, ridge: 1 })
    const p = model.classes!.probabilities(data, model.fit(data))
    const weights = Float64Array.from({ length: 120 }, (_, i) => 1 + (i % 3))
    const copies = Array.from(weights).flatMap((k, i) => Array<number>(k).fill(i))
    const weighted = learnHabits(p, data.y, weights)
    const copied = learnHabits(
      takeRows(p, copies),
      Float64Array.from(copies, (i) => data.y[i]),
    )
    expectClose(weighted.T.values, copied.T.values, 1e-8, 1e-10)
    expectClose(weighted.gain, copied.gain, 1e-8, 1e-8)
  })

  it('have the row of the prior for a class that is never predicted', () => {
    const n = 600
    const p = matrix(n, 3)
    for (let i = 0; i < n; i++) p.values[i * 3 + (i % 2)] = 1
    const given = Float64Array.from({ length: n }, (_, i) => (i % 10 === 0 ? 2 : i % 2))
    const { T } = learnHabits(p, given)
    const rows = rowsOf(T)
    for (const row of rows)
      expectClose(
        row.reduce((a, b) => a + b),
        1,
        1e-9,
      )
    // Its labels go wrong as often as all do, and as any other.
    expectClose(rows[2][0], rows[2][1], 1e-9)
    expectClose(rows[2][2], 0.9, 0.03)
  })
})

describe('what they rest on', () => {
  it.each([
    ['softmax', softmax({ classes: 3, ridge: 0.5 }) as unknown as Classed<Supervised, Params>],
    ['logistic', logistic({ ridge: 0.5 }) as unknown as Classed<Supervised, Params>],
  ])(
    '%s: the information is the curvature of the labels’ loss through T, by finite differences',
    (name, model) => {
      const K = name === 'softmax' ? 3 : 2
      const rates = K === 3 ? PAIRFLIP : PAIRFLIP.slice(0, 2).map((row) => [row[0] + row[2], row[1]])
      const T = fromRows(
        K === 3
          ? PAIRFLIP
          : [
              [0.8, 0.2],
              [0.1, 0.9],
            ],
      )
      const { data } = drawn(3, 60, rates)
      const given = model.classes.given(data)
      const params = model.fit(data)
      const loss = (vector: Float64Array): number => {
        const at = model.unflatten(vector) as Params
        const { logs } = posteriorOf(model.classes.probabilities(data, at), given, T)
        return model.prior!.penalty(at) - logs.reduce((a, b) => a + b, 0)
      }
      const vector = model.vector(params)
      const { posterior } = posteriorOf(model.classes.probabilities(data, params), given, T)
      const information = model.classes.information(data, params, posterior)
      const random = new TestRandom(9)
      for (let trial = 0; trial < 5; trial++) {
        // Classes' coefficients sum to 0, so steps do.
        const step = vector.map(() => 1e-3 * random.normal())
        if (K === 3) centre(step, K)
        const moved = (sign: number): number => loss(vector.map((v, j) => v + sign * step[j]))
        let quadratic = 0
        for (let j = 0; j < step.length; j++)
          for (let k = 0; k < step.length; k++)
            quadratic += information.values[j * step.length + k] * step[j] * step[k]
        expectClose(quadratic, moved(1) - 2 * moved(0) + moved(-1), 1e-3, 1e-9)
      }
    },
  )

  it('P(class) without a row is that of a fit without it, to first order', () => {
    const { data } = drawn(5, 60, PAIRFLIP)
    const T = fromRows(PAIRFLIP)
    const model = softmax({ classes: 3, ridge: 1 }) as Classed<Supervised, Params>
    const em = { maxIterations: 200, tolerance: 1e-9 }
    const full = fitThroughNoise(model, data, model.fit(data), T, em)
    const inside = model.classes.probabilities(data, full.params)
    const outside = leaveOneOutClasses(model, data, full.params, full.posterior)
    let [without, naive] = [0, 0]
    for (let i = 0; i < 60; i++) {
      const others = model.take(
        data,
        Array.from({ length: 60 }, (_, j) => j).filter((j) => j !== i),
      )
      const refitted = fitThroughNoise(model, others, full.params, T, em)
      const exact = model.classes.probabilities(model.take(data, [i]), refitted.params)
      for (let c = 0; c < 3; c++) {
        without += Math.abs(outside.values[i * 3 + c] - exact.values[c])
        naive += Math.abs(inside.values[i * 3 + c] - exact.values[c])
      }
    }
    expect(without).toBeLessThan(0.35 * naive)
  })

  it('the likelihood through T never falls', () => {
    const { data } = drawn(6, 100, PAIRFLIP)
    const model = softmax({ classes: 3, ridge: 0.1 }) as Classed<Supervised, Params>
    let params = model.fit(data)
    let before = Number.NEGATIVE_INFINITY
    for (let step = 0; step < 20; step++) {
      const next = fitThroughNoise(model, data, params, fromRows(PAIRFLIP), {
        maxIterations: 2,
        tolerance: 0,
      })
      expect(next.value).toBeGreaterThanOrEqual(before - 1e-6)
      before = next.value
      params = next.params
    }
  })

  it('digamma is the slope of log Gamma', () => {
    // Euler's constant.
    expectClose(digamma(1), -0.5772156649015329, 1e-12)
    for (const z of [0.01, 0.3, 2, 7.5, 40, 1e4]) {
      expectClose(digamma(z + 1), digamma(z) + 1 / z, 1e-10)
      const h = 1e-5 * z
      expectClose(digamma(z), (logGamma(z + h) - logGamma(z - h)) / (2 * h), 1e-5, 1e-6)
    }
  })
})

/** Intercepts, and each column of coefficients, less their mean over the classes. */
function centre(step: Float64Array, K: number): void {
  const cols = step.length / K - 1
  for (let j = 0; j <= cols; j++) {
    const places = Array.from({ length: K }, (_, k) => (j === 0 ? k : K + k * cols + j - 1))
    const mean = places.reduce((sum, at) => sum + step[at] / K, 0)
    for (const at of places) step[at] -= mean
  }
}
