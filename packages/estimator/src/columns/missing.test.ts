import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitTable } from '../fit/fit-table.js'
import { cells, missingValue } from './cells.js'

const {
  numberOf,
  isMissingLabel,
  missing: { isNumber: isMissingNumber, isText: isMissingText },
} = cells()

const signs = ['', ' ', 'NA', 'n/a', 'NaN', 'null', 'NULL', 'None', '-', '.', '?', '--', '—', '..', '#N/A']
// As pandas (`read_csv`), spreadsheets, databases, C, SAS and Stata, and tables of offices write it.
const programs = [
  ...['#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN', '<NA>', 'n/a', 'nan'],
  ...['#DIV/0!', '#VALUE!', '#REF!', '#NUM!', '#NAME?', '#NULL!', '(null)', '[NULL]', '\\N', '-nan(ind)'],
  ...['.a', '.Z', '---', '–', '...', '…', ':', '(NA)', 'n.a.', 'missing', 'No data'],
]
const cell = fc.oneof(
  fc.constantFrom(...signs, ...programs, 'inf', 'Infinity', '1e999', '0x10', '1e', '1,5', ' 7 ', '+.5'),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map(String),
  fc.string({ maxLength: 4 }),
)

/** What a fit makes of a text among the numbers of a feature. */
function inFit(text: string): 'number' | 'missing' | 'bad' {
  const x = Array.from({ length: 12 }, (_, i) => (i === 7 ? text : String(Math.sin(i + 1))))
  const y = Float64Array.from({ length: 12 }, (_, i) => Math.cos(3 * i))
  try {
    const { rows } = fitTable({ x, y }, { target: 'y', method: 'ml' })
    return rows.includes(7) ? 'number' : 'missing'
  } catch (error) {
    expect((error as Error).message).toContain(`got ${JSON.stringify(text)} in row 7`)
    return 'bad'
  }
}

/** What the reader of single values makes of it, which streams are read by. */
function alone(text: string): 'number' | 'missing' | 'bad' {
  const number = numberOf(text)
  if (typeof number === 'number') return 'number'
  return number === missingValue ? 'missing' : 'bad'
}

test('a fit and a stream agree on which texts are numbers, missing or bad', () => {
  fc.assert(
    fc.property(cell, (text) => {
      // A fit can look through its column: one of true and false has two categories. A stream takes 1 and 0.
      fc.pre(!/^\s*(true|false)\s*$/i.test(text))
      expect(inFit(text)).toBe(alone(text))
    }),
    { numRuns: 300 },
  )
})

describe('what is missing', () => {
  test('beside numbers: the signs that programs and people leave', () => {
    for (const text of [...signs, ...programs, 'na', 'N/a', 'NONE', ' NA '])
      expect(isMissingNumber(text)).toBe(true)
    // Not detected is less than something, `***` too wide for its field, and `inf` beyond all: they say how large it is.
    for (const text of ['0', 'no', 'nil', 'N A', 'x', 'ND', 'n.d.', '***', 'inf', '1.#INF', 'T', 'unknown'])
      expect(isMissingNumber(text)).toBe(false)
  })

  test('beside texts: only what nobody means', () => {
    for (const text of ['', '  ', 'NA', 'null', 'NULL', '<NA>', '(null)', '[NULL]', '\\N', '#N/A'])
      expect(isMissingText(text)).toBe(true)
    // A surname, a mark, an answer.
    for (const text of ['Na', 'Null', '-', '--', '.', '?', 'None', 'n/a', 'nan', 'missing'])
      expect(isMissingText(text)).toBe(false)
  })

  test('beside labels: as beside what the labels are', () => {
    expect(isMissingLabel('?', ['0', '1'])).toBe(true)
    expect(isMissingLabel('?', ['yes', 'no'])).toBe(false)
    for (const value of [null, undefined, '', 'NA']) expect(isMissingLabel(value, ['yes', 'no'])).toBe(true)
  })
})

describe('a table with words for missing values', () => {
  const n = 40
  const z = (i: number, k: number): number => Math.sin(12.9898 * i + 78.233 * k)
  const whole = Array.from({ length: n }, (_, i) => ({ a: z(i, 1), b: z(i, 2), y: z(i, 3) + 2 * z(i, 1) }))
  const used = whole.filter((_, i) => i % 9 !== 4)
  const plain = fitTable(
    { a: used.map(({ a }) => a), b: used.map(({ b }) => b), y: used.map(({ y }) => y) },
    { target: 'y' },
  )

  test.each(signs)('%j: its rows count as if they were not there', (sign) => {
    const columns = {
      a: whole.map(({ a }, i) => (i % 9 === 4 ? sign : String(a))),
      b: whole.map(({ b }) => b),
      y: whole.map(({ y }) => String(y)),
    }
    const fit = fitTable(columns, { target: 'y' })
    expect(fit.params).toEqual(plain.params)
    expect(fit.clean).toEqual(plain.clean)
    expect([fit.inputRows, fit.rows.length, fit.dropped]).toEqual([n, used.length, n - used.length])
    expect(fit.remarks).toContain(
      `dropped ${n - used.length} of ${n} rows for missing values ("a" misses ${n - used.length})`,
    )
  })

  test('a text column has categories, and - is one of them', () => {
    const city = whole.map((_, i) => ['rome', '-', 'oslo', 'NA'][i % 4]!)
    const { design, dropped } = fitTable({ city, y: whole.map(({ y }) => y) }, { target: 'y', method: 'ml' })
    expect(design.names).toEqual(['city=oslo', 'city=rome'])
    expect(dropped).toBe(n / 4)
  })
})
