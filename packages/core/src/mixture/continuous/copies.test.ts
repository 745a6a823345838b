import { describe, expect, it } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { fromRows } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { TestRandom } from '../../testing/random.js'
import { copiesOf } from './copies.js'

function table(n: number, times: number) {
  const random = new TestRandom(7)
  const rows = Array.from({ length: n }, () => [random.normal(), random.normal()])
  const y = rows.map(([a, b], i) => a - b + (i < 3 ? 9 : 0) + random.normal())
  const repeat = <T>(values: readonly T[]): T[] => Array.from({ length: times }, () => values).flat()
  return { x: fromRows(repeat(rows)), y: Float64Array.from(repeat(y)) }
}

describe('copies', () => {
  it('are seen where every row occurs equally often, and only there', () => {
    expect(copiesOf(table(20, 1))).toBeUndefined()
    expect(copiesOf(table(20, 3))?.times).toBe(3)
    const uneven = table(20, 2)
    uneven.y[39] += 1
    expect(copiesOf(uneven)).toBeUndefined()
  })

  it('change nothing in a fit but that it says so', () => {
    const once = fit(linear(), table(24, 1))
    const twice = fit(linear(), table(24, 2))
    expect(twice.corruption).toEqual(once.corruption)
    expect(twice.params.coefficients).toEqual(once.params.coefficients)
    expect(Array.from(twice.clean.subarray(24))).toEqual(Array.from(once.clean))
    expect(Array.from(twice.losses.subarray(0, 24))).toEqual(Array.from(once.losses))
    expect(twice.cautions?.map(({ about }) => about)).toContain('copies')
  })
})
