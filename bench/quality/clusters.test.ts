import { describe, expect, it } from 'vitest'
import { coverage, work } from './clusters.js'

// Small versions of the program, on a seed of their own.

describe('a cluster of bad rows', () => {
  it.each([
    [2, 0.3, 8],
    [5, 0.1, 8],
    [5, 0.2, 1000],
    [10, 0.2, 8],
  ])('in %i columns of share %s at %i sigma is counted', (columns, share, distance) => {
    const setting = { rows: 100, columns, share, distance, spread: 1 }
    const found = work({ kind: 'cluster', setting, law: 'normal', seed: 1, first: 0, last: 20 })
    // Of 20 intervals that cover 90 %, fewer than 16 cover once in 24 times.
    expect(coverage(share, found)).toBeGreaterThanOrEqual(0.8)
  })
})

describe('a clean cloud', () => {
  it.each(['normal', 'exponential', 't5'] as const)('of %s columns gets no higher level', (law) => {
    const setting = { rows: 100, columns: 3, share: 0, distance: 0, spread: 1 }
    const found = work({ kind: 'clean', setting, law, seed: 1, first: 0, last: 20 })
    const raised = found.reduce((sum, { level, other }) => sum + level - other, 0) / found.length
    expect(raised).toBeLessThanOrEqual(0.005)
  })
})
