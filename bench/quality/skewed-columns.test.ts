import { describe, expect, it } from 'vitest'
import { work as clusters, coverage } from './clusters.js'
import { work } from './skewed-columns.js'

// Small versions of the programs, on seeds of their own.

describe('skewed columns', () => {
  it.each([
    ['covariance', 0],
    ['mean', 0],
    ['pca', 0],
    ['covariance', 0.2],
  ] as const)('%s with a share of %s bad rows: the interval holds it', (model, share) => {
    const cell = { marginal: 'exponential', rows: 100, columns: 3, dependence: 'sums', share } as const
    const found = work({ model, ...cell, seed: 11, first: 0, last: 8 })
    // Of eight intervals that cover 85 %, fewer than five do once in fifty times.
    expect(found.filter(({ holds }) => holds).length).toBeGreaterThanOrEqual(5)
  })
})

describe('clusters without a gap', () => {
  it.each([4, 5])('at %i sigma are in the interval', (distance) => {
    const setting = { rows: 300, columns: 3, share: 0.2, distance, spread: 1 }
    const found = clusters({ kind: 'cluster', setting, law: 'normal', seed: 11, first: 0, last: 8 })
    expect(coverage(0.2, found)).toBeGreaterThanOrEqual(5 / 8)
  })
})
