import fc from 'fast-check'
import { fromRows } from 'rlvi'
import { expect, test } from 'vitest'
import { Worst } from './worst.js'

test('the worst rows are the first of all in order of trust, then of loss, then of place', () => {
  const row = fc.record({
    clean: fc.constantFrom(0, 0.1, 0.2, 0.7, 0.995),
    loss: fc.integer({ min: 0, max: 3 }),
  })
  fc.assert(
    fc.property(fc.array(row, { maxLength: 60 }), fc.integer({ min: 0, max: 20 }), (rows, most) => {
      const worst = new Worst(most, 0.99)
      rows.forEach(({ clean, loss }, place) => {
        worst.look({ x: fromRows([[place]]), y: Float64Array.of(2 * place) }, 0, place, clean, loss)
      })
      const wanted = rows
        .map((one, place) => ({ ...one, place }))
        .filter(({ clean }) => clean < 0.99)
        .sort((a, b) => a.clean - b.clean || b.loss - a.loss || a.place - b.place)
        .slice(0, most)
      const found = worst.finish()
      expect(found.map(({ place }) => place)).toEqual(wanted.map(({ place }) => place))
      for (const { place, x, y } of found) expect([x[0], y]).toEqual([place, 2 * place])
    }),
  )
})
