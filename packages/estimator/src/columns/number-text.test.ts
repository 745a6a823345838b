import fc from 'fast-check'
import { expect, test } from 'vitest'
import { argumentWords } from '../words.js'
import { checkNumberRules, type NumberRules, numberReader } from './number-text.js'

/** A number as people in some country write it. */
const habits: [NumberRules, Intl.NumberFormat, string][] = [
  [{ thousands: ',' }, new Intl.NumberFormat('en-US', { maximumFractionDigits: 9 }), ''],
  [{ thousands: '.', decimal: ',' }, new Intl.NumberFormat('de-DE', { maximumFractionDigits: 9 }), ''],
  [{ thousands: 'space', decimal: ',' }, new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 9 }), ''],
  [{ thousands: 'apostrophe' }, new Intl.NumberFormat('de-CH', { maximumFractionDigits: 9 }), ''],
  [{ thousands: ',', units: ['₹'] }, new Intl.NumberFormat('en-IN', { maximumFractionDigits: 9 }), '₹'],
  [
    { units: ['m', 'mm'] },
    new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 9 }),
    ' mm',
  ],
]

test.each(habits)('%j reads what is written so', (rules, format, unit) => {
  const read = numberReader(rules)
  fc.assert(
    fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 10_000 }), (whole, part) => {
      const value = whole + part / 1e4
      expect(read(`${format.format(value)}${unit}`.replace('\u2212', '-'))).toBeCloseTo(value, 9)
    }),
  )
})

test('a sign that is in no place where it belongs makes no number', () => {
  for (const text of ['1,23', '1,2345', ',123', '1,234,5', '1,,234', '1,234.5.6', '0,5'])
    expect(numberReader({ thousands: ',' })(text)).toBeNaN()
  for (const text of ['1.5', '1.23', '12.3456'])
    expect(numberReader({ thousands: '.', decimal: ',' })(text)).toBeNaN()
  for (const text of ['$', 'kg', '5 g', '$5$', '5 kgkg', 'kg5kg'])
    expect(numberReader({ units: ['$', 'kg'] })(text)).toBeNaN()
  expect(['$5', '-$5', '$-5', '5$', ' 5 kg ', '.5kg'].map(numberReader({ units: ['$', 'kg'] }))).toEqual([
    5, -5, -5, 5, 5, 0.5,
  ])
})

test('a sign has one meaning', () => {
  expect(() => checkNumberRules({ thousands: '.' }, argumentWords)).toThrow(
    'thousands: another sign than that before decimals is needed, got "."; give decimal "," too',
  )
  expect(() => checkNumberRules({ units: ['5'] }, argumentWords)).toThrow(
    'units: signs or words without digits are needed',
  )
})
