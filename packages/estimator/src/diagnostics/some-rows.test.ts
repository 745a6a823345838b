import { fromRows } from 'rlvi'
import { draws } from 'rlvi/random'
import { expect, test } from 'vitest'
import { fitTable } from '../fit/fit-table.js'
import { middleIfFar } from '../fit/units.js'
import { someRows } from './some-rows.js'

const n = 6000
const random = draws('some rows')
const cents = (value: number): number => Math.round(100 * value) / 100
const turns = [1, 2, 3].map((key) => {
  const { uniform } = draws('order', key)
  const keys = Array.from({ length: n }, () => uniform(0, 1))
  return [...keys.keys()].sort((a, b) => keys[a]! - keys[b]!)
})
const turned = <T>(values: readonly T[], order: readonly number[]): T[] => order.map((i) => values[i]!)

test('the same rows are taken in whatever order they come, also after a change of units and back', () => {
  const a = Array.from({ length: n }, () => random.uniform(-1, 1))
  const b = a.map((_, i) => (i % 3 === 0 ? 0 : Math.floor(5 * random.uniform(0, 1))))
  const taken = (order: readonly number[], factor = 1): string[] => {
    const [x, y] = [turned(a, order), turned(b, order)]
    const rows = someRows(
      500,
      fromRows(x.map((value, i) => [((value - 0.3) / factor) * factor + 0.3, y[i]!])),
    )
    return Array.from(rows, (i) => `${x[i]} ${y[i]}`).sort()
  }
  const [first, ...others] = turns
  expect(taken(first!)).toHaveLength(500)
  for (const order of others) expect(taken(order, 0.7)).toEqual(taken(first!))
})

test('as many rows as are asked for are taken, whether their values differ, come again or are one', () => {
  for (const value of [(i: number) => i, (i: number) => i % 7, () => 1])
    for (const most of [1, 2, 999, 4000]) {
      const values = Float64Array.from({ length: n }, (_, i) => value(i))
      expect(new Set(someRows(most, { rows: n, cols: 1, values })).size).toBe(most)
    }
})

test('of values that come again as many are taken as there are among all rows', () => {
  const values = Float64Array.from({ length: 1e5 }, (_, i) => (i % 10 < 7 ? 1 : i % 10))
  const rows = someRows(1000, { rows: 1e5, cols: 1, values })
  const share = (own: number): number => rows.filter((i) => values[i] === own).length / rows.length
  expect(Math.abs(share(1) - 0.7)).toBeLessThanOrEqual(0.001)
  expect(Math.abs(share(8) - 0.1)).toBeLessThanOrEqual(0.001)
})

test('what is said of a table does not depend on the order of its rows', () => {
  // Fees of which each is in a part of the rows, and a pace that is wrong in some: the share of either is near to its limit.
  const km = Array.from({ length: n }, () => cents(random.uniform(1, 20)))
  const fare = km.map((far) => cents(3 + 2.5 * far + random.normal()))
  const fee = fare.map(() => [0, 0.5, 2.5, 7.25][Math.floor(random.uniform(0, 4))]!)
  const total = fare.map((own, i) => cents(own + fee[i]! + (i % 3 === 0 ? cents(random.uniform(0, 1)) : 0)))
  const near = km.map((far) => far + 0.2397 * random.normal())
  const pace = fare.map((own, i) => (i % 2500 === 0 ? own + 4 : own * 1.19))
  const town = km.map(() => ['Bern', 'Chur', 'Aarau', 'Genf'][Math.floor(random.uniform(0, 4))]!)
  const said = turns.map((order) => {
    const table = { km, near, total, pace, fare }
    const columns = Object.fromEntries(
      Object.entries(table).map(([name, values]) => [name, turned(values, order)]),
    )
    return fitTable({ ...columns, town: turned(town, order) }, { target: 'fare', method: 'ml' }).remarks
  })
  expect(said[1]).toEqual(said[0])
  expect(said[2]).toEqual(said[0])
})

test('nor does whether rows far out make a column be measured by its middle half', () => {
  // Hardly fewer than a quarter of the rows are far out: of some rows they may be more.
  const column = Array.from({ length: n }, (_, i) => (i < 0.249 * n ? 1000 : random.normal()))
  for (const order of turns) {
    const x = { rows: n, cols: 1, values: Float64Array.from(turned(column, order)) }
    expect(middleIfFar(x, 0, 430)?.scale).toBeLessThan(3)
  }
})
