import { describe, expect, it } from 'vitest'
import { scatterOf } from './scatter.js'

/** T where each class keeps its own name in `right` of all cases and has its wrong ones by `names`, counted from it. */
function habits(classes: number, right: number, names: readonly number[]): number[] {
  return Array.from({ length: classes ** 2 }, (_, at) => {
    const step = ((at % classes) - Math.floor(at / classes) + classes) % classes
    if (step === 0) return right
    return names.includes(step) ? (1 - right) / names.length : 0
  })
}

describe('how scattered wrong labels are', () => {
  it('is 0 where each class has one wrong name, and 1 where all are alike, whatever the share of wrong labels', () => {
    for (const right of [0.2, 0.55, 0.999]) {
      expect(scatterOf(habits(10, right, [1]), 10)).toBeCloseTo(0, 12)
      expect(scatterOf(habits(10, right, [1, 2, 3, 4, 5, 6, 7, 8, 9]), 10)).toBeCloseTo(1, 12)
    }
  })

  it('counts wrong names that are equally likely', () => {
    expect(scatterOf(habits(10, 0.6, [1, 4, 5]), 10)).toBeCloseTo(2 / 8, 12)
  })

  it('weighs classes by how often they go wrong', () => {
    const mixed = habits(4, 1, [1])
    mixed.splice(0, 4, 0.7, 0.3, 0, 0)
    mixed.splice(4, 4, 0.1, 0.7, 0.1, 0.1)
    // Two classes of which .3 is wrong: one wrong name, and three.
    expect(scatterOf(mixed, 4)).toBeCloseTo((Math.sqrt(3) - 1) / 2, 12)
  })

  it('is 0 of two classes, and where nothing is wrong', () => {
    expect(scatterOf([0.7, 0.3, 0.4, 0.6], 2)).toBe(0)
    expect(scatterOf(habits(5, 1, [1]), 5)).toBe(0)
  })
})
