import { describe, expect, it } from 'vitest'
import { cloudWithCluster } from '../../testing/clouds.js'
import { majorityCloud } from './majority-cloud.js'
import { CLEARLY_APART } from './separation.js'

describe('the cloud of the majority', () => {
  it.each([
    [2, 0.1],
    [2, 0.3],
    [5, 0.2],
    [10, 0.2],
    [25, 0.1],
  ])('in %i columns is free of a cluster of share %s', (columns, share) => {
    const bad = 400 * share
    const { inside, apart, evidence } = majorityCloud(cloudWithCluster(columns, 400, columns, bad, 10))!
    expect(evidence).toBeGreaterThan(CLEARLY_APART)
    expect(inside.subarray(0, bad).every((weight) => weight === 0)).toBe(true)
    // Of the good rows .27 % lie beyond its reach: more than 3 % of 400 never do.
    expect(inside.reduce((sum, weight) => sum + weight, 0)).toBeGreaterThan(0.97 * (400 - bad))
    expect(apart.subarray(bad).every((weight) => weight === 0)).toBe(true)
  })

  it.each([2, 5, 20])('of one Gaussian in %i columns has no other beside it', (columns) => {
    for (let seed = 0; seed < 5; seed++) {
      const { evidence } = majorityCloud(cloudWithCluster(seed, 200, columns, 0, 0))!
      expect(evidence).toBeLessThan(CLEARLY_APART)
    }
  })

  it('is not looked for in fewer rows than make a cloud', () => {
    expect(majorityCloud(cloudWithCluster(1, 6, 5, 0, 0))).toBeUndefined()
  })
})
