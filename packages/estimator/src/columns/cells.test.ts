import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cells } from './cells.js'

const { labelOf, numberOf } = cells()

test('every finite number is read back from its text', () => {
  fc.assert(
    fc.property(
      fc.double({ noDefaultInfinity: true, noNaN: true }),
      fc.constantFrom('', ' '),
      (value, blank) => {
        expect(numberOf(`${blank}${value}${blank}`)).toBe(Object.is(value, -0) ? 0 : value)
        expect(numberOf(value)).toBe(value)
      },
    ),
  )
})

test('other ways to write numbers, and true and false', () => {
  expect([' 0 ', '-0', '+1.50', '.5', '5.', '1E3', '000', '-1e-3'].map(numberOf)).toEqual([
    0, -0, 1.5, 0.5, 5, 1000, 0, -0.001,
  ])
  expect([true, false, 'true', 'FALSE'].map(numberOf)).toEqual([1, 0, 1, 0])
})

test('what is missing, and what is no number', () => {
  for (const value of [null, undefined, '', '  ', 'NA', 'n/a', 'NaN', 'null', Object]) {
    expect(numberOf(value)).toBe('a value is missing')
  }
  for (const value of ['x', '0x10', '0b1', '1,5', '1 2', '--1', '1e']) {
    expect(numberOf(value)).toBe(`a number is needed, got ${JSON.stringify(value)}`)
  }
  expect(numberOf([1])).toBe('a number is needed, got [1]')
  expect(numberOf({ a: 1 })).toBe('a number is needed, got {"a":1}')
  for (const value of ['Infinity', '-1e999']) expect(numberOf(value)).toMatch(/^a finite number is needed/)
  expect(numberOf(Number.POSITIVE_INFINITY)).toBe('a finite number is needed, got Infinity')
})

test('labels are the same as number, text or truth', () => {
  expect([0, '0', '0.0', false, 'false', ' 0'].map((value) => labelOf(value, ['0', '1']))).toEqual([
    0, 0, 0, 0, 0, 0,
  ])
  expect([1, '1', '1.0', true].map((value) => labelOf(value, ['0', '1']))).toEqual([1, 1, 1, 1])
  expect(['no', 'yes', 'maybe', null, ''].map((value) => labelOf(value, ['no', 'yes']))).toEqual([
    0, 1, -1, -1, -1,
  ])
  expect([true, 1, '1', 'True'].map((value) => labelOf(value, ['false', 'true']))).toEqual([1, 1, 1, 1])
})
