import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printable, printableJson } from './printable.js'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the point
const control = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/

test('no control character gets through, and JSON stays the same document', () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(text, (value) => {
      expect(printable(value)).not.toMatch(control)
      const json = printableJson({ [value]: [value] })
      expect(json.replaceAll('\n', '')).not.toMatch(control)
      expect(JSON.parse(json)).toEqual({ [value]: [value] })
    }),
  )
  expect(printable('\u001b[2J')).toBe('\\u001b[2J')
  expect(printable('plain, Ünïcode 日本')).toBe('plain, Ünïcode 日本')
})
