import { describe, expect, test } from 'vitest'
import { fitTable } from '../fit/fit-table.js'

// Rides: the total has the fare in it, right or wrong; every 20th fare is wrong.
const n = 100
const wave = (i: number, k: number): number => Math.sin(12.9898 * i + 78.233 * k)
const cents = (value: number): number => Math.round(100 * value) / 100
const km = Array.from({ length: n }, (_, i) => cents(6 + 5 * wave(i, 1)))
const fare = km.map((far, i) => cents((3 + 2.5 * far + wave(i, 2)) * (i % 20 === 7 ? 4 : 1)))
const tip = fare.map((own, i) => cents(own * [0, 0.15, 0.2, 0.25][(i * 7) % 4]!))
const totals = (fee: (i: number) => number): number[] => fare.map((own, i) => cents(own + tip[i]! + fee(i)))

function remarkOn(columns: Record<string, number[]>, target: string): string | undefined {
  return fitTable(columns, { target, model: 'linear' }).remarks.find((remark) => remark.includes(' = '))
}

describe('a total that was computed from the target', () => {
  test.each([
    ['in all rows', () => 0, '"fare" = "total" - "tip" in 100 % of the rows'],
    [
      'but for a fee in some',
      (i: number) => (i % 4 ? 0 : 2.5),
      '"fare" = "total" - "tip" in 75 % of the rows',
    ],
    [
      'with one of four fees',
      (i: number) => [0, 0.5, 2.5, 1.25][Math.floor(4 * ((0.618 * i) % 1))]!,
      '"fare" = "total" - "tip" + c, with c ',
    ],
    ['and rounded on the way', () => 0.8, '"fare" = "total" - "tip" - 0.8 in 100 % of the rows'],
  ])('%s: is named, and without it the wrong fares are found', (_, fee, said) => {
    const columns = { km, tip, total: totals(fee), fare }
    const remark = remarkOn(columns, 'fare')
    expect(remark).toContain(said)
    expect(remark).toContain(
      'if "total" was computed from "fare", an error is in both and its row looks good; exclude ["total"]',
    )
    const { rows, clean } = fitTable(columns, { target: 'fare', exclude: ['total', 'tip'] })
    expect(Array.from(rows.filter((_row, i) => clean[i]! < 0.5))).toEqual(
      Array.from({ length: n / 20 }, (_row, k) => 20 * k + 7),
    )
  })

  test('as the target: its parts are named', () => {
    expect(remarkOn({ km, fare, tip, total: totals(() => 0) }, 'total')).toContain(
      'if "total" was computed from both, an error is in both and its row looks good; exclude ["fare","tip"]',
    )
  })

  test('and copies of it are left out with it', () => {
    const total = totals(() => 0)
    const columns = { km, tip, total, cents: total.map((own) => 100 * own), fare }
    expect(remarkOn(columns, 'fare')).toContain('exclude ["total","cents"]')
  })
})

test('nothing is said where what is left over differs from row to row, or the target hardly does', () => {
  const second = km.map((far, i) => cents(far + wave(i, 3)))
  expect(remarkOn({ km, tip, second }, 'second')).toBeUndefined()
  expect(remarkOn({ km, tip, second }, 'km')).toBeUndefined()
  const stars = km.map((_, i) => 1 + (i % 5))
  const again = stars.map((own, i) => (i % 3 ? own : 1 + ((i * i) % 5)))
  expect(remarkOn({ km, stars, again }, 'again')).toBeUndefined()
})
