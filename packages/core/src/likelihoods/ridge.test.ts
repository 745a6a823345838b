import { describe, expect, it } from 'vitest'
import { matrix } from '../matrix.js'
import { expectClose } from '../testing/close.js'
import { TestRandom } from '../testing/random.js'
import type { Supervised } from './likelihood.js'
import { logistic } from './logistic.js'
import { softmax } from './softmax.js'

function labelled(scales: readonly number[]): Supervised {
  const random = new TestRandom(7)
  const x = matrix(80, 2)
  const y = new Float64Array(80)
  for (let i = 0; i < 80; i++) {
    const [a, b] = [random.normal(), random.normal()]
    x.values.set([a * scales[0], b * scales[1]], 2 * i)
    y[i] = a - b + random.normal() > 0 ? 1 : 0
  }
  return { x, y }
}

describe('ridge', () => {
  const data = labelled([1, 1])

  it('one for all columns equals the same for each', () => {
    const all = logistic({ ridge: 0.7 }).fit(data)
    const each = logistic({ ridge: Float64Array.of(0.7, 0.7) }).fit(data)
    expect(each).toEqual(all)
  })

  it('holds back the column that it is given for', () => {
    const none = logistic().fit(data).coefficients
    const first = logistic({ ridge: Float64Array.of(1e6, 0) }).fit(data).coefficients
    expect(Math.abs(first[0])).toBeLessThan(1e-3 * Math.abs(none[0]))
    expect(Math.abs(first[1])).toBeGreaterThan(0.3 * Math.abs(none[1]))
  })

  it('on two classes softmax halves each coefficient, and so the penalty', () => {
    const two = softmax({ classes: 2, ridge: 1.4 }).fit(data).coefficients.values
    const one = logistic({ ridge: 0.7 }).fit(data).coefficients
    expectClose(
      one,
      one.map((_, j) => two[2 + j] - two[j]),
      1e-6,
      1e-8,
    )
  })

  it('a model with a prior does not know the units of its columns', () => {
    const scaled = labelled([1e3, 1e-4])
    for (const model of [logistic(), softmax({ classes: 2 })]) {
      const before = new Float64Array(80)
      const after = new Float64Array(80)
      const steady = model.prior.strengthened(data, 2, 'kept')
      const other = model.prior.strengthened(scaled, 2, 'kept')
      steady.losses(data, steady.fit(data) as never, before)
      other.losses(scaled, other.fit(scaled) as never, after)
      expectClose(after, before, 1e-8, 1e-10)
    }
  })

  it('the stronger, the smaller the coefficients', () => {
    const sizes = [0, 0.1, 1, 10].map((strength) => {
      const { coefficients } = logistic().prior.strengthened(data, strength, 'replaced').fit(data)
      return Math.hypot(...coefficients)
    })
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
  })
})
