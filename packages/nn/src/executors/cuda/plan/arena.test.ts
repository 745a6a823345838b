import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ALIGNMENT, planArena } from './arena.js'

const piece = fc
  .tuple(fc.integer({ min: 1, max: 5000 }), fc.nat(20), fc.nat(6))
  .map(([bytes, from, length]) => ({ bytes, from, to: from + length }))

it('never lets two pieces overlap that are alive at the same time', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const { offsets, bytes } = planArena(pieces)
      pieces.forEach((a, i) => {
        expect(offsets[i] % ALIGNMENT).toBe(0)
        expect(offsets[i] + a.bytes).toBeLessThanOrEqual(bytes)
        pieces.slice(0, i).forEach((b, j) => {
          const together = a.from <= b.to && b.from <= a.to
          const apart = offsets[i] + a.bytes <= offsets[j] || offsets[j] + b.bytes <= offsets[i]
          expect(!together || apart).toBe(true)
        })
      })
    }),
  )
})

it('uses memory again that nobody needs any more', () => {
  const chain = Array.from({ length: 10 }, (_, i) => ({ bytes: 1024, from: i, to: i + 1 }))
  expect(planArena(chain).bytes).toBe(2048)
})
