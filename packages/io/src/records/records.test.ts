import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { fields } from './csv.js'
import { delimiterOf } from './delimiter.js'
import { namesOf } from './names.js'
import { LONGEST, type Place, splitter } from './records.js'

const beginning: Place = { bytes: 0, lines: 0, crc: 0 }

interface Seen {
  readonly text: string
  readonly line: number
  readonly problem: string | undefined
  /** Bytes, lines and checksum when it was given. */
  readonly bytes: number
  readonly lines: number
  readonly crc: number
}

function records(input: Buffer, cuts: readonly number[], delimiter?: string): Seen[] {
  const seen: Seen[] = []
  const split = splitter(beginning, delimiter)
  const each = (text: string, line: number, problem: string | undefined): void => {
    seen.push({ text, line, problem, ...split.place() })
  }
  const places = [...new Set([0, ...cuts.map((cut) => cut % (input.length + 1)), input.length])]
  places.sort((a, b) => a - b)
  for (let k = 1; k < places.length; k++) split.take(input.subarray(places[k - 1], places[k]), each)
  split.end(each)
  return seen
}

const texts = (input: string | Buffer, delimiter?: string): string[] =>
  records(Buffer.from(input as string), [], delimiter).map(({ text }) => text)

const cuts = fc.array(fc.nat(400), { maxLength: 8 })
// Signs that matter, and some of two, three and four bytes.
const cell = fc
  .array(fc.constantFrom('a', '7', ' ', '"', ',', ';', '\n', '\r\n', '\r', 'é', '€', '😀', '\ufffd'), {
    maxLength: 6,
  })
  .map((signs) => signs.join(''))
const line = fc
  .array(fc.constantFrom('a', '"', '{', '}', ' ', 'é', '€', '😀', '\ufffd', '\r'), { maxLength: 12 })
  .map((signs) => signs.join('').replace(/\r+$/, ''))

test('lines: what was joined by newlines comes apart again, wherever the bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(line),
      cuts,
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      (lines, places, newline, last) => {
        const input = Buffer.from(lines.join(newline) + (last ? newline : ''))
        const seen = records(input, places)
        const wanted = lines
          .map((text, i) => ({ text, line: i + 1 }))
          .filter(({ text }) => text.trim() !== '')
        expect(seen.map(({ text, line: number }) => ({ text, line: number }))).toEqual(wanted)
        expect(seen.every(({ problem }) => problem === undefined)).toBe(true)
      },
    ),
  )
})

test('CSV: what was quoted comes apart again, wherever the bytes are cut', () => {
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(table, cuts, fc.constantFrom('\n', '\r\n'), fc.boolean(), (rows, places, newline, last) => {
      const quoted = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(','))
      const input = Buffer.from(quoted.join(newline) + (last ? newline : ''))
      const seen = records(input, places, ',')
      expect(seen.map(({ text }) => fields(text, ','))).toEqual(rows)
      let before = 0
      for (const [k, { line: number }] of seen.entries()) {
        expect(number).toBe(before + 1)
        before += 1 + (quoted[k]!.match(/\n/g) ?? []).length
      }
    }),
  )
})

const told = ({ text, line: number, problem }: Seen): unknown => [text, number, problem]

test('any bytes give the same records, places and checksums, wherever they are cut', () => {
  const signs = fc.constantFrom(0x22, 0x2c, 0x0a, 0x0d, 0x61, 0xc3, 0xa9, 0xef, 0xbb, 0xbf)
  fc.assert(
    fc.property(
      fc.array(signs, { maxLength: 60 }),
      cuts,
      fc.constantFrom(undefined, ','),
      (bytes, places, sign) => {
        const input = Buffer.from(bytes)
        const seen = records(input, places, sign)
        const whole = records(input, [], sign)
        expect(seen.map(told)).toEqual(whole.map(told))
        // Of a broken record it is known before all of it has come.
        const good = seen.filter(({ problem }) => problem === undefined)
        expect(good).toEqual(whole.filter(({ problem }) => problem === undefined))
        for (const { bytes: length, crc } of good) expect(crc).toBe(crc32(input.subarray(0, length)))
      },
    ),
    { numRuns: 500 },
  )
})

test('going on from a place gives the records after it', () => {
  const input = Buffer.from('{"a":1}\n\n{"a":2}\n{"a":3}')
  const all = records(input, [])
  const { bytes, lines, crc } = all[0]!
  const rest: string[] = []
  const split = splitter({ bytes, lines, crc })
  const each = (text: string, number: number): void => {
    rest.push(`${number} ${text}`)
  }
  split.take(input.subarray(bytes), each)
  split.end(each)
  expect(rest).toEqual(['3 {"a":2}', '4 {"a":3}'])
  expect(split.place()).toEqual({ bytes: input.length, lines: 4, crc: crc32(input) })
})

describe('what is broken', () => {
  const problems = (input: Buffer, delimiter?: string): string[] =>
    records(input, [70_000, 300_000], delimiter).map(
      ({ text, line: number, problem }) => `${number} ${problem ?? text}`,
    )

  test('bytes that are no UTF-8', () => {
    const input = Buffer.concat([Buffer.from('a\nb'), Buffer.from([0xff]), Buffer.from('\nc')])
    expect(problems(input)).toEqual(['1 a', '2 text in UTF-8 is needed, got other bytes', '3 c'])
  })

  test('a line that is too long is passed over; the next one is not', () => {
    const rule = `at most ${LONGEST} bytes are taken for a line, got more`
    const full = 'x'.repeat(LONGEST)
    expect(problems(Buffer.from(`a\n${full}x\nb\n${full}\nc`))).toEqual([
      '1 a',
      `2 ${rule}`,
      '3 b',
      `4 ${full}`,
      '5 c',
    ])
    expect(problems(Buffer.from(`a\n${full}${full}${full}`))).toEqual(['1 a', `2 ${rule}`])
  })

  test('a quote that nothing closes costs its line only', () => {
    const rule = `a quote must end within ${LONGEST} bytes, got none`
    expect(problems(Buffer.from('1,2\n3,"4\n5,6\n'), ',')).toEqual(['1 1,2', `2 ${rule}`, '3 5,6'])
    const long = '5,6\n'.repeat(LONGEST / 2)
    const seen = problems(Buffer.from(`3,"4\n${long}`), ',')
    expect(seen[0]).toBe(`1 ${rule}`)
    expect(seen.length).toBe(1 + LONGEST / 2)
  })

  test('something behind a closing quote', () => {
    const rule = 'a value must end where its quote ends, got more behind it'
    expect(problems(Buffer.from('"a"b,2\n3,4'), ',')).toEqual([`1 ${rule}`, '2 3,4'])
  })
})

test('a byte order mark is no part of the first record', () => {
  expect(texts('\ufeff{"a":1}\n')).toEqual(['{"a":1}'])
  expect(texts('\ufeff"a","b"\n1,2', ',')).toEqual(['"a","b"', '1,2'])
})

test('quotes inside a value that does not begin with one are signs like any other', () => {
  expect(texts('5" nails,3\n4,x"y"\n', ',').map((record) => fields(record, ','))).toEqual([
    ['5" nails', '3'],
    ['4', 'x"y"'],
  ])
})

test('the delimiter is the most frequent one outside quotes', () => {
  expect(['a,b', 'a;b;c,d', 'a\tb', 'a|b', '"a,b,c";d', 'a'].map((header) => delimiterOf([header]))).toEqual([
    ',',
    ';',
    '\t',
    '|',
    ';',
    ',',
  ])
})

test('a name that goes on in the next line is part of the header, whatever parts all lines below it', () => {
  expect(delimiterOf(['"height', 'of child",b,the target', '1,2,kind 0', '3,4,kind 1'])).toBe(',')
  // Inches, and no quote that ends.
  expect(delimiterOf(['pipe 5";b', '1;2', '3;4'])).toBe(';')
})

test('a header of very many columns has its names at once, however many are the same', () => {
  const cells = Array.from({ length: 300_000 }, (_, j) => (j % 3 === 0 ? 'x' : j % 3 === 1 ? '' : `y${j}`))
  const { names, renamed } = namesOf(cells)
  expect(new Set(names).size).toBe(300_000)
  expect([names.slice(0, 5), renamed.length]).toEqual([['x', 'column2', 'y2', 'x_1', 'column5'], 99_999])
})
