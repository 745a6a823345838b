import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  covariance,
  fit,
  fromRows,
  linear,
  logistic,
  type Matrix,
  matrix,
  mean,
  ml,
  online,
  pca,
  poisson,
  type SoftmaxOptions,
  sharedMatrix,
  softmax,
} from './index.js'

/** As those write it whom no compiler tells. */
const rows = [
  [1, 2],
  [3, 4],
  [5, 7],
] as unknown as Matrix
const y = Float64Array.of(0, 1, 0)
const params = { intercept: 0, coefficients: Float64Array.of(1, 1), scale: 1 }

describe('an array of arrays is no matrix', () => {
  const cloud = { mean: Float64Array.of(0, 0), scale: 1, covariance: matrix(2, 2), components: matrix(1, 2) }
  it.each([
    ['fit', () => fit(linear(), { x: rows, y })],
    ['fit of a mean', () => fit(mean(), { x: rows })],
    ['ml', () => ml(logistic(), { x: rows, y })],
    ['linear predict', () => linear().predict(rows, params)],
    ['logistic predict', () => logistic().predict(rows, params)],
    ['poisson predict', () => poisson().predict(rows, params)],
    [
      'softmax predict',
      () =>
        softmax({ classes: 2 }).predict(rows, {
          intercepts: new Float64Array(2),
          coefficients: matrix(2, 2),
        }),
    ],
    ['mean distances', () => mean().distances(rows, cloud)],
    ['covariance distances', () => covariance().distances(rows, cloud)],
    ['pca project', () => pca({ components: 1 }).project(rows, cloud)],
    ['online', () => online.update(online.init({ model: 'linear', features: 2 }), { x: rows, y })],
  ])('%s', (_, work) => {
    expect(work).toThrow(
      /x: a matrix \{ rows, cols, values \} is needed, got an array of 3; make one of an array of rows by fromRows$/,
    )
  })

  it('nor is an array a vector', () => {
    const x = fromRows([[1], [2], [4]])
    expect(() => fit(linear(), { x, y: [1, 2, 3] as unknown as Float64Array })).toThrow(
      'y: a Float64Array is needed, got an array of 3; make one by Float64Array.from',
    )
  })
})

it.each([undefined, {}])('softmax(%j) says what it needs', (options) => {
  expect(() => softmax(options as unknown as SoftmaxOptions)).toThrow(
    /^softmax: the number of classes is needed, got .*; give it by softmax\(\{ classes: 3 \}\)$/,
  )
})

describe('in a page without shared memory', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })
  it('sharedMatrix says what to do', () => {
    vi.stubGlobal('SharedArrayBuffer', undefined)
    expect(() => sharedMatrix(2, 2)).toThrow(
      'sharedMatrix: shared memory is needed, got a page without it; use matrix, or serve the page with ' +
        'Cross-Origin-Opener-Policy and Cross-Origin-Embedder-Policy',
    )
  })
})

it('an interval that is not known is undefined, not everything', () => {
  const twice = fromRows([1, 2, 3, 4, 5, 6].map((v) => [v, v]))
  const labels = Float64Array.of(0, 1, 0, 1, 1, 0)
  for (const found of [
    fit(logistic(), { x: twice, y: labels.map(() => 1) }),
    fit(logistic(), { x: twice, y: labels }),
    fit(poisson(), { x: twice, y: labels }),
  ]) {
    expect(found.status.kind).toBe('degenerate')
    expect(found.corruption.interval).toBeUndefined()
  }
})
