import { matrix } from 'rlvi'
import { draws } from 'rlvi/random'
import { describe, expect, it } from 'vitest'
import { minimumNorm } from './minimum-norm.js'
import { rightSingularVectors } from './right-singular-vectors.js'

function normals(name: string, count: number): Float64Array {
  const random = draws(name)
  return Float64Array.from({ length: count }, () => random.normal())
}

describe('rightSingularVectors', () => {
  // numpy.linalg.svd of these, with its signs: tall enough for a QR factorisation first, and not.
  const tall = [
    [0, 0.9, -0.14, -1.78],
    [-0.45, -2.97, 0.03, 2.68],
    [-0.49, -1.86, 0.24, 0.71],
    [0.11, -2.79, -0.01, 1.39],
    [-1.34, -1.37, -0.95, -2.58],
    [-1.84, -0.71, -0.63, 0.54],
    [0.16, -0.56, -1.26, -1.08],
    [-0.05, 0.34, -0.77, -0.96],
    [-0.98, -2.43, 0.53, -1.62],
  ]
  const tallV = [
    [-0.162232902, -0.83254576, 0.048235402, 0.527466955],
    [0.356188793, 0.446384517, 0.202047105, 0.795642743],
    [-0.7327392, 0.29928235, -0.534749738, 0.295915625],
    [0.556689585, -0.134307465, -0.819080601, 0.034134724],
  ]
  const square = [
    [-0.03, 2.65, -0.29, -0.22],
    [0.11, 0.19, -0.61, 0.15],
    [1.36, -4.64, 0.43, 0.24],
    [-0.64, 6.0, 0.38, -2.4],
    [0.07, 1.73, -0.09, 1.37],
  ]
  const squareV = [
    [0.145692642, -0.966700283, 0.007976969, 0.210239351],
    [-0.057810202, 0.195076044, -0.250338152, 0.946537969],
    [0.899796533, 0.165445268, 0.384662304, 0.122592717],
    [0.407182801, 0.007985175, -0.888426749, -0.211745872],
  ]
  it.each([
    ['a tall matrix', tall, tallV],
    ['a nearly square one', square, squareV],
  ])("has LAPACK's signs for %s", (_, rows, want) => {
    const got = rightSingularVectors(Float64Array.from(rows.flat()), rows.length, 4)
    want.flat().forEach((value, k) => {
      expect(got[k]).toBeCloseTo(value, 8)
    })
  })

  it('is orthonormal, and A times it has orthogonal columns of falling length', () => {
    const [m, n] = [30, 8]
    const a = normals('svd', m * n)
    const v = rightSingularVectors(a, m, n)
    const image = Array.from({ length: n }, (_, j) =>
      Array.from({ length: m }, (_, i) => {
        let sum = 0
        for (let k = 0; k < n; k++) sum += a[i * n + k] * v[j * n + k]
        return sum
      }),
    )
    const dot = (x: ArrayLike<number>, y: ArrayLike<number>): number =>
      Array.from(x).reduce((sum, value, k) => sum + value * y[k], 0)
    for (let j = 0; j < n; j++) {
      for (let k = 0; k <= j; k++) {
        const unit = dot(v.subarray(j * n, j * n + n), v.subarray(k * n, k * n + n))
        expect(unit).toBeCloseTo(j === k ? 1 : 0, 12)
        if (k < j) expect(dot(image[j], image[k])).toBeCloseTo(0, 10)
      }
      if (j > 0) expect(dot(image[j], image[j])).toBeLessThanOrEqual(dot(image[j - 1], image[j - 1]))
    }
  })
})

describe('minimumNorm', () => {
  it('leaves residuals orthogonal to the columns, by weight', () => {
    const x = matrix(12, 3, normals('x', 36))
    const y = normals('y', 12)
    const weights = normals('w', 12).map((value) => value * value)
    const theta = minimumNorm(x, y, weights)
    for (let j = 0; j < 3; j++) {
      let inner = 0
      for (let i = 0; i < 12; i++) {
        const fitted = theta.reduce((sum, value, k) => sum + value * x.values[3 * i + k], 0)
        inner += weights[i] * (y[i] - fitted) * x.values[3 * i + j]
      }
      expect(inner).toBeCloseTo(0, 11)
    }
  })

  it('is the shortest of all exact solutions where there are many', () => {
    // x1 + 2 x2 + 2 x3 = 9 is solved by every point of a plane; nearest to 0 is its normal (1, 2, 2).
    const theta = minimumNorm(
      matrix(2, 3, Float64Array.of(1, 2, 2, 5, 5, 5)),
      Float64Array.of(9, 7),
      Float64Array.of(1, 0),
    )
    expect(Array.from(theta)).toEqual([1, 2, 2].map((value) => expect.closeTo(value, 12)))
  })
})
