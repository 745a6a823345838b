import { expect, test } from 'vitest'
import { fitTable } from '../fit/fit-table.js'

// A laboratory marks high values: of a value ten times too high, too.
const n = 120
const wave = (i: number, k: number): number => Math.sin(12.9898 * i + 78.233 * k)
const age = Array.from({ length: n }, (_, i) => 50 + 20 * wave(i, 1))
const value = age.map((years, i) => (20 + 0.3 * years + wave(i, 2)) * (i % 20 === 7 ? 10 : 1))
const mark = value.map((own) => (own > 100 ? 'HIGH' : 'NORMAL'))
const sex = age.map((_, i) => 'FM'[i % 2]!)

test('a mark that was made from the target is named, and without it the wrong values are found', () => {
  const grade = value.map((own) => (own > 100 ? 2 : 1))
  const { remarks } = fitTable({ age, sex, mark, grade, value }, { target: 'value', model: 'linear' })
  expect(remarks).toContain(
    'columns "mark", "grade" go by the target (all rows with "HIGH" in "mark" have a larger target than all with "NORMAL"): made from it, an error is in both and its row looks good; exclude ["mark","grade"] leaves them out',
  )
  const { flagged } = fitTable({ age, sex, value }, { target: 'value', model: 'linear' })
  expect(flagged).toBe(n / 20)
})

test('groups that overlap, or of two rows, are groups like others', () => {
  const overlapping = mark.map((own, i) => (i === 0 ? 'HIGH' : own))
  const rare = value.map((own, i) => (i === 7 || i === 27 ? 'rare' : own > 0 ? 'usual' : ''))
  const { remarks } = fitTable({ age, overlapping, rare, value }, { target: 'value', model: 'linear' })
  expect(remarks.join()).not.toContain('by the target (')
})
