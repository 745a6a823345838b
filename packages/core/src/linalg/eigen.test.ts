import { describe, expect, it } from 'vitest'
import { seeded } from '../random/seeded.js'
import { symmetricEigen } from './eigen.js'

/** A symmetric matrix with these eigenvalues, in a basis of random reflections. */
function withEigenvalues(values: readonly number[], seed: number): Float64Array {
  const n = values.length
  const random = seeded(seed)
  const basis = values.map((_, k) => values.map((__, j): number => (j === k ? 1 : 0)))
  for (let r = 0; r < n; r++) {
    const v = values.map(() => random() - 0.5)
    const square = v.reduce((sum, x) => sum + x * x, 0)
    for (const row of basis) {
      const along = (2 * row.reduce((sum, x, j) => sum + x * v[j], 0)) / square
      for (let j = 0; j < n; j++) row[j] -= along * v[j]
    }
  }
  return Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n]
    return values.reduce((sum, value, k) => sum + value * basis[k][i] * basis[k][j], 0)
  })
}

const cases: [string, number[]][] = [
  ['one', [3]],
  ['two', [2, -1]],
  ['many', Array.from({ length: 40 }, (_, k) => 40 - k)],
  ['equal ones', [5, 5, 5, 1, 1]],
  ['sizes far apart', [1e8, 1e4, 1, 1e-4]],
  ['huge', [3e200, 2e200, 1e200]],
  ['tiny', [3e-200, 2e-200, 0]],
]

describe('the eigenvalues of a symmetric matrix', () => {
  it.each(cases)('%s: are those it was made with', (_, values) => {
    const n = values.length
    const matrix = withEigenvalues(values, n)
    const found = symmetricEigen(matrix, n)
    const size = values[0]
    for (const [k, value] of values.entries())
      expect(Math.abs(found.values[k] - value) / size).toBeLessThan(1e-14 * (n + 4))
    const row = (k: number): Float64Array => found.vectors.subarray(k * n, (k + 1) * n)
    const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, j) => sum + x * b[j], 0)
    for (let k = 0; k < n; k++) {
      for (let l = 0; l <= k; l++) expect(dot(row(k), row(l))).toBeCloseTo(k === l ? 1 : 0, 13)
      // A v = lambda v
      for (let i = 0; i < n; i++) {
        const image = dot(matrix.subarray(i * n, (i + 1) * n), row(k))
        expect(Math.abs(image - found.values[k] * row(k)[i]) / size).toBeLessThan(1e-14 * (n + 4))
      }
    }
  })

  it('of zeros are zeros, and of a diagonal its entries', () => {
    expect([...symmetricEigen(new Float64Array(9), 3).values]).toEqual([0, 0, 0])
    const diagonal = Float64Array.of(1, 0, 0, 0, 7, 0, 0, 0, 4)
    const { values, vectors } = symmetricEigen(diagonal, 3)
    expect([...values]).toEqual([7, 4, 1])
    expect([...vectors].map(Math.abs)).toEqual([0, 1, 0, 0, 0, 1, 1, 0, 0])
  })

  it('are finite where some entries are tiny beside the others', () => {
    for (const [small, smaller] of [
      [1e-150, 1e-160],
      [1e-155, 1e-310],
      [5e-324, 5e-324],
    ] as const) {
      const matrix = Float64Array.of(1, 0, 0, 0, 0, 2, 0, 0, small, smaller, 3, 0, smaller, smaller, small, 4)
      const { values, vectors } = symmetricEigen(matrix, 4)
      for (const [k, value] of [4, 3, 2, 1].entries()) expect(values[k]).toBeCloseTo(value, 13)
      for (let k = 0; k < 4; k++)
        expect(Math.hypot(...vectors.subarray(4 * k, 4 * k + 4)), `vector ${k}`).toBeCloseTo(1, 13)
    }
  })

  it('ends on numbers that are none', () => {
    expect(symmetricEigen(Float64Array.of(1, 0, Number.NaN, 1), 2).values).toHaveLength(2)
    expect(symmetricEigen(Float64Array.of(1, 0, Number.POSITIVE_INFINITY, 1), 2).values).toHaveLength(2)
  })
})
