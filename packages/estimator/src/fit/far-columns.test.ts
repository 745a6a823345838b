import { draws } from 'rlvi/random'
import { expect, test } from 'vitest'
import { fitTable } from './fit-table.js'

// A law of covariance and components: what is added to a column moves its mean and nothing else. Shifts of powers of two lose no digit of
// columns of whole numbers.

const SHIFT = 2 ** 30

function columnsOf(seed: number): Record<'a' | 'b' | 'c', number[]> {
  const { normal, uniform } = draws('test', 'far-columns', seed)
  const rows = Array.from({ length: 120 }, () => {
    const off = uniform(0, 1) < 0.15 ? 3000 * normal() : 0
    const [u, v] = [normal(), normal()]
    return [400 * u, 300 * u + 200 * v + off, 100 * normal() + off].map(Math.round)
  })
  return { a: rows.map((row) => row[0]!), b: rows.map((row) => row[1]!), c: rows.map((row) => row[2]!) }
}

test.each([
  ['covariance', 'paper'],
  ['covariance', 'calibrated'],
  ['covariance', 'ml'],
  ['pca', 'paper'],
  ['pca', 'calibrated'],
] as const)('%s by %s is that of the same columns far from 0', (model, method) => {
  for (const seed of [1, 2, 3]) {
    const near = columnsOf(seed)
    const far = { ...near, a: near.a.map((value) => value + SHIFT), c: near.c.map((value) => value - SHIFT) }
    const [wanted, got] = [near, far].map((table) => fitTable(table, { model, method }))
    const numbers = ({ mean: _, ...others }: Record<string, unknown>): number[] =>
      JSON.stringify(others)
        .match(/-?\d+(\.\d+)?(e[+-]?\d+)?/g)!
        .map(Number)
    const size = Math.hypot(...numbers(wanted!.params as never))
    numbers(got!.params as never).forEach((value, k) => {
      expect(Math.abs(value - numbers(wanted!.params as never)[k]!)).toBeLessThanOrEqual(1e-8 * size)
    })
    expect(got!.iterations).toBe(wanted!.iterations)
    expect(got!.flagged).toBe(wanted!.flagged)
    expect(
      got!.clean.map((p, i) => Math.abs(p - wanted!.clean[i]!)).reduce((a, b) => Math.max(a, b)),
    ).toBeLessThan(1e-6)
  }
})
