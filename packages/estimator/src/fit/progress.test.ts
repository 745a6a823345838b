import { draws } from 'rlvi/random'
import { describe, expect, test, vi } from 'vitest'
import type { Column } from '../columns/column.js'
import { fitTable } from './fit-table.js'
import { modelNames } from './methods.js'
import type { FitProgress } from './progress.js'

const { normal, uniform } = draws('progress')
const n = 1500
const each = <T>(value: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => value(i))
const a = each(() => normal())
const b = each(() => normal())
const y = each((i) => (i % 5 === 0 ? 30 * normal() : 2 * a[i]! - b[i]! + 0.1 * normal()))
const targets: Record<string, Column> = {
  linear: y,
  logistic: each((i) => (a[i]! + normal() > 0 === uniform(0, 1) > 0.1 ? 'yes' : 'no')),
  softmax: each((i) => (a[i]! + normal() > 0.5 ? 'x' : b[i]! + normal() > 0 ? 'y' : 'z')),
  poisson: each((i) => Math.round(Math.exp(0.5 * a[i]! + 1 + 0.3 * normal()))),
}

describe.each(modelNames)('the progress of %s', (model) => {
  test('is told, and changes no number', () => {
    const target = targets[model]
    const columns: Record<string, Column> = target === undefined ? { a, b, y } : { a, b, target }
    const options = { model, ...(target === undefined ? {} : { target: 'target' }) }
    const told: FitProgress[] = []
    const watched = fitTable(columns, { ...options, onProgress: (progress) => told.push(progress) })
    const alone = fitTable(columns, options)
    expect([watched.params, watched.corruption, watched.clean]).toEqual([
      alone.params,
      alone.corruption,
      alone.clean,
    ])
    for (const [k, { rows, pass, level }] of told.entries()) {
      expect(rows).toBe(n)
      expect(pass).toBeGreaterThan(told[k - 1]?.pass ?? 0)
      if (level !== undefined) expect(level >= 0 && level < 1).toBe(true)
    }
  })
})

test('a fit of many rows tells its phases and ends near its level', () => {
  const many = 100_000
  const x = Float64Array.from({ length: many }, () => normal())
  const z = x.map((value, i) => (i % 4 === 0 ? 20 * normal() : value + normal()))
  const told: FitProgress[] = []
  // So long a time between two passes that each is told, however fast the machine.
  let now = 0
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
    now += 1000
    return now
  })
  const { corruption } = fitTable({ x, z }, { target: 'z', onProgress: (progress) => told.push(progress) })
  const ranked: FitProgress[] = []
  fitTable({ x, z }, { target: 'z', method: 'paper', onProgress: (progress) => ranked.push(progress) })
  clock.mockRestore()
  // The paper's weights rank rows: their mean is no share of bad ones.
  expect(ranked.length).toBeGreaterThan(2)
  expect(ranked.every(({ level }) => level === undefined)).toBe(true)
  expect(new Set(told.map(({ phase }) => phase))).toEqual(new Set(['searching', 'fitting', 'comparing']))
  const last = told.findLast(({ level }) => level !== undefined)
  expect(Math.abs(last!.level! - corruption.level!)).toBeLessThan(0.1)
})
