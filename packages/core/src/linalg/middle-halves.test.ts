import { expect, test } from 'vitest'
import { matrix } from '../matrix.js'
import { TestRandom } from '../testing/random.js'
import { middleHalf } from './middle-half.js'
import { middleHalves } from './middle-halves.js'

test('the middle halves of all columns at once are those of each, whatever the columns hold', () => {
  const random = new TestRandom(5)
  const rows = 40_000
  const kinds: Array<(i: number) => number> = [
    () => random.normal(),
    (i) => i,
    (i) => -(i ** 3),
    () => Math.floor(5 * random.uniform()),
    () => Number(random.uniform() < 0.25),
    (i) => Number(i % 4 === 0),
    () => 3,
    // The rows that are looked at first lie apart from all others.
    (i) => (Math.floor(Math.ceil((i * 4096) / rows) * (rows / 4096)) === i ? 1e6 + i : random.normal()),
    (i) => (i < 100 ? 1e300 : random.normal() * 1e-300),
  ]
  const values = Array.from({ length: rows }, (_, i) => kinds.map((kind) => kind(i))).flat()
  const x = matrix(rows, kinds.length, Float64Array.from(values))
  const each = kinds.map((_, j) =>
    middleHalf(Float64Array.from({ length: rows }, (_, i) => x.values[i * x.cols + j])),
  )
  expect(middleHalves(x)).toEqual(each)
})
