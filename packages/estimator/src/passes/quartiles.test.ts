import fc from 'fast-check'
import { fromRows, type Supervised } from 'rlvi'
import type { Blocks } from 'rlvi/passes'
import { expect, test } from 'vitest'
import { valuesAt } from './quartiles.js'

/** Rows in blocks of seven. */
function blocksOf(rows: readonly number[][]): Blocks<Supervised> {
  const cols = rows[0]!.length
  return {
    rows: rows.length,
    cols,
    centre: new Float64Array(cols),
    async each(use) {
      for (let from = 0; from < rows.length; from += 7)
        await use({ x: fromRows(rows.slice(from, from + 7)), y: new Float64Array(0) }, from)
    },
  }
}

test('values at places of the sorted columns are those that sorting finds, to the last bit', async () => {
  const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -3, max: 3 }))
  const rows = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(rows, async (pairs) => {
      const places = [0, 0.25, 0.5, 0.75, 1]
      const found = await valuesAt(blocksOf(pairs.map((pair) => [...pair])), places)
      for (const column of [0, 1]) {
        const sorted = Float64Array.from(pairs, (pair) => pair[column]! + 0).sort()
        const wanted = places.map((place) => sorted[Math.floor(place * (pairs.length - 1))]!)
        expect(Array.from(found[column]!)).toEqual(wanted)
      }
    }),
  )
})
