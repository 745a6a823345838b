import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asWritten, numberSource } from './number-source.js'

test.each([
  ['{"id":9007199254740993,"x":1}', '9007199254740993'],
  ['{ "x" : {"id":1}, "l":[{"id":2},3], "id" : 12345678901234567890 }', '12345678901234567890'],
  ['{"id":1,"id":1.10}', '1.10'],
  ['{"a":"\\"id\\":5,","id":-1e400}', '-1e400'],
  ['{"\\u0069d":0.30000000000000004}', '0.30000000000000004'],
])('%s', (record, source) => {
  expect(numberSource(record, 'id')).toBe(source)
})

test('among any other values', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.string(),
      fc.bigInt(),
      (others, name, number) => {
        const rest = Object.entries(others).filter(([key]) => key !== name)
        const pairs = [...rest.map(([key, value]) => [key, JSON.stringify(value)]), [name, String(number)]]
        const record = `{${pairs.map(([key, text]) => `${JSON.stringify(key)}: ${text}`).join(' ,')}}`
        expect(numberSource(record, name)).toBe(String(number))
        expect(asWritten(Number(number), record, name)).toBe(String(number))
      },
    ),
  )
})
