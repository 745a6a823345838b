import { describe, expect, it } from 'vitest'
import { factor } from '../linalg/cholesky.js'
import { inverse } from '../linalg/symmetric.js'
import { type Matrix, matrix } from '../matrix.js'
import { draws } from '../random/index.js'
import { mean } from './mean.js'

function normals(count: number, ...key: (string | number)[]): Float64Array {
  const { normal } = draws(...key)
  return Float64Array.from({ length: count }, () => normal())
}

/** Of the mean of good rows. */
function covarianceOf(x: Matrix): Float64Array {
  const good = new Float64Array(x.rows).fill(1)
  const { values, cols } = mean().information({ x }, mean().fit({ x }), good)
  return inverse(factor(values, cols)).values
}

const SPREADS = [1, 5, 0.2]

describe('the standard error of a mean is that of its own column', () => {
  it('of good rows alone it is sd / sqrt(n), and so are the products', () => {
    const rows = 50
    const x = matrix(rows, 3)
    normals(x.values.length, 'good rows').forEach((value, k) => {
      x.values[k] = SPREADS[k % 3] * value
    })
    const params = mean().fit({ x })
    const covariance = covarianceOf(x)
    for (let j = 0; j < 3; j++) {
      for (let k = 0; k < 3; k++) {
        let products = 0
        for (let i = 0; i < rows; i++)
          products += (x.values[3 * i + j] - params.mean[j]) * (x.values[3 * i + k] - params.mean[k])
        expect(covariance[3 * j + k]).toBeCloseTo(products / (rows - 1) / rows, 12)
      }
    }
  })

  it('is there for columns that repeat each other or never vary, and for fewer rows than columns', () => {
    const column = normals(30, 'one column')
    const x = matrix(30, 3)
    column.forEach((value, i) => {
      x.values.set([value, 2 * value, 7], 3 * i)
    })
    const covariance = covarianceOf(x)
    expect(covariance[4]).toBeCloseTo(4 * covariance[0], 12)
    expect(Math.sqrt(covariance[8])).toBeLessThan(1e-9)
    const few = matrix(3, 5, normals(15, 'few rows'))
    expect(covarianceOf(few).every(Number.isFinite)).toBe(true)
  })
})
