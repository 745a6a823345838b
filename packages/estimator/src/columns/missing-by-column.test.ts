import { describe, expect, it } from 'vitest'
import { fitTable } from '../fit/fit-table.js'

/** A line with 30 rows of which row 4 lacks a, and below it rows without a value, as spreadsheets leave them. */
function withEmptyRows(empty: number): { a: (number | null)[]; b: (number | null)[]; y: (number | null)[] } {
  const rows = Array.from({ length: 30 }, (_, i) => [i, (i * i) % 7, 2 * i + Math.sin(i)])
  const column = (j: number) => [...rows.map((row) => row[j]!), ...Array<null>(empty).fill(null)]
  const [a, b, y] = [column(0), column(1), column(2)]
  return { a: a.map((value, i) => (i === 3 ? null : value)), b, y }
}

describe('rows without any value below a table', () => {
  it('are counted by themselves, since no column costs them', () => {
    const { remarks } = fitTable(withEmptyRows(12), { target: 'y' })
    expect(remarks).toContain(
      'dropped 13 of 42 rows for missing values (the last 12 have no value in the columns that are used, "a" misses 1)',
    )
  })

  it('are no reason to leave a column out, even where they are most rows', () => {
    const { remarks } = fitTable(withEmptyRows(90), { target: 'y' })
    expect(remarks.join('\n')).not.toContain('would keep more')
  })

  it('leave the numbers of a fit as they are without them', () => {
    const [many, none] = [90, 0].map((empty) => fitTable(withEmptyRows(empty), { target: 'y' }))
    expect(many!.params).toEqual(none!.params)
    expect(none!.remarks).toContain('dropped 1 of 30 rows for missing values ("a" misses 1)')
  })
})
