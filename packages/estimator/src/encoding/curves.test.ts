import { describe, expect, it } from 'vitest'
import type { Column } from '../columns/column.js'
import { curveTerms, withCurves } from './curves.js'

const knots = [1, 2, 4, 7]
const at = (x: number): number[] => curveTerms(Float64Array.of(x), knots).map(([value]) => value!)

describe('curves', () => {
  it('are nothing before the first knot, and straight after the last', () => {
    expect(at(-3)).toEqual([0, 0])
    for (const k of [0, 1]) {
      const slope = (x: number): number => at(x + 1)[k]! - at(x)[k]!
      expect(slope(8)).toBeCloseTo(slope(50), 8)
    }
  })

  it('are smooth at the knots: value, slope and curvature agree from both sides', () => {
    const h = 1e-3
    for (const knot of knots)
      for (const k of [0, 1]) {
        const f = (x: number): number => at(x)[k]!
        const curvature = (x: number): number => (f(x + h) - 2 * f(x) + f(x - h)) / h ** 2
        expect(Math.abs(curvature(knot + h) - curvature(knot - h))).toBeLessThan(20 * h)
      }
  })

  it('join columns of numbers that have enough values, and no others', () => {
    const n = 40
    const columns = new Map<string, Column>([
      ['x', Float64Array.from({ length: n }, (_, i) => (i === 3 ? Number.NaN : i))],
      ['x~1', Float64Array.from({ length: n }, (_, i) => i % 2)],
      ['word', Array.from({ length: n }, (_, i) => (i % 2 === 0 ? 'a' : 'b'))],
      ['y', Float64Array.from({ length: n }, (_, i) => i * i)],
    ])
    const out = withCurves(columns, 'y')
    expect([...out.keys()]).toEqual(['x', 'x~1', 'word', 'y', 'x~1~', 'x~2'])
    expect((out.get('x~2') as Float64Array)[3]).toBeNaN()
  })
})
