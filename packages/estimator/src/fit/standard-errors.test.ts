import { draws } from 'rlvi/random'
import { expect, test } from 'vitest'
import { fitTable } from './fit-table.js'

const TIMES = 300
const ROWS = 40
const WITHIN_90_PERCENT = 1.645

test('90 % intervals of several means hold the true ones as often as those of each column alone', () => {
  const held = [0, 0, 0, 0]
  const alone = [0, 0, 0, 0]
  for (let seed = 0; seed < TIMES; seed++) {
    const { normal, uniform, binomial } = draws('means', seed)
    // Of mean 0, each with another ratio of its standard deviation to its quartiles.
    const laws = [
      normal,
      () => Math.sign(uniform(-1, 1)) * -Math.log(uniform(0, 1)),
      () => uniform(-1, 1),
      () => 2 * binomial(1, 0.5) - 1 + 0.1 * normal(),
    ]
    const columns = laws.map((draw) => Array.from({ length: ROWS }, draw))
    const table = Object.fromEntries(columns.map((column, j) => [`x${j}`, column]))
    const { params, standardErrors } = fitTable(table, { model: 'mean', errors: 'normal' })
    const { mean } = params as { mean: readonly number[] }
    const errors = (standardErrors as { mean: readonly number[] }).mean
    columns.forEach((column, j) => {
      const own = column.reduce((sum, value) => sum + value, 0) / ROWS
      const squares = column.reduce((sum, value) => sum + (value - own) ** 2, 0)
      if (Math.abs(own) < WITHIN_90_PERCENT * Math.sqrt(squares / (ROWS - 1) / ROWS)) alone[j]!++
      if (Math.abs(mean[j]!) < WITHIN_90_PERCENT * errors[j]!) held[j]!++
    })
  }
  for (let j = 0; j < 4; j++) {
    // 300 times are worth 1.7 percentage points.
    expect(Math.abs(held[j]! - alone[j]!) / TIMES).toBeLessThan(0.05)
    expect(Math.abs(held[j]! / TIMES - 0.9)).toBeLessThan(0.06)
  }
})
