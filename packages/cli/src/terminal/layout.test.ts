import { describe, expect, test } from 'vitest'
import { asWritten, brief, fromTo, grid, like, orZero, widthOf, withError } from './layout.js'

const header = ['', 'first', 'second', 'third']
const rows = [
  ['a', '1', '2', '3'],
  ['b', '10', '20', '30'],
]

describe('a table on a narrow terminal', () => {
  test('goes on below, with its first column again, and says the same', () => {
    const text = grid(header, rows, { width: 16 })
    for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(16)
    expect(text).toBe(
      '   first  second\na      1       2\nb     10      20\n\n   third\na      3\nb     30\n',
    )
  })
  test('is whole where there is room, or nobody looks', () => {
    expect(grid(header, rows, { width: 23 })).toBe(grid(header, rows))
    expect(grid(header, rows, { width: 22 })).not.toBe(grid(header, rows))
  })
  test('has at least one column beside the first, however narrow', () => {
    expect(grid(header, rows, { width: 1 }).split('\n\n')).toHaveLength(3)
  })
})

describe('the width of a text', () => {
  test.each([
    ['plain', 5],
    ['Größe', 5],
    ['温度', 4],
    ['한국', 4],
    ['e\u0301', 1],
    ['😀', 2],
  ])('%s', (text, width) => {
    expect(widthOf(text)).toBe(width)
  })
  test('wide signs keep the columns in line', () => {
    const lines = grid(undefined, [
      ['温度', '1'],
      ['abcd', '2'],
    ])
    expect(lines).toBe('温度  1\nabcd  2\n')
  })
})

describe('texts that are too long', () => {
  const column = 'The course was clear to me and to all others'
  test('lose their end; indicators keep it, by which they differ', () => {
    expect(grid(undefined, [[column, '1']])).toMatch(/^The course was clear to me [a-z ]*… {2}1\n$/)
    const [agree, disagree] = ['agree', 'disagree'].map((value) =>
      grid(undefined, [[`${column}=${value}`, '1']]),
    )
    expect(agree).toMatch(/^The course was .*…[^…]*=agree {2}1\n$/)
    expect(disagree).toMatch(/^The course was .*…[^…]*=disagree {2}1\n$/)
    expect(widthOf(agree!)).toBe(widthOf(disagree!))
  })
})

describe('zeros', () => {
  test('are printed as 0 where only rounding is left', () => {
    expect(withError(orZero(3.1e-16, 2), 1e-16)[0]).toBe('0')
    expect(orZero(3.1e-16, 1e-15)).toBe(3.1e-16)
    expect(orZero(-1e-9, 1)).toBe(-1e-9)
  })
  test('have no minus', () => {
    expect(fromTo(-0.001, 0.5, '1.25')).toBe('0.00 to 0.50')
    expect(fromTo(-1.001, 0.5, '1.25')).toBe('-1.00 to 0.50')
  })
})

describe('large numbers', () => {
  test('keep every digit that their error leaves a meaning', () => {
    expect(withError(1000011441, 510)).toEqual(['1000011440', '± 510'])
    expect(withError(1000011441, 5)[0]).toBe('1000011441.0')
    expect(withError(-2.08e154, 2e154)[0]).toBe('-2.08e+154')
    expect(fromTo(1000010602.4, 1000012287.2, '1000011440')).toBe('1000010602 to 1000012287')
    expect(like(1000191665.2, '1000011440')).toBe('1000191665')
    expect(like(0.41, '0')).toBe('0.41')
  })
  test('never have zeros in place of digits', () => {
    expect(brief(1234567.8)).toBe('1234568')
    expect(brief(12.345678)).toBe('12.346')
    expect(asWritten(1003058741.3)).toBe('1003058741')
    expect(asWritten(1234567.85)).toBe('1234567.85')
    expect(asWritten(2460401.0459)).toBe('2460401.046')
    expect(asWritten(0.1 + 0.2)).toBe('0.3')
    expect(asWritten(3.850745207412)).toBe('3.8507')
  })
})
