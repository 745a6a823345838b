import { describe, expect, it } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { fromRows } from '../../matrix.js'
import { TestRandom } from '../../testing/random.js'
import { allowedLaws } from './allowed.js'
import { scatterByColumns } from './scatter-by-columns.js'

const LAWS = allowedLaws(linear(), 'auto', false)

/** 300 rows of two columns and three kinds, of which each has a scale of its own; the first `bad` responses are 40 off. */
function kinds(seed: number, scales: readonly number[], bad = 0) {
  const random = new TestRandom(seed)
  const rows = Array.from({ length: 300 }, (_, i) => {
    const [a, b] = [random.normal(), random.normal()]
    const kind = Math.floor(3 * random.uniform())
    const y = a + b + scales[kind]! * random.normal() + (i < bad ? (i % 2 === 0 ? 40 : -40) : 0)
    return { x: [a, b, kind === 1 ? 1 : 0, kind === 2 ? 1 : 0], y }
  })
  return { x: fromRows(rows.map(({ x }) => x)), y: Float64Array.from(rows, ({ y }) => y) }
}

/** Judged around the true plane, against `evidence` of rows that scatter alike. */
function told(data: ReturnType<typeof kinds>, evidence = Number.NEGATIVE_INFINITY) {
  const truth = { intercept: 0, coefficients: Float64Array.of(1, 1, 0, 0), scale: 1 }
  return scatterByColumns(linear(), data, truth, evidence, LAWS)
}

describe('scatter along the columns', () => {
  it.each([0, 15, 45])('is told by the kind that scatters most, with %i of 300 rows bad', (bad) => {
    const found = told(kinds(1, [1, 1, 5], bad))!
    expect(found.column).toBe(3)
    expect(found.interval[0]).toBeLessThanOrEqual(bad / 300)
    expect(found.interval[1]).toBeGreaterThanOrEqual(bad / 300)
  })

  it('is not told of rows that scatter alike', () => {
    for (let seed = 1; seed <= 10; seed++) expect(told(kinds(seed, [1, 1, 1], 30))).toBeUndefined()
  })

  it('is not told where the rows are explained far better without it', () => {
    expect(told(kinds(1, [1, 1, 5]), 0)).toBeUndefined()
  })
})
