import fc from 'fast-check'
import { expect, test } from 'vitest'
import { kthSmallest } from './kth-smallest.js'

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
