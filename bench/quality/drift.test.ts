import { describe, expect, it } from 'vitest'
import { burst, calm, drift } from './drift.js'

// A small version of the program in this folder, whose results are in docs/streams.md: fewer seeds, the same bounds.

describe('drift', () => {
  it.each([1, 2, 3])(
    'a flipped rule is reported within 5 batches and followed within 20, seed %s',
    (seed) => {
      const { reported, recovered } = drift('logistic', 'flip', seed)
      expect(reported).toBeLessThanOrEqual(5)
      expect(recovered).toBeLessThanOrEqual(20)
    },
  )

  it.each([1, 2, 3])(
    'a burst of noise is corruption, and costs at most 2 points afterwards, seed %s',
    (seed) => {
      const { cost, corruption, drift: followed } = burst('logistic', seed)
      expect(corruption).toBe(true)
      expect(followed).toBe(false)
      expect(cost).toBeLessThanOrEqual(2)
    },
  )

  it.each(['logistic', 'softmax', 'linear'] as const)('%s: steady noise is no drift', (model) => {
    expect(calm(model, () => 0.3, 1, 300).drift).toBe(0)
  })
})
