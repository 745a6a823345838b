import { expect, test } from 'vitest'
import { logistic } from '../../../likelihoods/logistic.js'
import { softmax } from '../../../likelihoods/softmax.js'
import { matrix } from '../../../matrix.js'
import { fit } from '../../../methods/fit.js'
import { draws } from '../../../random/draws.js'

/**
 * Good rows along a narrow ellipse across the border that tells their labels, bad ones a cluster on the wrong side: the paper's
 * labels. With `ones` there is a first column of that value.
 */
function rows(seed: number, ones?: number) {
  const random = draws('constant column', seed)
  const n = 100
  const first = ones === undefined ? 0 : 1
  const x = matrix(n, 2 + first)
  const y = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const [a, b] = [random.normal(), random.normal()]
    const good = i >= 6
    const x1 = good ? 0.5 + 0.5 * a : 0.5 + 0.1 * a
    const x2 = good ? 0.5 + 0.5 * (-0.99 * a + Math.sqrt(1 - 0.99 ** 2) * b) : 1.25 + 0.1 * b
    if (ones !== undefined) x.values[i * 3] = ones
    x.values.set([x1, x2], i * (2 + first) + first)
    y[i] = good && x1 + x2 >= 1 ? 1 : 0
  }
  return { x, y }
}

// Without an end to its prior the constant let 40 % of the labels be called wrong, with an interval of one per cent.
test.each([1, 1000])('a constant column of %d is an intercept', (ones) => {
  for (const seed of [1, 2, 3, 4]) {
    const own = fit(logistic(), rows(seed))
    const constant = fit(logistic({ intercept: false }), rows(seed, ones))
    for (const { corruption } of [own, constant]) {
      expect(corruption.interval![0]).toBeLessThan(0.06)
      expect(corruption.interval![1]).toBeGreaterThan(0.06)
      expect(corruption.interval![1]).toBeLessThan(0.2)
    }
    expect(Math.abs(own.corruption.level! - constant.corruption.level!)).toBeLessThan(0.01)
  }
})

test('of a softmax too', () => {
  const own = fit(softmax({ classes: 2 }), rows(1)).corruption
  const constant = fit(softmax({ classes: 2, intercept: false }), rows(1, 1)).corruption
  expect(Math.abs(own.level! - constant.level!)).toBeLessThan(0.01)
  expect(Math.abs(own.interval![1] - constant.interval![1])).toBeLessThan(0.02)
})
