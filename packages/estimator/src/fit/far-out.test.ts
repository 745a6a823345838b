import { draws } from 'rlvi/random'
import { expect, test } from 'vitest'
import { fitTable } from './fit-table.js'

/** Rows of a line with noise, and one more with a slip of the keyboard in it. */
function fitWith(column: 'x' | 'y', value: number) {
  const random = draws(3)
  const x = Float64Array.from({ length: 301 }, () => random.normal())
  const y = x.map((own) => 2 * own + 0.3 * random.normal())
  const rows = { x, y }
  rows[column][300] = value
  return fitTable(new Map(Object.entries(rows)), { target: 'y', model: 'linear' })
}

const numbers = ({ params, standardErrors }: ReturnType<typeof fitWith>): number[] => {
  const all = (value: unknown): number[] =>
    typeof value === 'number' ? [value] : Object.values(value ?? {}).flatMap(all)
  return [...all(params), ...all(standardErrors)]
}

test.each(['x', 'y'] as const)('how far out a bad %s is changes nothing', (column) => {
  const near = numbers(fitWith(column, 1e3))
  expect(near).toHaveLength(5)
  for (const value of [1e10, 1e17])
    numbers(fitWith(column, value)).forEach((number, k) => {
      expect(Math.abs(number / near[k]! - 1), `${value}: number ${k}`).toBeLessThan(1e-3)
    })
})

test('units that are too far apart for a coefficient, and numbers without a square, are told by column', () => {
  const some = Array.from({ length: 30 }, (_, i) => Math.sin(i))
  const y = some.map((value, i) => 1e149 * (value + Math.cos(3 * i)))
  const tiny = some.map((value) => 1e-300 * value)
  expect(() => fitTable({ tiny, y }, { target: 'y' })).toThrow(/^column "tiny": .*; rescale the column$/)
  const huge = some.map((value, i) => (i === 4 ? 2e150 : value))
  expect(() => fitTable({ a: some.map(Math.cos), huge }, { model: 'pca', components: 1 })).toThrow(
    /^row 4, column "huge": a number below 1e\+150 in size is needed, got 2e\+150; rescale the column/,
  )
})
