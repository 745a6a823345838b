import { expect, test } from 'vitest'
import { expectClose } from '../../testing/close.js'
import { CLEARLY_APART, separation } from './separation.js'

/** Distances that divide the law of density r^-2 between two ends evenly. */
function even(from: number, to: number, count: number): number[] {
  return Array.from({ length: count + 1 }, (_, k) => 1 / (1 / from - (k / count) * (1 / from - 1 / to)))
}

test('an empty gap before k rows weighs k times the log of what gap and rows are to the rows', () => {
  // Between 4 and 10 lies three times as much of r^-2 as between 10 and 20.
  const { evidence, from } = separation(Float64Array.from(even(10, 20, 20)), 4)
  expectClose(evidence, 20 * Math.log(4), 1e-9)
  expectClose(from, 10, 1e-12)
})

test('a tail that thins out has no gap, however long', () => {
  for (const end of [10, 1000, 1e9]) {
    expect(separation(Float64Array.from(even(4, end, 100)), 4).evidence).toBeLessThan(CLEARLY_APART)
  }
})

test('a gap of less than one scale is none', () => {
  const rows = Array.from({ length: 50 }, (_, k) => 4.9 + 1e-6 * k)
  expect(separation(Float64Array.from(rows), 4).evidence).toBe(0)
})

test('equal rows weigh as rows one scale apart', () => {
  const { evidence } = separation(Float64Array.of(9, 9, 9), 4)
  expectClose(evidence, 2 * Math.log((1 / 4 - 1 / 10) / (1 / 9 - 1 / 10)), 1e-12)
})

test('a cluster near by is seen beside one far away', () => {
  const { from } = separation(Float64Array.from([...even(10, 12, 30), ...even(1000, 1100, 60)]), 4)
  expectClose(from, 10, 1e-12)
})

test('no rows beyond the start, no evidence', () => {
  expect(separation(Float64Array.of(1, 2, 3), 4).evidence).toBe(0)
  expect(separation(new Float64Array(0), 4).evidence).toBe(0)
})
