import { expect, test } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { matrix } from '../../matrix.js'
import { TestRandom } from '../../testing/random.js'
import { allowedLaws } from '../laws/allowed.js'
import { badLeverage } from './leverage.js'

// Three rows for each coefficient: random subsets of 21 rows seldom miss all bad ones, and no invariant coordinate shows them.
test.each([1, 2])('a fifth of 63 rows, far out in one of 20 columns, is bad (seed %i)', (seed) => {
  const random = new TestRandom(seed)
  const [n, cols, bad] = [63, 20, 13]
  const x = matrix(n, cols)
  const y = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const row = Float64Array.from({ length: cols }, () => random.normal())
    y[i] = row.reduce((a, b) => a + b) + 0.5 * random.normal()
    if (i < bad) {
      row[0] = 20 + 0.5 * random.normal()
      y[i] = 0.5 * random.normal()
    }
    x.values.set(row, i * cols)
  }
  const found = badLeverage(linear(), { x, y }, 0, allowedLaws(linear(), 'auto', false)).bad
  for (let i = 0; i < bad; i++) expect(found.has(i), `row ${i}`).toBe(true)
})
