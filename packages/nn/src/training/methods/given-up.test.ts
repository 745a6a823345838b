import { seeded } from 'rlvi/random'
import { expect, it } from 'vitest'
import { givenUp } from './given-up.js'
import { trueLabels } from './true-label.js'

/** Two classes whose images are all told apart, and a network that knows how often each class has which label; `share` of class 0 are called 1. */
function called(share: number, each: number) {
  const random = seeded(3, 'given up')
  const truth = Array.from({ length: 2 * each }, (_, i) => i % 2)
  const labels = truth.map((own) => (own === 0 && random() < share ? 1 : own))
  const predictions = truth.flatMap((own) => (own === 0 ? [1 - share, share] : [0.01, 0.99]))
  return { predictions, labels, classes: 2 }
}

it('names a class most of whose images have the same wrong label, which seem to be of the other', () => {
  const known = called(0.7, 1000)
  const { clean, level } = trueLabels(known)
  // More than a third of all labels are wrong, and hardly any seems to be: nothing else tells that something is amiss.
  expect(level).toBeLessThan(0.1)
  expect(givenUp(known, clean)).toEqual([{ label: 0, like: 1 }])
})

it('names none where wrong labels are found', () => {
  for (const share of [0, 0.2, 0.45]) {
    const known = called(share, 1000)
    expect(givenUp(known, trueLabels(known).clean)).toEqual([])
  }
  // Most labels 1 are wrong, and count as such: the class is not given up.
  const known = {
    predictions: Array.from({ length: 40 }, (_, i) => (i < 30 ? [1, 0] : [0, 1])).flat(),
    labels: new Int32Array(40).fill(1),
    classes: 2,
  }
  const clean = Float64Array.from({ length: 40 }, (_, i) => (i < 30 ? 0.01 : 0.99))
  expect(givenUp(known, clean)).toEqual([])
  expect(givenUp(known, new Float64Array(40).fill(1))).toEqual([{ label: 1, like: 0 }])
})

it('names a class that hardly any image is taken for, whose labels all count as wrong', () => {
  const predictions = Array.from({ length: 400 }, (_, i) => (i % 40 === 0 ? [0.2, 0.8] : [0.7, 0.3])).flat()
  const known = {
    predictions,
    labels: Int32Array.from({ length: 400 }, (_, i) => (i < 80 ? 1 : 0)),
    classes: 2,
  }
  const clean = known.labels.map((label) => 1 - label)
  expect(givenUp(known, clean)).toEqual([{ label: 1, like: 0 }])
})

it('names none that is taken for many others, as one that is hard to learn is', () => {
  const labels = new Int32Array(90)
  const predictions = Array.from(labels, (_, i) => [0.3, 0, 0, 0].with(1 + (i % 3), 0.7)).flat()
  expect(givenUp({ predictions, labels, classes: 4 }, new Float64Array(90).fill(1))).toEqual([])
})

it('names none with fewer than ten labels, or without any', () => {
  const known = { predictions: Array.from({ length: 9 }, () => [1, 0]).flat(), classes: 2 }
  expect(givenUp({ ...known, labels: new Int32Array(9).fill(1) }, new Float64Array(9).fill(1))).toEqual([])
  expect(givenUp({ predictions: [], labels: [], classes: 2 }, [])).toEqual([])
})
