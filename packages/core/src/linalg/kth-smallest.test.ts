import fc from 'fast-check'
import { expect, test } from 'vitest'
import { kthSmallest, kthSmallests } from './kth-smallest.js'

test('is the entry of the sorted values, with ties and in any order, and leaves them as they are', () => {
  const values = fc.array(fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: 0, max: 3 })), {
    minLength: 1,
  })
  fc.assert(
    fc.property(values, fc.nat(), (list, at) => {
      const given = Float64Array.from(list)
      const k = at % list.length
      expect(kthSmallest(given, k) + 0).toBe(Float64Array.from(list).sort()[k] + 0)
      expect(given).toEqual(Float64Array.from(list))
    }),
  )
})

test('several ranks at once are each the same, also where one comes twice', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1 }), (list) => {
      const given = Float64Array.from(list)
      const ranks = [0, 0.25, 0.25, 0.5, 0.75, 1].map((share) => Math.floor(share * (list.length - 1)))
      expect(kthSmallests(given, ranks)).toEqual(ranks.map((k) => kthSmallest(given, k)))
      expect(given).toEqual(Float64Array.from(list))
    }),
  )
})
