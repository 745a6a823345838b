import { expect, test } from 'vitest'
import { softmax } from '../../../likelihoods/softmax.js'
import { matrix } from '../../../matrix.js'
import { fit } from '../../../methods/fit.js'
import { draws } from '../../../random/draws.js'

test('answers on a scale, all as they were meant, are not explained by habits that leave no row to its ends', () => {
  const random = draws('scale', 1)
  const n = 600
  const x = matrix(n, 2)
  const y = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const [a, b] = [random.normal(), random.normal()]
    x.values.set([a, b], 2 * i)
    y[i] = Math.max(0, Math.min(4, Math.round(2 + 0.6 * a + 0.4 * b + 0.9 * random.normal())))
  }
  const { corruption, clean } = fit(softmax({ classes: 5 }), { x, y })
  expect(corruption.interval![0]).toBeLessThan(0.01)
  expect(corruption.level).toBeLessThan(0.05)
  expect(corruption.habits).toBeUndefined()
  for (let c = 0; c < 5; c++) {
    const own = clean.filter((_, i) => y[i] === c)
    expect(own.reduce((sum, p) => sum + p, 0) / own.length, `class ${c}`).toBeGreaterThan(0.5)
  }
})
