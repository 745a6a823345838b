import fc from 'fast-check'
import { expect, test } from 'vitest'
import { categories } from './encoding.js'

/** Texts as a column is read: sorted values, counts, codes. */
function labels(texts: readonly string[]): Parameters<typeof categories>[1] {
  const values = [...new Set(texts)].sort()
  const codes = Int32Array.from(texts, (text) => values.indexOf(text))
  const counts = Int32Array.from(values, (value) => texts.filter((text) => text === value).length)
  return { codes, values, counts }
}

test('the base is a most frequent value, and each other value has one column', () => {
  const some = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(some, (texts) => {
      const encoding = categories('x', labels(texts))
      if (encoding.kind !== 'category') throw new Error('a text is a category')
      const count = (value: string): number => texts.filter((text) => text === value).length
      for (const value of encoding.values) {
        expect(count(encoding.base)).toBeGreaterThanOrEqual(count(value))
        if (count(encoding.base) === count(value)) expect(encoding.base < value).toBe(true)
      }
      expect([...encoding.values, encoding.base].sort()).toEqual([...new Set(texts)].sort())
      expect(categories('x', labels(texts.toReversed()))).toEqual(encoding)
    }),
  )
})
