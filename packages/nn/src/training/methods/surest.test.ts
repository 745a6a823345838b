import { seeded } from 'rlvi/random'
import { describe, expect, it } from 'vitest'
import { habitShares, surestLevel } from './surest.js'

/** Two classes; what is predicted is so with a probability between one half and one, and `isWrong` says which labels contradict it. */
function twoClasses(samples: number, seed: number, isWrong: (sure: number, random: number) => boolean) {
  const random = seeded(seed, 'surest')
  const predictions: number[] = []
  const labels: number[] = []
  for (let i = 0; i < samples; i++) {
    const said = i % 2
    const sure = 0.5 + 0.5 * random()
    predictions.push(said === 0 ? sure : 1 - sure, said === 0 ? 1 - sure : sure)
    labels.push(isWrong(sure, random()) ? 1 - said : said)
  }
  return { predictions, labels, classes: 2 }
}

describe('labels that contradict the surest predictions', () => {
  it('are as many as elsewhere where labels go wrong, so that all of them count as a habit', () => {
    for (const share of [0.05, 0.2, 0.45]) {
      const known = twoClasses(20_000, 1, (_, random) => random < share)
      expect(Math.abs(surestLevel(known, 1) - share)).toBeLessThan(0.01)
      expect(Math.abs(surestLevel(known, 0.2) - share)).toBeLessThan(0.02)
      for (const together of ['class', 'name'] as const)
        expect([...habitShares(known, together)]).toEqual([1, 1, 1, 1])
    }
  })

  it('are few where classes look alike and the network knows how much', () => {
    // All labels are right and follow the predictions: 25 % of all contradict them, 5 % of those of the surest fifth.
    const known = twoClasses(20_000, 2, (sure, random) => random > sure)
    expect(Math.abs(surestLevel(known, 1) - 0.25)).toBeLessThan(0.01)
    expect(Math.abs(surestLevel(known, 0.2) - 0.05)).toBeLessThan(0.01)
    const [, one, other] = habitShares(known, 'class')
    for (const share of [one, other]) expect(Math.abs(share - 0.2)).toBeLessThan(0.05)
    // Nothing at all where the network is never wrong and sure.
    const sharp = twoClasses(20_000, 3, (sure, random) => sure < 0.75 && random < 0.5)
    expect([...habitShares(sharp, 'class')]).toEqual([1, 0, 0, 1])
  })

  it('are told from those of other names where each name is by itself', () => {
    // A tenth of what is predicted to be 0 is called 1 wherever it is sure; right labels 2 contradict it where it is not.
    const random = seeded(6, 'surest')
    const sure = Array.from({ length: 20_000 }, () => 0.5 + 0.5 * random())
    const known = {
      predictions: sure.flatMap((p) => [p, (1 - p) / 2, (1 - p) / 2]),
      labels: sure.map((p) => (random() < 0.1 ? 1 : p < 0.7 && random() < 0.5 ? 2 : 0)),
      classes: 3,
    }
    expect([...habitShares(known, 'name').subarray(0, 3)]).toEqual([1, 1, 0])
    const [, one, other] = habitShares(known, 'class')
    expect(one).toBe(other)
    expect(one).toBeLessThan(1)
  })

  it('count as they are in few labels and where there are none, and their order changes nothing', () => {
    const few = twoClasses(98, 4, (sure, random) => sure < 0.6 && random < 0.5)
    expect([...habitShares(few, 'name')]).toEqual([1, 1, 1, 1])
    expect([...habitShares({ predictions: [], labels: [], classes: 2 }, 'class')]).toEqual([1, 1, 1, 1])
    // Sure in tenths, so that many are as sure as the last of the surest.
    const all = twoClasses(2000, 5, (sure, random) => random > sure ** 2)
    const coarse = { ...all, predictions: all.predictions.map((p) => Math.round(10 * p) / 10) }
    const backwards = {
      predictions: coarse.predictions.map((_, at) => coarse.predictions[3998 - at + 2 * (at % 2)]),
      labels: coarse.labels.toReversed(),
      classes: 2,
    }
    expect([...habitShares(backwards, 'class')]).toEqual([...habitShares(coarse, 'class')])
  })
})
