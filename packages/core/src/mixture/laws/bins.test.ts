import { expect, it } from 'vitest'
import { TestRandom } from '../../testing/random.js'
import { toBins } from './bins.js'
import { CELLS, cellOf } from './shells.js'

it.each([1, 3, 20, 200])(
  'bins of distances in %i dimensions hold what they gather, and no shell cuts one',
  (dimension) => {
    const random = new TestRandom(dimension)
    const signed = dimension === 1
    const unit = 0.5 + 3 * random.uniform()
    const values = Float64Array.from({ length: 20_000 }, () => {
      const size = unit * Math.exp(2 * random.normal())
      return signed && random.uniform() < 0.5 ? -size : size
    })
    const bins = toBins(values, dimension, unit)
    const sum = (of: (i: number) => number): number => bins.counts.reduce((all, n, i) => all + n * of(i), 0)
    expect(bins.values.length).toBeLessThan(3000)
    expect(sum(() => 1)).toBe(values.length)
    const total = values.reduce((all, value) => all + value, 0)
    expect(sum((i) => bins.values[i]) / total).toBeCloseTo(1, 9)
    for (const core of [-3, -1, 0, 2]) {
      const shells = { unit, dimension, signed, core: [core, core], tied: [false, false] } as const
      const inCells = new Float64Array(CELLS)
      for (const value of values) inCells[cellOf(shells, value)]++
      bins.values.forEach((value, i) => {
        inCells[cellOf(shells, value)] -= bins.counts[i]
      })
      expect(inCells.every((left) => left === 0)).toBe(true)
    }
  },
)
