import { describe, expect, it } from 'vitest'
import { mixedRows, mixingMatrix, sharesOfOthers, unmixRows } from './mixing.js'

const indices = Int32Array.from([4, 9, 1, 7, 3])

describe('mixing', () => {
  const shares = sharesOfOthers(indices, 3, 0.5)

  it('takes shares below the most, none of an image that is its own partner, and the same ones again', () => {
    expect(shares[2]).toBe(0)
    for (const k of [0, 1, 3, 4]) {
      expect(shares[k]).toBeGreaterThan(0)
      expect(shares[k]).toBeLessThan(0.5)
    }
    expect(sharesOfOthers(indices, 3, 0.5)).toEqual(shares)
    expect(sharesOfOthers(indices, 4, 0.5)).not.toEqual(shares)
  })

  it('mixes rows as the matrix does, and keeps what they add up to', () => {
    const rows = Float32Array.from([1, 0, 0, 1, 0.5, 0.5, 0.2, 0.8, 0.9, 0.1])
    const matrix = mixingMatrix(shares)
    const mixed = mixedRows(rows, shares, 2)
    for (let k = 0; k < 5; k++) {
      for (let c = 0; c < 2; c++) {
        const product = [0, 1, 2, 3, 4].reduce((sum, j) => sum + matrix[k * 5 + j] * rows[j * 2 + c], 0)
        expect(mixed[k * 2 + c]).toBeCloseTo(product, 6)
      }
      expect(mixed[k * 2] + mixed[k * 2 + 1]).toBeCloseTo(1, 6)
    }
  })

  it('is undone where a network says of a mixture what it says of its parts', () => {
    const alone = [0.7, 0.3, 0.1, 0.9, 0.5, 0.5, 0.2, 0.8, 0.6, 0.4]
    const said = Float64Array.from(mixedRows(Float32Array.from(alone), shares, 2))
    unmixRows(said, alone, shares, 2)
    said.forEach((p, at) => {
      expect(p).toBeCloseTo(alone[at], 6)
    })
  })

  it('leaves probabilities where a network says less of a part than before', () => {
    const said = Float64Array.from([0, 1, 1, 0, 1, 0, 0, 1, 1, 0])
    unmixRows(said, [1, 0, 1, 0, 1, 0, 1, 0, 1, 0], shares, 2)
    for (let k = 0; k < 5; k++) {
      expect(Math.min(said[2 * k], said[2 * k + 1])).toBeGreaterThanOrEqual(0)
      expect(said[2 * k] + said[2 * k + 1]).toBeCloseTo(1, 12)
    }
  })
})
