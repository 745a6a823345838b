import { draws } from 'rlvi/random'
import { describe, expect, it } from 'vitest'
import { covarianceData } from './covariance.js'
import { linearData } from './linear.js'
import { logisticData } from './logistic.js'
import { meanData } from './mean.js'
import { pcaData } from './pca.js'

const runs = 400

describe('linear regression', () => {
  it('has noise of variance 1/16 on clean data', () => {
    let squares = 0
    for (let run = 0; run < runs; run++) {
      const { x, y } = linearData(draws('linear', run), 0, 2.5)
      expect([x.rows, x.cols]).toEqual([40, 10])
      for (let i = 0; i < 40; i++) {
        const row = x.values.subarray(10 * i, 10 * i + 10)
        expect(Math.max(...row.map(Math.abs))).toBeLessThanOrEqual(5)
        squares += (y[i] - row.reduce((sum, value) => sum + value, 0)) ** 2
      }
    }
    const n = 40 * runs
    expect(Math.abs(squares / n - 1 / 16)).toBeLessThan((5 * Math.sqrt(2)) / 16 / Math.sqrt(n))
  })
})

describe('logistic regression', () => {
  it('labels good rows by the boundary, and puts Binomial(n, eps) bad rows last, labelled 0', () => {
    let wrong = 0
    for (let run = 0; run < runs; run++) {
      const { x, y } = logisticData(draws('logistic', run), 0.2, 100)
      const side = Array.from(y, (_, i) => Number(x.values[3 * i + 1] + x.values[3 * i + 2] >= 1))
      const first = side.findIndex((label, i) => label !== y[i])
      if (first < 0) continue
      wrong += 100 - first
      expect(Array.from(y.subarray(first)).every((label) => label === 0)).toBe(true)
    }
    // The cluster at (.5, 1.25) lies five deviations beyond the boundary, so nearly all bad rows are on its wrong side.
    expect(Math.abs(wrong / runs - 20)).toBeLessThan(5 * Math.sqrt(16 / runs) + 0.1)
  })

  it('scatters good rows with correlation -.99', () => {
    let [sum, squares, products] = [0, 0, 0]
    const { x } = logisticData(draws('ellipse'), 0, 4000)
    for (let i = 0; i < 4000; i++) {
      const [a, b] = [x.values[3 * i + 1] - 0.5, x.values[3 * i + 2] - 0.5]
      sum += a
      squares += a * a
      products += a * b
    }
    expect(sum / 4000).toBeCloseTo(0, 1)
    expect(squares / 4000).toBeCloseTo(0.25, 1)
    expect(products / squares).toBeCloseTo(-0.99, 1)
  })
})

describe('rows without a response', () => {
  it('has the covariance of the good rows', () => {
    const moments = (data: (run: number) => Float64Array, centre: number): number[] => {
      const out = [0, 0, 0]
      let n = 0
      for (let run = 0; run < runs; run++) {
        const values = data(run)
        for (let at = 0; at < values.length; at += 2, n++) {
          const [a, b] = [values[at] - centre, values[at + 1] - centre]
          out[0] += a * a
          out[1] += a * b
          out[2] += b * b
        }
      }
      return out.map((value) => value / n)
    }
    const near = (got: number[], want: number[]): void => {
      got.forEach((value, j) => {
        expect(Math.abs(value - want[j]) / Math.max(...want)).toBeLessThan(0.05)
      })
    }
    near(
      moments((run) => covarianceData(draws('cov', run), 0).x.values, 0),
      [1, 0.8, 1],
    )
    near(
      moments((run) => pcaData(draws('pca', run), 0).x.values, 0),
      [1, 2, 4.0625],
    )
    near(
      moments((run) => meanData(draws('mean', run), 0).x.values, 200),
      [400, 50, 400],
    )
  })

  it('has bad rows that reach farther', () => {
    // Half of all |t| with 1.5 degrees lie beyond .889, of the good rows' |N(0, 1)| beyond .674.
    const sizes: number[] = []
    for (let run = 0; run < 100; run++)
      sizes.push(...covarianceData(draws('tails', run), 0.999).x.values.map(Math.abs))
    sizes.sort((a, b) => a - b)
    expect(sizes[sizes.length / 2]).toBeGreaterThan(0.8)
    expect(sizes[sizes.length / 2]).toBeLessThan(0.98)
  })
})
