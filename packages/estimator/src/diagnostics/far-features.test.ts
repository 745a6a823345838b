import { matrix, middleHalf } from 'rlvi'
import { draws } from 'rlvi/random'
import { describe, expect, test } from 'vitest'
import type { DesignColumn } from '../encoding/encoding.js'
import { fitTable } from '../fit/fit-table.js'
import { argumentWords } from '../words.js'
import { farFeaturesRemark } from './far-features.js'

type LabelParams = { readonly coefficients: Readonly<Record<string, number>> }

/** Labels by a known rule, slope -3, and one x of them replaced. */
function fitWith(value: number | undefined, label?: 'yes' | 'no') {
  const random = draws('far-features', 1)
  const x = Float64Array.from({ length: 400 }, () => random.normal())
  const y = Array.from(x, (own) => (random.uniform(0, 1) < 1 / (1 + Math.exp(3 * own - 1)) ? 'yes' : 'no'))
  if (value !== undefined) x[7] = value
  if (label !== undefined) y[7] = label
  return fitTable({ x, y }, { target: 'y' })
}

describe('a feature far out in a model of labels', () => {
  test('is told by row and column', () => {
    const { remarks } = fitWith(1e6, 'yes')
    expect(remarks.join('\n')).toContain('row 7 has 1000000 in column "x", about 1e6 times as far out')
    expect(fitWith(undefined).remarks.join('\n')).not.toContain('far out')
  })

  test('is told or not whatever the order of many rows, at the very threshold', () => {
    const random = draws('far-features', 2)
    const n = 3001
    const x = matrix(n, 1)
    for (let i = 0; i < n; i++) x.values[i] = random.normal()
    const { centre, scale } = middleHalf(x.values)
    const columns = [{ name: 'x' }] as unknown as DesignColumn[]
    const rows = Int32Array.from({ length: n }, (_, i) => i)
    // So near to 300 scales that the quartiles of a part of the rows would tell it in some orders only.
    for (const [times, told] of [
      [299.99, false],
      [300.01, true],
    ] as const) {
      // The largest value takes another place above the upper quartile: the quartiles stay.
      const largest = x.values.reduce((most, value, i) => (value > x.values[most]! ? i : most), 0)
      x.values[largest] = centre + times * scale
      for (const turn of [0, 1, 2, 3, 4, 5, 6, 7]) {
        const turned = matrix(n, 1)
        for (let i = 0; i < n; i++) turned.values[(i * 7 ** turn) % n] = x.values[i]!
        const remark = farFeaturesRemark(turned, columns, rows, 'logistic', argumentWords)
        expect(remark !== undefined, `${times} in order ${turn}`).toBe(told)
      }
    }
  })

  test('changes nothing where its label agrees with it', () => {
    const slope = (fit: ReturnType<typeof fitWith>): number => (fit.params as LabelParams).coefficients.x!
    const near = fitWith(5, 'no')
    for (const value of [1e3, 1e6]) {
      const far = fitWith(value, 'no')
      expect(far.status).toEqual(near.status)
      // Priors are in units of most rows.
      expect(Math.abs(slope(far) / slope(near) - 1), String(value)).toBeLessThan(0.02)
    }
  })

  test('decides nothing where its label contradicts it: the label is called wrong, and the level is about what it was', () => {
    const { corruption } = fitWith(undefined)
    for (const value of [1e3, 1e6]) {
      const { params, clean, corruption: found } = fitWith(value, 'yes')
      expect(Math.abs((params as LabelParams).coefficients.x! + 3), String(value)).toBeLessThan(0.7)
      expect(clean[7]).toBeLessThan(0.01)
      expect(found.interval![0]).toBeLessThan(corruption.level! + 1 / 400)
      expect(found.interval![1]).toBeGreaterThan(corruption.level!)
    }
  })
})
