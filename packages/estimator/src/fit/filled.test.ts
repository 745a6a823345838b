import { draws } from 'rlvi/random'
import { expect, test } from 'vitest'
import { predictTable } from '../predict/predict-table.js'
import { fitTable } from './fit-table.js'

const rows = 120
const { normal } = draws('filled')
const x = Array.from({ length: rows }, () => normal())
const y = x.map((value) => 3 * value + 0.1 * normal())
const every = (step: number, value: string): (string | null)[] =>
  x.map((_, i) => (i % step === 0 ? `${value} ${i % (3 * step)}` : null))

test('a column that is empty in most rows costs none, and the model does not need it', () => {
  const columns = { x, y, note: every(10, 'note'), score: x.map((_, i) => (i % 4 === 0 ? i : null)) }
  const fit = fitTable(columns, { target: 'y', method: 'ml' })
  expect(fit.dropped).toBe(0)
  expect(fit.design.names).toEqual(['x'])
  expect(fit.remarks.join()).toContain('"note" (108 of 120 rows), "score" (90 of 120 rows)')
  expect(predictTable(fit.model, { x: [1] }).predicted![0]).toBeCloseTo(3, 1)
})

test.each([
  ['features', ['x', 'note']],
  ['categories', ['note']],
] as const)('who names it by %s has it, and a word on what it costs', (option, names) => {
  const columns = { x, y, note: every(4, 'note') }
  const fit = fitTable(columns, { target: 'y', method: 'ml', [option]: names })
  expect(fit.rows.length).toBe(30)
  expect(fit.design.names).toEqual(['x', 'note=note 4', 'note=note 8'])
  expect(fit.remarks.join()).toContain(
    'dropped 90 of 120 rows for missing values ("note" misses 90): most of them',
  )
})

test('half of the rows are enough, and a column that stands alone stays', () => {
  const half = fitTable({ x, y, note: every(2, 'note') }, { target: 'y', method: 'ml' })
  expect(half.rows.length).toBe(60)
  const alone = fitTable(
    { y, score: x.map((v, i) => (i % 4 === 0 ? v : null)) },
    { target: 'y', method: 'ml' },
  )
  expect(alone.rows.length).toBe(30)
})

test('rows that are empty altogether, or have no target, say nothing about a column', () => {
  const gaps = Array.from({ length: 300 }, () => null)
  const long = { x: [...x, ...gaps], z: [...y, ...gaps], y: [...y, ...gaps] }
  expect(fitTable(long, { target: 'y', features: undefined, method: 'ml' }).rows.length).toBe(rows)
  expect(
    fitTable({ a: long.x, b: [...x.map(Math.sin), ...gaps] }, { model: 'mean', method: 'ml' }).rows.length,
  ).toBe(rows)
  // Half of the target is still to be found out, there where notes are.
  const unanswered = x.map((_, i) => (i % 3 === 0 ? null : y[i]!))
  const notes = x.map((_, i) => (i % 3 === 0 ? 'late' : i % 6 === 1 ? 'lost' : null))
  const fit = fitTable({ x, y: unanswered, notes, more: x.map((v) => v * v) }, { target: 'y', method: 'ml' })
  expect(fit.rows.length).toBe(80)
})

test('a column of one value and gaps costs no row; where a missing value is an error, it stays one', () => {
  const member = x.map((_, i) => (i % 3 === 0 ? null : 'yes'))
  const fit = fitTable({ x, y, member }, { target: 'y', method: 'ml' })
  expect(fit.dropped).toBe(0)
  expect(fit.remarks.join()).toContain('left out columns that never vary: "member" ("yes" or empty)')
  expect(() => fitTable({ x, y, member }, { target: 'y', method: 'ml', strict: true })).toThrow(
    /"member": a value is needed/,
  )
})

test('a column that has values only where the target has none costs no row', () => {
  // As a program logs losses of training and of validation, each in rows of its own.
  const step = Array.from({ length: 60 }, (_, i) => i)
  const train = step.map((i) => (i % 10 === 9 ? null : 2 - i / 40 + Math.sin(i) / 50))
  const validation = step.map((i) => (i % 10 === 9 ? 2.1 - i / 40 : null))
  const { remarks, rows } = fitTable({ step, train, validation }, { target: 'train' })
  expect(rows).toHaveLength(54)
  expect(remarks.join()).toContain('which they would cost: "validation" (54 of 54 rows)')
})

test('what has values only where the target has none costs nothing, even if nobody could read them', () => {
  const holder = x.map((_, i) => (i === 0 ? 'Anna' : i === 1 ? 'Muster' : null))
  const limits = x.map((_, i) => (i < 9 ? `<0.${i}` : i < 15 ? `0.${i}` : null))
  const fit = fitTable(
    { x, y: y.map((own, i) => (i < 15 ? null : own)), holder, limits },
    { target: 'y', method: 'ml' },
  )
  expect(fit.design.names).toEqual(['x'])
  expect(fit.remarks.join()).toContain('"holder" (105 of 105 rows), "limits" (105 of 105 rows)')
})
