import { describe, expect, it } from 'vitest'
import { logistic } from '../../../likelihoods/logistic.js'
import { softmax } from '../../../likelihoods/softmax.js'
import { matrix } from '../../../matrix.js'
import { fit } from '../../../methods/fit.js'
import { type Draws, draws } from '../../../random/draws.js'

/** Rows of two normal features with labels by `labelOf`, a share of them flipped; the third feature has nothing to do with them. */
function rows(name: string, n: number, labelOf: (a: number, b: number, random: Draws) => number, wrong = 0) {
  const random = draws('bent border', name)
  const x = matrix(n, 3)
  const y = Float64Array.from({ length: n }, (_, i) => {
    const [a, b, c] = [random.normal(), random.normal(), random.normal()]
    x.values.set([c, a, b], 3 * i)
    const label = labelOf(a, b, random)
    return i < wrong * n ? 1 - label : label
  })
  return { x, y }
}

const parabola = (a: number, b: number): number => (b > a * a - 1 ? 1 : 0)
const corners = (a: number, b: number): number => (a * b > 0 ? 1 : 0)
const line = (a: number, b: number, random: Draws): number =>
  random.uniform(0, 1) < 1 / (1 + Math.exp(-8 * a + 6 * b)) ? 1 : 0

describe('right labels beyond a bent border', () => {
  // Before: 21 % wrong, with an interval from 17 % on, and no word.
  it('may all be right: the interval holds 0, and a caution names the column', () => {
    const { corruption, cautions } = fit(logistic(), rows('parabola', 300, parabola))
    expect(corruption.interval![0]).toBe(0)
    const caution = cautions!.find(({ about }) => about === 'curvature')!
    expect(caution).toMatchObject({ column: 1 })
    expect(caution.message).toContain('bends along column 1 explains the labels better')
  })

  it('of two columns that act together: both are named', () => {
    const { corruption, cautions } = fit(softmax({ classes: 2, ridge: 0.01 }), rows('corners', 200, corners))
    expect(corruption.interval![0]).toBe(0)
    const told = cautions!.map(({ message }) => message).join()
    expect(told).toMatch(/bends with columns 1, 2|hardly tell the labels apart/)
  })

  it('are the same with columns in other units', () => {
    const data = rows('parabola', 300, parabola)
    const x = matrix(
      300,
      3,
      data.x.values.map((value, k) => 1000 * value - 5 * (k % 3)),
    )
    const [own, other] = [data, { x, y: data.y }].map((some) => fit(logistic(), some))
    expect(other!.corruption.level).toBeCloseTo(own!.corruption.level!, 6)
    expect(other!.cautions).toEqual(own!.cautions)
  })
})

it('labels that are wrong beside a straight border are counted as before, and nothing is said of a bend', () => {
  for (const name of ['one', 'two', 'three']) {
    const { corruption, cautions } = fit(logistic(), rows(name, 300, line, 0.15))
    expect(cautions?.some(({ about }) => about === 'curvature') ?? false).toBe(false)
    expect(corruption.interval![0]).toBeGreaterThan(0)
    expect(corruption.interval![0]).toBeLessThan(0.15)
    expect(corruption.interval![1]).toBeGreaterThan(0.15)
  }
})

it('labels that follow the logarithms of two skewed columns at once: all may be right', () => {
  const random = draws(5, 'logs', 300, 1, 2, 1)
  const x = matrix(300, 3)
  const y = Float64Array.from({ length: 300 }, (_, i) => {
    const [a, b] = [random.normal(), random.normal()]
    x.values.set([Math.exp(a), Math.exp(b), random.normal()], 3 * i)
    return random.uniform(0, 1) < 1 / (1 + Math.exp(2 * (b - a))) ? 1 : 0
  })
  // Without their logarithms some were called wrong for certain.
  const { corruption, cautions } = fit(logistic(), { x, y })
  expect(corruption.interval![0]).toBe(0)
  expect(cautions).toContainEqual(expect.objectContaining({ about: 'curvature', columns: [0, 1] }))
})
