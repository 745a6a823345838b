import { describe, expect, it } from 'vitest'
import { work } from './hidden-rows.js'
import { holds, isSilent, isTold, shareBeyond } from './told.js'

const judged = { low: 0, high: 0.04, truth: 0.1, beyond: 0.03, cautioned: false }

describe('an interval that misses', () => {
  it('is told where it holds the bad rows that lie beyond the distance that the command names', () => {
    expect(holds(judged)).toBe(false)
    expect(isTold(judged)).toBe(true)
    expect(isSilent(judged)).toBe(false)
  })

  it('is silent where more of them lie beyond, or where it begins above the truth', () => {
    expect(isSilent({ ...judged, beyond: 0.05 })).toBe(true)
    expect(isSilent({ ...judged, low: 0.11, high: 0.2 })).toBe(true)
    expect(isSilent({ ...judged, beyond: 0.05, cautioned: true })).toBe(false)
  })
})

it('bad rows beyond: on either side, all of them where nothing is named', () => {
  const errors = [-3, -1, 2, 5]
  expect(shareBeyond(errors, { above: 4, below: 2 }, 100)).toBeCloseTo(0.02)
  expect(shareBeyond(errors, { below: 2 }, 100)).toBeCloseTo(0.01)
  expect(shareBeyond(errors, { distance: 1.5 }, 100)).toBeCloseTo(0.03)
  expect(shareBeyond(errors, undefined, 100)).toBeCloseTo(0.04)
})

// A small version of hidden-rows, on a seed of its own.
it.each(['line3', 'noise', 'tail', 'median'])('%s: nothing is missed in silence', (kind) => {
  for (const run of [0, 1])
    expect(isSilent(work({ kind, law: 'normal', clean: false, seed: 31, run }))).toBe(false)
})
