import { expect, test } from 'vitest'
import { summariseColumns } from './summarise.js'

const n = 120
const table = {
  id: Array.from({ length: n }, (_, i) => `row ${i}`),
  size: Array.from({ length: n }, (_, i) => (i < 6 ? null : i)),
  city: Array.from({ length: n }, (_, i) => ['oslo', 'rome', 'rome'][i % 3]!),
  day: Array.from({ length: n }, (_, i) => new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10)),
  same: new Float64Array(n).fill(4),
  none: new Float64Array(n).fill(Number.NaN),
  price: Array.from({ length: n }, (_, i) => (i === 50 ? '9 €' : String(i / 3))),
  spam: Array.from({ length: n }, (_, i) => ['no', 'yes'][i % 2]!),
}
const found = new Map(summariseColumns(table, { target: 'spam' }).map((column) => [column.name, column]))

test('every column says what it holds and what a fit does with it', () => {
  expect([...found.values()].map(({ name, kind, use }) => [name, kind, use.as])).toEqual([
    ['id', 'text', 'left out'],
    ['size', 'number', 'feature'],
    ['city', 'text', 'feature'],
    ['day', 'date', 'feature'],
    ['same', 'number', 'left out'],
    ['none', 'none', 'left out'],
    ['price', 'mixed', 'problem'],
    ['spam', 'text', 'target'],
  ])
  expect(found.get('spam')!.use.how).toBe('labels, by a logistic model')
  expect(found.get('city')!.use.how).toBe('1 indicator, beside "rome"')
})

test('ranges, gaps and shapes are those of the rows', () => {
  const size = found.get('size')!
  expect([size.missing, size.range, size.median]).toEqual([6, ['6', '119'], 62.5])
  // 114 values, evenly over 24 parts: each has 4 or 5, and they add up.
  expect(size.bins!.reduce((sum, count) => sum + count, 0)).toBe(114)
  expect(new Set(size.bins)).toEqual(new Set([4, 5]))
  expect(found.get('day')!.range).toEqual(['2020-01-01', '2020-04-29'])
  expect(found.get('city')).toMatchObject({
    distinct: 2,
    top: [
      { value: 'rome', count: 80 },
      { value: 'oslo', count: 40 },
    ],
  })
})

test('columns that are asked to be left out are', () => {
  const [first] = summariseColumns({ a: [1, 2, 3] }, { exclude: ['a'] })
  expect(first!.use).toEqual({ as: 'left out', how: 'by exclude' })
})

test.each([
  [[3, 1, 2], 2],
  [[1, 1, 1, 1000], 1],
  [[0, 1000], 500],
  [[-5, 7, 1e9, 8], 7.5],
])('the median of %j is %d, in whatever order', (values, median) => {
  for (const order of [values, values.toReversed(), values.toSorted((a, b) => a - b)])
    expect(summariseColumns({ values: order })[0]!.median).toBe(median)
})
