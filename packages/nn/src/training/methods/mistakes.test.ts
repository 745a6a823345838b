import { seeded } from 'rlvi/random'
import { describe, expect, it } from 'vitest'
import { mistakenShare } from './mistakes.js'

const CLASSES = 4
const SAMPLES = 20_000

/**
 * Images of four classes. The last two look alike: a network knows each only so far as its P(first), even from 0 to 1, says. Of the other two it is sure.
 * `labelOf` makes the given label of the true one.
 */
function known(seed: number, isAlike: boolean, labelOf: (own: number, random: () => number) => number) {
  const random = seeded(seed, 'mistakes')
  const predictions: number[] = []
  const labels: number[] = []
  for (let i = 0; i < SAMPLES; i++) {
    const kind = i % CLASSES
    if (kind < 2 || !isAlike) {
      const sure = 0.9 + 0.1 * random()
      predictions.push(...Array.from({ length: CLASSES }, (_, c) => (c === kind ? sure : (1 - sure) / 3)))
      labels.push(labelOf(kind, random))
    } else {
      const first = random()
      predictions.push(0, 0, first, 1 - first)
      labels.push(labelOf(random() < first ? 2 : 3, random))
    }
  }
  return { predictions, labels, classes: CLASSES }
}
const asTheyAre = (own: number): number => own
const next = (share: number) => (own: number, random: () => number) =>
  random() < share ? (own + 1) % CLASSES : own
const ofHalf = (own: number, random: () => number): number => (own % 2 === 0 ? next(0.4)(own, random) : own)
const any = (own: number, random: () => number): number =>
  random() < 0.4 ? (own + 1 + Math.floor(3 * random())) % CLASSES : own

describe('labels that a network contradicts by mistake', () => {
  it('are those of classes that look alike: a quarter of the labels of half of the images', () => {
    expect(Math.abs(mistakenShare(known(1, true, asTheyAre)) - 1 / 8)).toBeLessThan(0.01)
  })

  it('are none where labels are wrong, go they one way, in half of the classes or everywhere', () => {
    for (const labelOf of [asTheyAre, next(0.2), next(0.4), ofHalf, any])
      expect(mistakenShare(known(2, false, labelOf))).toBeLessThan(0.01)
  })

  it('are seen among wrong labels, as far as labels are right', () => {
    // Those of P(first) from .2 to .8 are contradicted by mistake as well as not; of them 60 % have their own label.
    for (const labelOf of [next(0.2), any]) {
      const share = mistakenShare(known(3, true, labelOf))
      expect(share).toBeGreaterThan(0.04)
      expect(share).toBeLessThan(0.13)
    }
  })

  it('do not depend on the order of images or the names of classes, and are none where there are no labels', () => {
    const { predictions, labels, classes } = known(4, true, next(0.2))
    const share = mistakenShare({ predictions, labels, classes })
    const turned = {
      predictions: labels.flatMap((_, i) => {
        const from = (SAMPLES - 1 - i) * classes
        return predictions.slice(from, from + classes).reverse()
      }),
      labels: labels.toReversed().map((label) => classes - 1 - label),
      classes,
    }
    expect(mistakenShare(turned)).toBe(share)
    expect(mistakenShare({ predictions: [], labels: [], classes })).toBe(0)
  })
})
