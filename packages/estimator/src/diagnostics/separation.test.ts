import { draws } from 'rlvi/random'
import { describe, expect, test } from 'vitest'
import { type FitTableOptions, fitTable } from '../index.js'

const rows = 150
const { normal, uniform } = draws('separation')
const x = Array.from({ length: rows }, () => normal())
const group = x.map(() => 'abc'[Math.floor(uniform(0, 3))]!)
const noisy = x.map((value) => value + normal() > 0)

function ended(y: readonly string[], features: object, method: FitTableOptions['method']): unknown {
  const { status, standardErrors } = fitTable({ ...features, y }, { target: 'y', method })
  return [status.kind === 'degenerate' ? status.reason : status.kind, standardErrors !== undefined]
}

describe.each(['calibrated', 'ml'] as const)('%s', (method) => {
  test('says that two labels can be told apart, and gives no standard errors', () => {
    const y = x.map((value) => (value > 0 ? 'high' : 'low'))
    expect(ended(y, { x }, method)).toEqual(['separable', false])
  })
  test('and three', () => {
    const y = x.map((value) => (value > 0.5 ? 'high' : value > -0.5 ? 'middle' : 'low'))
    expect(ended(y, { x }, method)).toEqual(['separable', false])
  })
  test('that only a category can', () => {
    const y = noisy.map((high, i) => (group[i] === 'c' || high ? 'yes' : 'no'))
    expect(ended(y, { x, group }, method)).toEqual(['separable', false])
  })
  test('that only one label of three can, in a category', () => {
    const y = noisy.map((high, i) => (group[i] !== 'c' && i % 3 === 0 ? 'maybe' : high ? 'yes' : 'no'))
    expect(ended(y, { x, group }, method)).toEqual(['separable', false])
  })
  test('says nothing where they overlap', () => {
    const labels = noisy.map((high) => (high ? 'yes' : 'no'))
    expect(ended(labels, { x, group }, method)).toEqual(['converged', method === 'calibrated'])
    const three = noisy.map((high, i) => (i % 3 === 0 ? 'maybe' : high ? 'yes' : 'no'))
    expect(ended(three, { x, group }, method)).toEqual(['converged', method === 'calibrated'])
  })
})

test('rows that the fit does not trust are no obstacle', () => {
  // Far apart, with labels that are wrong beyond doubt.
  const far = x.map((value, i) => value + (i % 2 === 0 ? 8 : -8))
  const y = x.map((_, i) => ((i % 2 === 0) === (i % 15 !== 0) ? 'right' : 'left'))
  expect(ended(y, { far }, 'calibrated')).toEqual(['separable', false])
})

test('columns that say nearly the same tell no label, whatever their coefficients', () => {
  // One length, and the same rounded to whole numbers in two units.
  const longer = x.map((value) => Math.round(900 * value))
  const shorter = x.map((value) => Math.round(6000 * value))
  const labels = noisy.map((high) => (high ? 'yes' : 'no'))
  expect(ended(labels, { x, longer, shorter }, 'ml')).toEqual(['converged', false])
})

test('the categories that tell a label are named, each with its rows', () => {
  const rare = x.map((_, i) => (i % 50 === 0 ? 'rare' : i % 2 === 0 ? 'even' : 'odd'))
  const y = noisy.map((high, i) => (rare[i] === 'rare' || high ? 'yes' : 'no'))
  const { remarks } = fitTable({ x, rare, y }, { target: 'y', method: 'ml' })
  expect(remarks).toContain(
    'categories that have one label alone in the rows that the fit trusts: "rare=rare" (3 rows, "yes")',
  )
})
