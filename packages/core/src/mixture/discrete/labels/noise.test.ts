import { describe, expect, it } from 'vitest'
import { fromRows } from '../../../matrix.js'
import { expectClose } from '../../../testing/close.js'
import { PAIRFLIP, rowsOf } from '../../../testing/drawn-labels.js'
import { TestRandom } from '../../../testing/random.js'
import { noiseAt, noiseThrough, posteriorOf, uniformNoise } from './noise.js'

describe('the posterior', () => {
  it('is p(c) T[c, y] over its sum', () => {
    const p = fromRows([
      [0.5, 0.3, 0.2],
      [0.1, 0.1, 0.8],
    ])
    const { posterior, logs } = posteriorOf(p, Float64Array.of(1, 2), fromRows(PAIRFLIP))
    // By hand: 0.5 x 0.25 and 0.3 x 0.75; 0.1 x 0.25 and 0.8 x 0.75.
    expectClose(
      posterior.values,
      [0.125 / 0.35, 0.225 / 0.35, 0, 0, 0.025 / 0.625, 0.6 / 0.625],
      1e-12,
      1e-15,
    )
    expectClose(logs, [Math.log(0.35), Math.log(0.625)], 1e-12)
  })

  it('gives the given labels back where none is wrong', () => {
    const random = new TestRandom(1)
    const p = fromRows(
      Array.from({ length: 20 }, () => [random.uniform(), random.uniform(), random.uniform()]),
    )
    const given = Float64Array.from({ length: 20 }, () => random.below(3))
    const { posterior } = posteriorOf(p, given, noiseAt(uniformNoise(3), 0))
    given.forEach((label, i) => {
      expect(posterior.values[i * 3 + label]).toBe(1)
    })
  })

  it('is that of the features where no class explains the label', () => {
    const { posterior } = posteriorOf(fromRows([[1, 0]]), Float64Array.of(1), noiseAt(uniformNoise(2), 0))
    expect([...posterior.values]).toEqual([1, 0])
  })
})

describe('noise', () => {
  it('through a matrix passes through it, and through none', () => {
    const T = fromRows(PAIRFLIP)
    const noise = noiseThrough(T, Float64Array.of(0.2, 0.3, 0.5))
    expectClose(noise.most, 2 / 3, 1e-12)
    expectClose(noiseAt(noise, 0.25 / noise.most).values, T.values, 1e-12, 1e-15)
    expectClose(noiseAt(noise, 0).values, [1, 0, 0, 0, 1, 0, 0, 0, 1], 1e-12)
    for (const row of rowsOf(noise.habits))
      expectClose(
        row.reduce((a, b) => a + b),
        1,
        1e-12,
      )
  })
})
