import { expect, test } from 'vitest'
import { digitsOf, ends, percent, probability, tickFormat } from './numbers.js'

test('an axis has room for its numbers, and 0 has no unit', () => {
  const at = (most: number, values: readonly number[]): (string | undefined)[] =>
    values.map((value) => tickFormat([-most, most], 10_000)?.(value))
  expect(at(1_600_000, [0, 500_000, 1_000_000, -1_500_000])).toEqual(['0', '500k', '1M', '−1.5M'])
  expect(at(40_000, [400, 2500, 1000])).toEqual(['400', '2.5k', '1k'])
  expect(at(2020, [1960, 2000, -1980])).toEqual(['1960', '2000', '−1980'])
  expect(at(999, [400])).toEqual([undefined])
  expect(at(2e-6, [0, -2e-6])).toEqual(['0', '−2e-6'])
})

test('no probability is a certainty that it is not', () => {
  expect([0, 1e-9, 0.25, 1 - 1e-9, 1].map(probability)).toEqual([
    '< 0.001',
    '< 0.001',
    '0.250',
    '> 0.999',
    '1.000',
  ])
})

test('both ends of an interval are told apart, whatever they are beside its width', () => {
  expect(ends([1012.583, 1013.532])).toBe('1012.58 to 1013.53')
  expect(ends([-658123, -557456])).toBe('-658000 to -557000')
  expect(ends([0.97012, 1.03217])).toBe('0.9701 to 1.032')
  expect(ends([5, 5])).toBe('5 to 5')
  expect(digitsOf(1e9, 1e-9, 3)).toBe(12)
})

test('a share that is nearly all is not told as all', () => {
  expect([0.998, 0.99999, 1, 0.993].map(percent)).toEqual([
    '99.8\u00a0%',
    '99.9\u00a0%',
    '100\u00a0%',
    '99\u00a0%',
  ])
})
