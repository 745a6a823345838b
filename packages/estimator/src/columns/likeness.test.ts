import { expect, test } from 'vitest'
import { likeness, unitLikeness } from './likeness.js'

test.each([
  ['$5', 'a currency sign'],
  ['€ 1.234,50', 'a currency sign'],
  ['12 €', 'a currency sign'],
  ['-$3', 'a currency sign'],
  ['5%', 'a percent sign'],
  ['1,234,567', 'thousands separators'],
  ['1,234.50', 'thousands separators'],
  ['4.263.530', 'thousands separators'],
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
  expect(likeness(text, '.')?.what).toBe(what)
})

test('with decimal commas it is the point that is odd', () => {
  expect(likeness('1.5', ',')?.what).toBe('a decimal point')
  expect(likeness('1.234.567', ',')?.what).toBe('thousands separators')
  expect(likeness('1.234,5', ',')?.what).toBe('thousands separators')
})

test('other words look like no number', () => {
  for (const text of ['old', '5-10', '2 doors', 'A4', '$', '%', '', ',', '1-800', 'v1.2.3', '>5'])
    expect(likeness(text, '.')).toBeUndefined()
})

test.each([
  ['1,5', '.', { decimal: ',' }],
  ['1,234,567', '.', { thousands: ',' }],
  ['1,234.5', '.', { thousands: ',' }],
  ['1,234', '.', { thousands: ',', decimal: ',', unsure: true }],
  ['1.234,5', '.', { thousands: '.', decimal: ',' }],
  ['1 234,5', '.', { thousands: 'space', decimal: ',' }],
  ["1'234.5", '.', { thousands: 'apostrophe' }],
  ['1_000', '.', { thousands: 'underscore' }],
  ['1.234', ',', { thousands: '.', decimal: '.', unsure: true }],
  ['$5', '.', { unit: '$' }],
  ['-$1,234.50', '.', { unit: '$', thousands: ',' }],
  ['1.234,50 €', '.', { unit: '€', thousands: '.', decimal: ',' }],
  ['5 %', '.', { unit: '%' }],
  ['(5)', '.', undefined],
] as const)('%j beside a decimal %j is a number when it is read as %j', (text, decimal, reading) => {
  expect(likeness(text, decimal)?.reading).toEqual(reading)
})

test('numbers with a unit', () => {
  const units = ['12 kg', '12kg', '1,234 m', '3.5 °C', 'EUR 5', '80 km/h', '7 doors'].map(
    (text) => unitLikeness(text, '.')?.reading?.unit,
  )
  expect(units).toEqual(['kg', 'kg', 'm', '°C', 'EUR', 'km/h', 'doors'])
  for (const text of ['12A', '5th', 'kg', 'A4', 'v1.2', '12', '1 2 3 go!', 'Ford 5'])
    expect(unitLikeness(text, '.')).toBeUndefined()
})
