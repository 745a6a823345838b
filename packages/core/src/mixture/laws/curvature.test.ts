import { describe, expect, it } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { fromRows } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { TestRandom } from '../../testing/random.js'
import { curves } from './curvature.js'

/** Rows of three columns: a plane, `more` of the columns, and normal errors. */
function rows(seed: number, more: (a: number, b: number, c: number) => number, n = 200) {
  const random = new TestRandom(seed)
  const x = Array.from({ length: n }, () => [random.normal(), random.normal(), random.normal()])
  const y = x.map(([a, b, c]) => a! - b! + 2 * c! + more(a!, b!, c!) + random.normal())
  return { x: fromRows(x), y: Float64Array.from(y) }
}

function bent(data: ReturnType<typeof rows>): (readonly number[])[] {
  const params = linear().fit(data)
  return curves(linear(), data, params, new Float64Array(200).fill(1)).map(({ columns }) => columns)
}

describe('residuals', () => {
  it.each([
    ['the square of a column', [1], (_a: number, b: number) => b * b],
    ['the product of two', [0, 2], (a: number, _b: number, c: number) => a * c],
  ])('bend against %s, most of all', (_, columns, more) => {
    for (const seed of [1, 2, 3]) expect(bent(rows(seed, more))[0]).toEqual(columns)
  })

  it('of a plane bend against nothing', () => {
    for (let seed = 1; seed <= 20; seed++) expect(bent(rows(seed, () => 0))).toEqual([])
  })
})

it('a product that is left out is told, and the interval holds the share that is bad with it', () => {
  const data = rows(4, (a, b) => 2 * a * b, 80)
  for (let i = 0; i < 4; i++) data.y[i]! += 20
  const { corruption, cautions } = fit(linear(), data)
  expect(cautions?.find(({ about }) => about === 'curvature')).toMatchObject({
    columns: [0, 1],
    message: expect.stringContaining('columns 0, 1 together'),
  })
  expect(corruption.interval![0]).toBeLessThan(0.05)
  expect(corruption.interval![1]).toBeGreaterThan(0.05)
})
