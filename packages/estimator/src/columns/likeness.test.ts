import { expect, test } from 'vitest'
import { likeness } from './likeness.js'

test.each([
  ['$5', 'a currency sign'],
  ['€ 1.234,50', 'a currency sign'],
  ['12 €', 'a currency sign'],
  ['-$3', 'a currency sign'],
  ['5%', 'a percent sign'],
  ['1,234,567', 'thousands separators'],
  ['1,234.50', 'thousands separators'],
  ['1 234', 'thousands separators'],
  ["1'234.5", 'thousands separators'],
  ['1_000', 'thousands separators'],
  ['1,5', 'a decimal comma'],
  ['-0,25', 'a decimal comma'],
  ['1,500', 'a thousands separator, or a decimal comma'],
  ['1.234,5', 'thousands separators and a decimal comma'],
  ['0x1F', 'hexadecimal'],
  ['1.5D+03', 'an exponent written with D'],
  ['(5.20)', 'a negative number in brackets'],
  ['inf', 'an infinity'],
  ['-Infinity', 'an infinity'],
  ['1e999', 'an infinity'],
  ['12:30', 'a time of day'],
])('%j has %s', (text, what) => {
  expect(likeness(text, '.')).toBe(what)
})

test('with decimal commas it is the point that is odd', () => {
  expect(likeness('1.5', ',')).toBe('a decimal point')
  expect(likeness('1.234.567', ',')).toBe('thousands separators')
  expect(likeness('1.234,5', ',')).toBe('thousands separators')
})

test('other words look like no number', () => {
  for (const text of ['old', '5-10', '2 doors', 'A4', '$', '%', '', ',', '1-800', 'v1.2.3', '>5'])
    expect(likeness(text, '.')).toBeUndefined()
})
