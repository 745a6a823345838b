import fc from 'fast-check'
import { expect, test } from 'vitest'
import { levenshtein, nearest } from './names.js'

test('the distance is a metric, and counts edits', () => {
  const word = fc.string({ maxLength: 8 })
  fc.assert(
    fc.property(word, word, word, (a, b, c) => {
      expect(levenshtein(a, b)).toBe(levenshtein(b, a))
      expect(levenshtein(a, b) === 0).toBe(a === b)
      expect(levenshtein(a, c)).toBeLessThanOrEqual(levenshtein(a, b) + levenshtein(b, c))
      expect(levenshtein(a, `${a}x`)).toBe(1)
    }),
  )
  expect(levenshtein('kitten', 'sitting')).toBe(3)
})

test('a name near by is suggested, one far off is not', () => {
  expect(nearest('wieght', ['height', 'weight'])).toBe('weight')
  expect(nearest('Age', ['name', 'age'])).toBe('age')
  expect(nearest('b', ['a', 'c'])).toBeUndefined()
  expect(nearest('B', ['a', 'b'])).toBe('b')
  expect(nearest('temperature', ['x', 'y'])).toBeUndefined()
})
