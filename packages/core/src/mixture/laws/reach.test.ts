import { expect, test } from 'vitest'
import { reachOf } from './reach.js'
import { SHAPES } from './shape.js'

// Quantiles of the normal law and of Student's t with 5 degrees of freedom, two-sided 99.73 % and 99.99 %.
test.each([
  ['normal', [0], 0.0027, 3.0],
  ['normal', [Math.log(2)], 0.0001, 7.781],
  ['student', [0, Math.log(2.5)], 0.0027, 5.507],
  ['student', [0, Math.log(2.5)], 0.0001, 11.178],
] as const)('%s errors with parameters %j reach, but for %d, to %d', (name, params, beyond, wanted) => {
  const { below, above } = reachOf({ shape: SHAPES[name], params: Float64Array.from(params) }, beyond)
  expect(Math.abs(above / wanted - 1)).toBeLessThan(2e-3)
  expect(below).toBe(above)
})

test('skewed errors reach farther on their long side, by the ratio of its scale', () => {
  const law = { shape: SHAPES['skewed-power'], params: Float64Array.of(0, 0, 0, 0.5) }
  const { below, above } = reachOf(law, 0.001)
  expect(above).toBeGreaterThan(2 * below)
})
