import { expect, test } from 'vitest'
import { fitTable } from '../fit/fit-table.js'

// Shares of a rock and their total, each rounded by a laboratory.
const n = 120
const wave = (i: number, k: number): number => Math.sin(12.9898 * i + 78.233 * k) + Math.sin(3.7 * i * k)
const round = (value: number): number => Math.round(100 * value) / 100
const rows = Array.from({ length: n }, (_, i) => i)
const [silica, alumina, iron] = [60, 15, 8].map((mean, k) => rows.map((i) => mean + 2 * wave(i, k + 1)))
const total = rows.map((i) => round(silica![i]! + alumina![i]! + iron![i]! + 0.002 * wave(i, 7)))
const parts = { silica: silica!.map(round), alumina: alumina!.map(round), iron: iron!.map(round) }
const chrome = rows.map((i) => 300 - 5 * silica![i]! + wave(i, 9))

test('parts beside their rounded sum are named, and what cures it', () => {
  const { remarks, intervals } = fitTable({ ...parts, total, chrome }, { target: 'chrome', method: 'ml' })
  expect(remarks).toContain(
    'columns "silica", "alumina", "iron", "total" nearly determine each other, as parts do beside their sum: their coefficients are hard to tell apart; one of them is enough to leave out, such as by exclude ["total"]',
  )
  expect(intervals).toBeUndefined()
})

test('without the sum nothing is said, nor of columns that only go together', () => {
  const { remarks } = fitTable({ ...parts, chrome }, { target: 'chrome', method: 'ml' })
  expect(remarks.join()).not.toContain('determine each other')
  const near = rows.map((i) => parts.silica[i]! + parts.alumina[i]! + 0.5 * wave(i, 4))
  const other = fitTable({ ...parts, near, chrome }, { target: 'chrome', method: 'ml' })
  expect(other.remarks.join()).not.toContain('determine each other')
})
