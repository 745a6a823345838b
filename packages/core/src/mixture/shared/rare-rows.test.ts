import { expect, it } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { matrix } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { draws } from '../../random/draws.js'

it.each([3, 100])(
  'a category of 3 rows in 20,000 has its coefficient, beside one of every %ith',
  (others) => {
    const random = draws('rare', others)
    const rows = 20_000
    const x = matrix(rows, 2)
    const y = new Float64Array(rows)
    const rare: number[] = []
    for (let i = 0; i < rows; i++) {
      const isRare = i % 6000 === 5
      if (isRare) rare.push(i)
      const first = i % others === 0 ? 1 : 0
      x.values.set([first, isRare ? 1 : 0], 2 * i)
      const isBad = i % 9 === 1 && !isRare
      y[i] = isBad ? 20 * random.normal() : 1 + first + 3 * x.values[2 * i + 1] + 0.1 * random.normal()
    }
    expect(rare.length).toBeLessThanOrEqual(4)
    const { params, status, corruption } = fit(linear(), { x, y })
    expect(status.kind).toBe('converged')
    // Four standard errors of the mean of so few rows.
    expect(Math.abs(params.coefficients[1] - 3)).toBeLessThan((4 * 0.1) / Math.sqrt(rare.length))
    expect(corruption.level).toBeCloseTo(1 / 9, 2)
  },
)
