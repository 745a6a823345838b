import fc from 'fast-check'
import { expect, test } from 'vitest'
import { categories, levels } from './encoding.js'

/** Texts as the levels of a column whose rows are all used. */
function found(texts: readonly string[]): ReturnType<typeof levels> {
  const values = [...new Set(texts)]
  const codes = Int32Array.from(texts, (text) => values.indexOf(text))
  return levels(
    { kind: 'text', asText: false, length: texts.length, codes, values },
    Int32Array.from(texts.keys()),
  )
}

test('the base is a most frequent value, and each other value has one column', () => {
  const some = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(some, (texts) => {
      const encoding = categories('x', found(texts))
      if (encoding.kind !== 'category') throw new Error('a text is a category')
      const count = (value: string): number => texts.filter((text) => text === value).length
      for (const value of encoding.values) {
        expect(count(encoding.base)).toBeGreaterThanOrEqual(count(value))
        if (count(encoding.base) === count(value)) expect(encoding.base < value).toBe(true)
      }
      expect([...encoding.values, encoding.base].sort()).toEqual([...new Set(texts)].sort())
      expect(categories('x', found(texts.toReversed()))).toEqual(encoding)
    }),
  )
})

test('values of unused rows alone are no levels, and a value that stands twice is one', () => {
  const column = {
    kind: 'text',
    asText: false,
    length: 5,
    codes: Int32Array.of(0, 1, 2, 3, 1),
    values: ['b', 'a', 'c', 'a'],
  } as const
  expect(levels(column, Int32Array.of(0, 1, 3))).toEqual({ values: ['a', 'b'], counts: [2, 1] })
})
