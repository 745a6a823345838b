import { describe, expect, it } from 'vitest'
import { exactEStep } from '../../inference/exact.js'
import { type Matrix, matrix } from '../../matrix.js'
import { expectClose } from '../../testing/close.js'
import { TestRandom } from '../../testing/random.js'
import { lentEStep } from '../level.js'
import { predictedRoom } from '../plain.js'
import { linearStream } from './linear.js'
import { logisticStream } from './logistic.js'
import type { StreamModel } from './model.js'
import { softmaxStream } from './softmax.js'

const ROWS = 6
const FEATURES = 5

interface Sample {
  readonly x: Matrix
  readonly y: Float64Array
  readonly params: Float64Array
}

function sampleFor(model: StreamModel, seed: number): Sample {
  const random = new TestRandom(seed)
  const normals = (n: number) => Float64Array.from({ length: n }, () => random.normal())
  const y = Float64Array.from({ length: ROWS }, () =>
    model.labels === undefined ? random.normal() : random.below(model.labels),
  )
  return {
    x: matrix(ROWS, FEATURES, normals(ROWS * FEATURES)),
    y,
    params: normals(model.parameters(FEATURES)),
  }
}

function lossesAt(model: StreamModel, x: Matrix, y: Float64Array, params: Float64Array): Float64Array {
  const predicted = predictedRoom(model, x.rows)
  const out = new Float64Array(x.rows)
  model.predict(x, params, predicted)
  model.losses(y, params, predicted, out)
  return out
}

const models: Array<[string, StreamModel]> = [
  ['logistic', logisticStream],
  ['softmax', softmaxStream(3)],
  ['linear', linearStream],
]

describe.each(models)('%s', (_, model) => {
  it('has gradients that are the differences of its losses', () => {
    const { x, y, params } = sampleFor(model, 1)
    const gradient = new Float64Array(params.length)
    const h = 1e-6
    for (let i = 0; i < ROWS; i++) {
      model.gradient(x, y, i, params, gradient)
      const differences = params.map((_, j) => {
        const at = (step: number) =>
          lossesAt(
            model,
            x,
            y,
            params.map((p, k) => (k === j ? p + step : p)),
          )[i]
        return (at(h) - at(-h)) / (2 * h)
      })
      expectClose(gradient, differences, 1e-5, 1e-8)
    }
  })

  it('has densities that add up to 1', () => {
    const { x, params } = sampleFor(model, 2)
    const sum = new Float64Array(ROWS)
    const reference = new Float64Array(ROWS)
    // Labels one by one; numbers on a fine grid far out, where 1 - 1e-5 of Student's t is.
    const step = 0.01
    const ys =
      model.labels === undefined
        ? Array.from({ length: 400_001 }, (_, k) => (k - 200_000) * step)
        : Array.from({ length: model.labels }, (_, k) => k)
    const predicted = predictedRoom(model, ROWS)
    model.predict(x, params, predicted)
    const out = new Float64Array(ROWS)
    for (const value of ys) {
      const y = new Float64Array(ROWS).fill(value)
      const width = model.labels === undefined ? step : 1
      model.losses(y, params, predicted, out)
      for (let i = 0; i < ROWS; i++) sum[i] += width * Math.exp(-out[i])
      if (model.reference === undefined) continue
      model.reference(y, params, predicted, out)
      for (let i = 0; i < ROWS; i++) reference[i] += width * Math.exp(-out[i])
    }
    expectClose(sum, new Float64Array(ROWS).fill(1), 1e-9)
    if (model.reference !== undefined) expectClose(reference, new Float64Array(ROWS).fill(1), 1e-4)
  })

  it('stays finite where scores overflow', () => {
    const { x, y, params } = sampleFor(model, 3)
    const far = params.map((p) => 1e5 * p)
    const gradient = new Float64Array(params.length)
    // The linear model's last parameter is a logarithm, which it limits itself.
    expect(lossesAt(model, x, y, far).every(Number.isFinite)).toBe(true)
    for (let i = 0; i < ROWS; i++) {
      model.gradient(x, y, i, far, gradient)
      expect(gradient.every(Number.isFinite)).toBe(true)
    }
  })
})

it('softmax with two labels is logistic regression', () => {
  const two = softmaxStream(2)
  const { x, y, params } = sampleFor(two, 4)
  const difference = Float64Array.from(
    { length: FEATURES + 1 },
    (_, j) => params[FEATURES + 1 + j] - params[j],
  )
  expectClose(lossesAt(two, x, y, params), lossesAt(logisticStream, x, y, difference), 1e-12)
})

describe('the E-step of a small batch', () => {
  const random = new TestRandom(5)
  const losses = Float64Array.from({ length: 40 }, (_, i) => (i < 30 ? -2 : 3) + random.normal())

  it('is the exact one where no rows are lent', () => {
    const exact = new Float64Array(40)
    const lent = new Float64Array(40)
    const { status, level } = exactEStep(losses, exact)
    expect(status).toBe('interior')
    expectClose(lentEStep(losses, 0, 0, lent), level, 1e-9)
    expectClose(lent, exact, 1e-9)
  })

  it('takes two copies of every row, lent ones too, as it takes one', () => {
    const twice = Float64Array.from([...losses, ...losses])
    const one = lentEStep(losses, 3, 7, new Float64Array(40))
    expectClose(lentEStep(twice, 6, 14, new Float64Array(80)), one, 1e-9)
  })

  it('goes from the lent share to the own level as rows come in', () => {
    const own = lentEStep(losses, 0, 0, new Float64Array(40))
    const half = lentEStep(losses, 20, 20, new Float64Array(40))
    expect(half).toBeGreaterThan(own)
    expect(half).toBeLessThan(0.5)
    expectClose(lentEStep(losses, 1e9, 1e9, new Float64Array(40)), 0.5, 1e-6)
  })

  it('neither collapses nor saturates', () => {
    for (const loss of [-800, -30, 0, 30, 800]) {
      const out = new Float64Array(10)
      const level = lentEStep(new Float64Array(10).fill(loss), 1, 9, out)
      expect(level).toBeGreaterThan(0)
      expect(level).toBeLessThan(1)
      expect(out.every((p) => p >= 0 && p <= 1)).toBe(true)
    }
  })
})
