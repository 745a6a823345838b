import { expect, test } from 'vitest'
import { type Matrix, matrix } from '../matrix.js'
import { expectClose } from '../testing/close.js'
import { TestRandom } from '../testing/random.js'
import { covariance } from './covariance.js'
import { mean } from './mean.js'
import { pca } from './pca.js'

const N = 40
const random = new TestRandom(11)
const x = matrix(N, 3)
for (let i = 0; i < N; i++) {
  const common = random.normal()
  for (let j = 0; j < 3; j++) x.values[i * 3 + j] = j + (1 + j) * random.normal() + 2 * common
}

/** Every row as A z + b. */
function mapped({ rows, cols, values }: Matrix, A: readonly number[], b: readonly number[]): Matrix {
  const out = matrix(rows, cols)
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      let sum = b[j]
      for (let k = 0; k < cols; k++) sum += A[j * cols + k] * values[i * cols + k]
      out.values[i * cols + j] = sum
    }
  }
  return out
}

const row = (values: Float64Array): Matrix => matrix(1, values.length, values)

test('an affine map of the columns changes no Mahalanobis distance', () => {
  const { distances, fit } = covariance()
  const before = distances(x, fit({ x }))
  const other = mapped(x, [3, 1, 0, -2, 5, 1, 0, 0.5, 0.01], [7, -1000, 0.3])
  expectClose(distances(other, fit({ x: other })), before, 1e-8)
})

test('the squared Mahalanobis distances of a plain fit sum to rows x columns, and that of the mean is 0', () => {
  const { distances, fit } = covariance()
  const params = fit({ x })
  const squares = distances(x, params).reduce((sum, d) => sum + d * d, 0)
  expectClose(squares, N * 3, 1e-10)
  expect([...distances(row(params.mean), params)]).toEqual([0])
})

test('a row as far off as the scale has distance 1, whichever column it is off in', () => {
  const centre = [1, -2, 30]
  for (const scale of [0.5, [2, 0.1, 40]]) {
    const steps = matrix(4, 3)
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < 3; j++) {
        const own = typeof scale === 'number' ? scale : scale[j]
        steps.values[i * 3 + j] = centre[j] + (i === j ? own : 0)
      }
    }
    expectClose(mean().distances(steps, { mean: centre, scale }), [1, 1, 1, 0], 1e-12)
  }
})

test('the loss of a mean is its squared distance over twice the columns', () => {
  const likelihood = mean()
  const params = likelihood.fit({ x })
  const losses = new Float64Array(N)
  likelihood.losses({ x }, params, losses)
  expectClose(
    likelihood.distances(x, params).map((d) => d ** 2 / 6),
    losses,
    1e-12,
  )
})

test('a column without spread puts every other value infinitely far away', () => {
  const params = { mean: [1, 2], scale: [0, 1] }
  const rows = matrix(2, 2, Float64Array.of(1, 3, 1.5, 2))
  expect([...mean().distances(rows, params)]).toEqual([1, Number.POSITIVE_INFINITY])
})

test('scores of the mean are 0, and what components keep and lose is all there is', () => {
  const likelihood = pca({ components: 2 })
  const params = likelihood.fit({ x })
  expect([...likelihood.project(row(params.mean), params).scores.values]).toEqual([0, 0])
  const { scores, losses } = likelihood.project(x, params)
  const expected = new Float64Array(N)
  likelihood.losses({ x }, params, expected)
  expect(losses).toEqual(expected)
  for (let i = 0; i < N; i++) {
    const length = params.mean.reduce((sum, m, j) => sum + (x.values[i * 3 + j] - m) ** 2, 0)
    expectClose(scores.values[2 * i] ** 2 + scores.values[2 * i + 1] ** 2 + losses[i], length, 1e-10)
  }
})

test('a step along a component is the score there', () => {
  const likelihood = pca({ components: 1 })
  const params = likelihood.fit({ x })
  const moved = params.mean.map((m, j) => m + 2.5 * params.components.values[j])
  const { scores, losses } = likelihood.project(row(moved), params)
  expectClose(scores.values, [2.5], 1e-12)
  expect(losses[0]).toBeLessThan(1e-12)
})
