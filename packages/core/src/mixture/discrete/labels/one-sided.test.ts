import { describe, expect, it } from 'vitest'
import type { Supervised } from '../../../likelihoods/likelihood.js'
import { logistic } from '../../../likelihoods/logistic.js'
import { softmax } from '../../../likelihoods/softmax.js'
import { matrix } from '../../../matrix.js'
import { fit } from '../../../methods/fit.js'
import { draws } from '../../../random/draws.js'

interface Drawn {
  readonly data: Supervised
  readonly wrong: number
}

/** Clouds about centres, classes by their shares; each true class c is labelled y with the given probability. */
function drawn(
  seed: number,
  n: number,
  centres: readonly (readonly number[])[],
  shares: readonly number[],
  flips: (c: number, u: number) => number,
): Drawn {
  const random = draws('one-sided', seed, n, shares.length)
  const cols = centres[0].length
  const x = matrix(n, cols)
  const y = new Float64Array(n)
  let wrong = 0
  for (let i = 0; i < n; i++) {
    let u = random.uniform(0, 1)
    const c = Math.max(
      0,
      shares.findIndex((share) => {
        u -= share
        return u < 0
      }),
    )
    for (let j = 0; j < cols; j++) x.values[i * cols + j] = centres[c][j] + random.normal()
    y[i] = flips(c, random.uniform(0, 1))
    if (y[i] !== c) wrong++
  }
  return { data: { x, y }, wrong: wrong / n }
}

const APART = [
  [0, 0],
  [4, 0],
]

describe('labels of one class that go wrong', () => {
  it.each([51, 52])('are found where the class is rare: set %i', (seed) => {
    const { data, wrong } = drawn(seed, 400, APART, [0.8, 0.2], (c, u) => (c === 1 && u < 0.3 ? 0 : c))
    const { corruption, clean } = fit(logistic(), data)
    const [low, high] = corruption.interval!
    expect(low).toBeLessThanOrEqual(wrong)
    expect(high).toBeGreaterThanOrEqual(wrong)
    // A rate of three in ten of 80 rows: within three standard errors.
    expect(Math.abs(corruption.habits!.values[2] - 0.3)).toBeLessThan(0.15)
    expect(corruption.habits!.values[1]).toBeLessThan(0.02)
    // Rows deep in the rare class that are labelled as the other.
    const deep = Array.from(clean.keys()).filter((i) => data.x.values[2 * i] > 4 && data.y[i] === 0)
    expect(deep.filter((i) => clean[i] < 0.5).length).toBeGreaterThan(0.8 * deep.length)
  })

  it.each([61, 62])('are none in clean labels of a rare class: set %i', (seed) => {
    const { data } = drawn(seed, 300, APART, [0.9, 0.1], (c) => c)
    const { corruption, cautions } = fit(logistic(), data)
    expect(corruption.level).toBeLessThan(0.005)
    expect(corruption.habits).toBeUndefined()
    expect(corruption.interval![0]).toBe(0)
    expect(cautions).toBeUndefined()
  })

  it('leave the interval open where a soft border explains them as well', () => {
    const near = [
      [0, 0],
      [2, 0],
    ]
    const { data, wrong } = drawn(71, 400, near, [0.85, 0.15], (c, u) => (c === 1 && u < 0.3 ? 0 : c))
    const { corruption } = fit(logistic(), data)
    expect(corruption.interval![0]).toBeLessThanOrEqual(wrong)
    expect(corruption.interval![1]).toBeGreaterThanOrEqual(wrong)
  })
})

describe('a class that is taken for noise', () => {
  it('leaves open that it exists, and a caution says so', () => {
    // The third class, one row in fifty, lies within the first; a tenth of all labels is wrong.
    const centres = [
      [0, 0],
      [5, 0],
      [0, 0],
    ]
    const { data, wrong } = drawn(81, 200, centres, [0.49, 0.49, 0.02], (c, u) =>
      u < 0.05 ? (c + 1) % 3 : u < 0.1 ? (c + 2) % 3 : c,
    )
    const { corruption, cautions = [] } = fit(softmax({ classes: 3, ridge: 0.01 }), data)
    expect(corruption.interval![0]).toBeLessThanOrEqual(wrong)
    expect(corruption.interval![1]).toBeGreaterThanOrEqual(wrong)
    expect(cautions.map(({ message }) => message).join()).toContain('as if there were no such class')
  })
})
