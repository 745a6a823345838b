import { describe, expect, it } from 'vitest'
import { covariance } from '../likelihoods/covariance.js'
import { linear } from '../likelihoods/linear.js'
import { mean } from '../likelihoods/mean.js'
import { matrix } from '../matrix.js'
import type { Caution } from '../result.js'
import { TestRandom } from '../testing/random.js'
import { fit } from './fit.js'

const about = (cautions: readonly Caution[] | undefined, subject: string): Caution | undefined =>
  cautions?.find((caution) => caution.about === subject)

/** y by x, with normal noise of a tenth. */
function along(seed: number, rows: number, f: (x: number) => number) {
  const random = new TestRandom(seed)
  const x = matrix(rows, 2)
  const y = Float64Array.from({ length: rows }, (_, i) => {
    x.values.set([10 * random.uniform(), random.normal()], 2 * i)
    return f(x.values[2 * i]) + 0.1 * random.normal()
  })
  return { x, y }
}

describe('rows next to each other that lie off to the same side', () => {
  it.each([
    ['a season', (x: number) => Math.sin(4 * x)],
    ['a step', (x: number) => (x > 6 ? 2 : 0)],
    ['a curve that bends both ways', (x: number) => Math.tanh(x - 5)],
  ] as const)('%s: a caution names the column, and none may be bad', (_, f) => {
    const { cautions, corruption } = fit(linear(), along(1, 150, f))
    expect(about(cautions, 'curvature')).toMatchObject({ column: 0 })
    expect(corruption.interval![0]).toBe(0)
  })

  it('are not seen in a line, with scattered bad rows or without', () => {
    for (const seed of [2, 3, 4]) {
      const data = along(seed, 120, (x) => x)
      expect(about(fit(linear(), data).cautions, 'curvature')).toBeUndefined()
      for (let i = 0; i < 12; i++) data.y[i] += 5
      const { cautions, corruption } = fit(linear(), data)
      expect(about(cautions, 'curvature')).toBeUndefined()
      expect(corruption.interval![0]).toBeGreaterThan(0.05)
    }
  })

  it('bad leverage points are not taken for the end of a curve', () => {
    const data = along(5, 100, (x) => x)
    for (let i = 0; i < 15; i++) data.x.values[2 * i] += 40
    const { cautions, corruption } = fit(linear(), data)
    expect(about(cautions, 'curvature')).toBeUndefined()
    expect(corruption.level).toBeCloseTo(0.15, 6)
  })
})

describe('bad rows of columns that lie together', () => {
  const cloud = (
    seed: number,
    rows: number,
    cols: number,
    move: (i: number, j: number, r: TestRandom) => number,
  ) => {
    const random = new TestRandom(seed)
    const x = matrix(rows, cols)
    for (let k = 0; k < x.values.length; k++)
      x.values[k] = random.normal() + move(Math.floor(k / cols), k % cols, random)
    return { x }
  }

  it('may be a group of their own, which a caution says', () => {
    const two = (cols: number) => cloud(11, 120, cols, (i, j) => (i < 40 && j === 0 ? 12 : 0))
    for (const { cautions, corruption } of [fit(mean(), two(1)), fit(covariance(), two(3))]) {
      expect(corruption.level).toBeCloseTo(1 / 3, 1)
      expect(about(cautions, 'cluster')!.message).toMatch(/lie together/)
    }
  })

  it('scattered ones are none, nor are few, and clean columns have no such caution', () => {
    const scattered = cloud(12, 120, 2, (i, _, r) => (i < 30 ? 40 * (r.uniform() - 0.5) : 0))
    const few = cloud(13, 120, 2, (i) => (i < 2 ? 30 : 0))
    const clean = cloud(14, 120, 2, () => 0)
    for (const data of [scattered, few, clean])
      expect(about(fit(covariance(), data).cautions, 'cluster')).toBeUndefined()
  })
})
