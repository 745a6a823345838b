import { describe, expect, it } from 'vitest'
import { foldsOf } from './audit.js'
import { ensemble } from './ensemble-scores.js'

describe('ensemble scores', () => {
  const all = Int32Array.of(0, 1, 2, 3)
  // Four samples of two classes: the networks are sure of the first three, and of the last one against its label.
  const sure = [0.99, 0.01, 0.02, 0.98, 0.97, 0.03, 0.99, 0.01]
  const labels = [0, 1, 0, 1]

  it('rank a label that the networks contradict first, and say what it looks like', () => {
    const found = ensemble(4, 2)
    found.add(all, sure)
    const { order, suggested, probability, losses, clean, habits, level, interval } = found.scores(labels)
    // A label 1 may be a 0, as the last one seems to be; that a 0 is a 1 was never seen.
    expect([...order]).toEqual([3, 1, 2, 0])
    // Four labels say nothing of how sure the share is.
    expect(interval).toBeUndefined()
    expect([...suggested]).toEqual([0, 1, 0, 0])
    expect(probability[3]).toBeCloseTo(0.99, 12)
    // Class 0: its own name once, the first and the third image; and the last one, called 1. One label in a hundred may be any.
    const mixed = (share: number): number => 0.99 * share + 0.01 / 2
    const [right, wrong] = [mixed((1 + 0.99 + 0.97) / 3.95), mixed(0.99 / 3.95)]
    const expected = [right, wrong, mixed(0), mixed(1)]
    habits.forEach((share, at) => {
      expect(share).toBeCloseTo(expected[at]!, 12)
    })
    const cleans = [
      (0.99 * right) / (0.99 * right + 0.01 * mixed(0)),
      (0.98 * mixed(1)) / (0.98 * mixed(1) + 0.02 * wrong),
      (0.97 * right) / (0.97 * right + 0.03 * mixed(0)),
      (0.01 * mixed(1)) / (0.01 * mixed(1) + 0.99 * wrong),
    ]
    clean.forEach((p, i) => {
      expect(p).toBeCloseTo(cleans[i]!, 12)
    })
    expect(level).toBeCloseTo(1 - cleans.reduce((sum, p) => sum + p, 0) / 4, 12)
    expect(losses[3]).toBeCloseTo(-Math.log(0.01), 12)
  })

  it('are the same whether one network gives them or two, in whatever parts', () => {
    const [once, twice] = [ensemble(4, 2), ensemble(4, 2)]
    once.add(all, sure)
    for (let k = 0; k < 2; k++) {
      twice.add(Int32Array.of(3, 1), [0.99, 0.01, 0.02, 0.98])
      twice.add(Int32Array.of(0, 2), [0.99, 0.01, 0.97, 0.03])
    }
    const [a, b] = [once.scores(labels), twice.scores(labels)]
    expect([...b.order]).toEqual([...a.order])
    b.losses.forEach((loss, i) => {
      expect(loss).toBeCloseTo(a.losses[i], 12)
    })
  })

  it('estimate the share of labels that are random', () => {
    // A tenth of the labels is drawn at random from ten classes, and the networks know better.
    const [n, k] = [5000, 10]
    const found = ensemble(n, k)
    const given = Array.from({ length: n }, (_, i) => (i % 10 === 0 ? (i / 10) % k : (i * 7) % k))
    const truth = Array.from({ length: n }, (_, i) => (i * 7) % k)
    const probabilities = truth.flatMap((label) =>
      Array.from({ length: k }, (_, c) => (c === label ? 0.9991 : 0.0001)),
    )
    found.add(
      Int32Array.from({ length: n }, (_, i) => i),
      probabilities,
    )
    const { level, interval, clean, learned, givenUp } = found.scores(given)
    expect([learned, givenUp]).toEqual([true, []])
    // One random label in ten is right by chance.
    const wrong = given.filter((label, i) => label !== truth[i]).length / n
    expect(Math.abs(level - wrong)).toBeLessThan(0.01)
    for (const share of [level, wrong]) {
      expect(interval![0]).toBeLessThanOrEqual(share)
      expect(interval![1]).toBeGreaterThanOrEqual(share)
    }
    // All of them are of one class, which may also have been given for another.
    expect(interval![0]).toBe(0)
    expect(interval![1]).toBeLessThan(0.12)
    for (let i = 0; i < n; i++) expect(clean[i] > 0.5).toBe(given[i] === truth[i])
  })

  it('say so where nothing was learned', () => {
    const found = ensemble(3, 2)
    found.add(Int32Array.of(0, 1, 2), new Float32Array(6).fill(0.5))
    expect(found.scores([0, 1, 0]).learned).toBe(false)
    expect(() => ensemble(2, 2).scores([0, 1])).toThrow('audit: a score of every sample is needed, got 0')
  })
})

it('cuts every sample into exactly one fold, of nearly equal size', () => {
  const folds = foldsOf(100, 3, 7)
  expect(folds.map((fold) => fold.length).sort()).toEqual([33, 33, 34])
  expect(folds.flatMap((fold) => [...fold]).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 100 }, (_, i) => i),
  )
  expect(foldsOf(100, 3, 7)).toEqual(folds)
  expect(foldsOf(100, 3, 8)).not.toEqual(folds)
  expect(() => foldsOf(2, 3, 0)).toThrow('folds: a whole number from 2 to 2 is needed, got 3')
})
