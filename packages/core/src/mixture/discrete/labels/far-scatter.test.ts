import { describe, expect, it } from 'vitest'
import type { Supervised } from '../../../likelihoods/likelihood.js'
import { softmax } from '../../../likelihoods/softmax.js'
import { matrix } from '../../../matrix.js'
import { fit } from '../../../methods/fit.js'
import { TestRandom } from '../../../testing/random.js'

const CLASSES = 3
const COLS = 4

/** Classes about centres of their own, with Student's t of so many degrees of freedom about them; a share of the labels flipped. */
function rows(seed: number, n: number, freedom: number, apart: number, flipped: number): Supervised {
  const random = new TestRandom(seed)
  const x = matrix(n, COLS)
  const y = Float64Array.from({ length: n }, (_, i) => {
    const c = random.below(CLASSES)
    let squares = 0
    for (let k = 0; k < freedom; k++) squares += random.normal() ** 2
    const stretch = Math.sqrt(freedom / squares)
    for (let j = 0; j < COLS; j++) x.values[i * COLS + j] = (j === c ? apart : 0) + stretch * random.normal()
    return random.uniform() < flipped ? (c + 1 + random.below(CLASSES - 1)) % CLASSES : c
  })
  return { x, y }
}

const model = softmax({ classes: CLASSES, ridge: 0.01 })

describe('labels of classes that scatter far', () => {
  it('may all be right, and are said to look wrong, in at least 2 of 3 sets', () => {
    const found = [1, 2, 3].map((seed) => fit(model, rows(seed, 400, 3, 3, 0)))
    expect(found.filter(({ corruption }) => corruption.interval![0] === 0).length).toBeGreaterThanOrEqual(2)
    const told = found.filter(({ cautions }) =>
      cautions?.some(({ message }) => message.includes('scatter far')),
    )
    expect(told.length).toBeGreaterThan(0)
  })

  it('are found wrong where a fifth is', () => {
    const { corruption } = fit(model, rows(3, 250, 3, 6, 0.2))
    expect(corruption.interval![0]).toBeGreaterThan(0.05)
    expect(corruption.interval![1]).toBeGreaterThan(0.2)
  })
})

it('rows so far out that a steep model gives their label no chance at all are fitted', () => {
  const { x, y } = rows(4, 200, 2, 6, 0)
  // A class lies where its centre is not: under a model of the others its loss exceeds 745, where e to minus it is 0.
  for (let k = 0; k < 3; k++) {
    x.values.set([400, 0, 0, 0], k * COLS)
    y[k] = 1
  }
  const { corruption, clean } = fit(model, { x, y })
  expect(corruption.level).toBeLessThan(0.1)
  expect(clean.every((p) => p >= 0 && p <= 1)).toBe(true)
})
