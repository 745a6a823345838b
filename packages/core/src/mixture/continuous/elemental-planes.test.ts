import { describe, expect, it } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { fromRows, takeRows } from '../../matrix.js'
import { TestRandom } from '../../testing/random.js'
import { everySubset } from '../shared/subset-starts.js'
import { nearestPlanes } from './elemental-planes.js'

function drawn(seed: number, n: number, cols: number) {
  const random = new TestRandom(seed)
  const rows = Array.from({ length: n }, () => Array.from({ length: cols }, () => random.normal()))
  const y = Float64Array.from(rows, (row, i) => (i % 3 === 0 ? 9 : 1 + row[0]!) + 0.1 * random.normal())
  return { x: fromRows(rows), y }
}

describe('planes through as many rows as they have coefficients', () => {
  it.each([true, false])(
    'are ranked as least squares through those rows would rank them (intercept %s)',
    (intercept) => {
      const { x, y } = drawn(1, 12, 2)
      const size = x.cols + (intercept ? 1 : 0)
      const sets = everySubset(12, size, 1000)!
      const reach = (set: Int32Array): number => {
        const model = linear({ intercept })
        const params = model.fit({ x: takeRows(x, set), y: Float64Array.from(set, (i) => y[i]!) })
        const predicted = model.predict(x, params)
        return y.map((value, i) => Math.abs(value - predicted[i]!)).sort()[6]!
      }
      const ranked = nearestPlanes(x, y, intercept, sets, 7, sets.length)
      expect(ranked).toHaveLength(sets.length)
      const reaches = ranked.map(reach)
      for (let k = 1; k < reaches.length; k++) expect(reaches[k]! - reaches[k - 1]!).toBeGreaterThan(-1e-9)
    },
  )

  it('are the same few, whether or not others are given up early', () => {
    const { x, y } = drawn(2, 14, 2)
    const sets = everySubset(14, 3, 1000)!
    const all = nearestPlanes(x, y, true, sets, 8, sets.length)
    for (const count of [1, 7, 100])
      expect(nearestPlanes(x, y, true, sets, 8, count)).toEqual(all.slice(0, count))
  })

  it('leave out rows that lie on one line, in any unit', () => {
    for (const unit of [1e-9, 1, 1e9]) {
      const x = fromRows([[1], [1], [2], [3]].map(([value]) => [value! * unit]))
      const sets = everySubset(4, 2, 100)!
      const ranked = nearestPlanes(x, Float64Array.of(1, 2, 3, 4), true, sets, 3, 100)
      expect(ranked.map(String)).not.toContain('0,1')
      expect(ranked).toHaveLength(5)
    }
  })
})
