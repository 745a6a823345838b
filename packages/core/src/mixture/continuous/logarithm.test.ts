import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { linear } from '../../likelihoods/linear.js'
import { fromRows, matrix } from '../../matrix.js'
import { fit } from '../../methods/fit.js'
import { expectClose } from '../../testing/close.js'
import { TestRandom } from '../../testing/random.js'

interface Rows {
  readonly x: ReturnType<typeof matrix>
  readonly y: Float64Array
}

function stackLoss(): Rows {
  const file = new URL('../../../../../examples/data/stackloss.csv', import.meta.url)
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1)
  const rows = lines.map((text) => text.split(',').map(Number))
  return { x: fromRows(rows.map((row) => row.slice(0, 3))), y: Float64Array.from(rows, (row) => row[3]) }
}

/** Errors of `spread` of the response, its logarithm a line in `cols` features, and some rows far out in these. */
function multiplicative(seed: number, rows: number, cols: number, spread: number, far = 0): Rows {
  const random = new TestRandom(seed)
  const x = matrix(rows, cols)
  const y = Float64Array.from({ length: rows }, (_, i) => {
    let log = spread * random.normal()
    for (let j = 0; j < cols; j++) {
      x.values[i * cols + j] = random.normal() + (i < far && j === 0 ? 12 : 0)
      log += (i < far ? 0 : 0.4 / Math.sqrt(cols)) * x.values[i * cols + j]
    }
    return 5 * Math.exp(log)
  })
  return { x, y }
}

const toldOfLogarithm = ({ x, y }: Rows): boolean =>
  fit(linear(), { x, y }).cautions?.some(({ message }) => message.includes('explained better')) ?? false

describe('the logarithm of the response', () => {
  it.each([
    ['stack loss', stackLoss()],
    ['few rows, six columns', multiplicative(1, 40, 6, 0.5)],
    ['leverage points', multiplicative(2, 60, 2, 0.6, 6)],
  ])('%s: a factor of the response changes neither what is said nor the level', (_, { x, y }) => {
    const before = fit(linear(), { x, y })
    for (const factor of [0.1, 3, 7, 1000]) {
      const after = fit(linear(), { x, y: y.map((value) => factor * value) })
      expect(after.cautions?.map(({ about }) => about)).toEqual(before.cautions?.map(({ about }) => about))
      expectClose(after.corruption.level!, before.corruption.level!, 1e-6, 1e-6)
      expectClose(after.corruption.interval!, before.corruption.interval!, 1e-6, 1e-6)
    }
  })

  it('is told where it is a line with normal errors, and not where the response is', () => {
    expect(toldOfLogarithm(multiplicative(4, 200, 3, 0.8))).toBe(true)
    const { x, y } = multiplicative(5, 200, 3, 0)
    const random = new TestRandom(6)
    const line = y.map((_, i) => 20 + x.values[3 * i] + random.normal() * (i < 15 ? 30 : 1))
    expect(toldOfLogarithm({ x, y: line.map(Math.abs) })).toBe(false)
  })
})
