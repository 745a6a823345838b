import { expect, test } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { fromRows } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { TestRandom } from '../../testing/random.js'

// One row in six is 6 scales off, to either side: with three rows for each coefficient the residuals look normal.
test.each([1, 2, 3, 4])(
  'the interval holds bad rows that hide in 18 rows for 6 coefficients (seed %i)',
  (seed) => {
    const random = new TestRandom(seed)
    const x = Array.from({ length: 18 }, () => Array.from({ length: 5 }, () => random.normal()))
    const y = x.map(
      (row, i) => row.reduce((a, b) => a + b) + random.normal() + (i % 12 === 0 ? 6 : i % 6 === 0 ? -6 : 0),
    )
    const { corruption, cautions } = fit(linear(), { x: fromRows(x), y: Float64Array.from(y) })
    expect(corruption.interval![0]).toBeLessThanOrEqual(1 / 6)
    expect(corruption.interval![1]).toBeGreaterThanOrEqual(1 / 6)
    expect(cautions!.map(({ message }) => message).join()).toContain('18 rows for 6 coefficients')
  },
)
