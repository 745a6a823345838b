import { expect, test } from 'vitest'
import { probability, tickFormat } from './numbers.js'

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
