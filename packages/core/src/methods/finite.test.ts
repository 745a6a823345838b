import { describe, expect, it } from 'vitest'
import { RlviError } from '../errors.js'
import { covariance } from '../likelihoods/covariance.js'
import { linear } from '../likelihoods/linear.js'
import { mean } from '../likelihoods/mean.js'
import { pca } from '../likelihoods/pca.js'
import { fromRows, type Matrix } from '../matrix.js'
import type { Fit } from '../result.js'
import { TestRandom } from '../testing/random.js'
import { fit } from './fit.js'

/** Tables that break careless arithmetic. */
const random = new TestRandom(3)
const cloud = (n: number, d: number): number[][] =>
  Array.from({ length: n }, () => Array.from({ length: d }, () => random.normal()))
const TABLES: Readonly<Record<string, readonly (readonly number[])[]>> = {
  'one row': cloud(1, 3),
  'two rows': cloud(2, 3),
  'three rows': cloud(3, 3),
  'five rows': cloud(5, 3),
  'as many rows as columns': cloud(4, 4),
  'all the same': Array.from({ length: 12 }, () => [1, 2, 3]),
  'a constant column': cloud(20, 3).map(([a, b]) => [a, 4, b]),
  'a column twice': cloud(20, 3).map(([a, b]) => [a, a, b]),
  'a row at the mean': [[0, 0, 0], ...cloud(10, 3).flatMap((row) => [row, row.map((v) => -v)])],
  'ties on a grid': Array.from({ length: 30 }, (_, i) => [i % 3, i % 2, i % 5]),
  'mostly zeros': Array.from({ length: 40 }, (_, i) => [
    i % 7 === 0 ? i : 0,
    i % 11 === 0 ? 1 : 0,
    i % 13 === 0 ? 5 : 0,
  ]),
  huge: cloud(20, 3).map((row) => row.map((v) => 1e100 * v)),
  tiny: cloud(20, 3).map((row) => row.map((v) => 1e-100 * v)),
  'one row far beyond the others': [[1e12, 1e12, 1e12], ...cloud(20, 3)],
  'every row twice': cloud(10, 3).flatMap((row) => [row, row]),
  'half on a line': Array.from({ length: 24 }, (_, i) =>
    i < 14 ? [i, i, i] : [i, (i * 7) % 5, (i * 5) % 7],
  ),
}

const MODELS: Readonly<Record<string, (x: Matrix) => Fit<object>>> = {
  linear: (x) => {
    const rows = Array.from({ length: x.rows }, (_, i) =>
      Array.from(x.values.subarray(i * x.cols, (i + 1) * x.cols)),
    )
    return fit(linear(), {
      x: fromRows(rows.map((row) => row.slice(1))),
      y: Float64Array.from(rows, ([y]) => y),
    })
  },
  mean: (x) => fit(mean(), { x }),
  covariance: (x) => fit(covariance(), { x }),
  pca: (x) => fit(pca({ components: 1 }), { x }),
}

function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  if (value instanceof Float64Array || Array.isArray(value)) return Array.from(value as ArrayLike<number>)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersOf) : []
}

describe.each(Object.keys(MODELS))('%s', (model) => {
  it.each(Object.keys(TABLES))('of %s: finite numbers, or a status or error that says why', (name) => {
    let result: Fit<object>
    try {
      result = MODELS[model](fromRows(TABLES[name].map((row) => [...row])))
    } catch (error) {
      expect(error).toBeInstanceOf(RlviError)
      return
    }
    expect(result.clean.every((p) => p >= 0 && p <= 1)).toBe(true)
    const { level, interval } = result.corruption
    expect(level === undefined || (level >= 0 && level <= 1)).toBe(true)
    if (interval !== undefined) {
      expect(interval[0]).toBeGreaterThanOrEqual(0)
      expect(interval[1]).toBeLessThanOrEqual(1)
      expect(interval[0]).toBeLessThanOrEqual(level! + 1e-12)
      expect(interval[1]).toBeGreaterThanOrEqual(level! - 1e-12)
    }
    if (result.status.kind === 'converged') expect(numbersOf(result.params).every(Number.isFinite)).toBe(true)
    if (result.standardErrors !== undefined)
      expect(numbersOf(result.standardErrors).every(Number.isFinite)).toBe(true)
  })
})
