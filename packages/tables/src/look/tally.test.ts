import { gzipSync } from 'node:zlib'
import { draws } from 'rlvi/random'
import { describe, expect, it, test } from 'vitest'
import { hasParted } from '../sources/parted-digits.js'
import { withTable } from '../table.js'
import { testFolder } from '../testing.js'
import { FineBins } from './fine-bins.js'
import { look } from './look.js'
import { NumberTally } from './number-tally.js'
import { TextTally } from './text-tally.js'

const folder = testFolder()
const PARTS = 12

/** What whoever knows the range counts. */
function counted(values: readonly number[], low: number, high: number, parts = PARTS): number[] {
  const out = new Array<number>(parts).fill(0)
  for (const value of values) out[Math.min(parts - 1, Math.floor(((value - low) / (high - low)) * parts))]!++
  return out
}

function tallied(values: readonly number[]): NumberTally {
  const tally = new NumberTally({ isTarget: false })
  for (let from = 0; from < values.length; from += 2048)
    tally.add(Float64Array.from(values.slice(from, from + 2048)), Math.min(2048, values.length - from))
  return tally
}

describe('parts of a range that is not known before', () => {
  const random = draws('bins', 1)
  it.each([
    ['normal', (): number => random.normal()],
    ['far to one side', (): number => Math.exp(3 * random.normal())],
    ['far from 0', (): number => 1e9 + random.uniform(0, 1)],
    ['growing', (i: number): number => i * 1e-3 - 7],
    ['falling', (i: number): number => -(i ** 2)],
  ])('hold as many values as there are, within one in a hundred of all: %s', (_, draw) => {
    const values = Array.from({ length: 100_000 }, (_, i) => draw(i))
    const tally = tallied(values)
    const [low, high] = [Math.min(...values.slice(0, 50_000), ...values.slice(50_000)), Math.max(...values)]
    expect([tally.there, tally.low, tally.high]).toEqual([100_000, low, high])
    const bins = tally.bins(PARTS)
    expect(bins.reduce((a, b) => a + b)).toBe(100_000)
    for (const [k, many] of counted(values, low, high).entries())
      expect(Math.abs(bins[k]! - many)).toBeLessThan(1000)
  })

  it('are exact for whole numbers, and for few values', () => {
    const whole = Array.from({ length: 80_000 }, (_, i) => (i * 37) % 601)
    expect(tallied(whole).bins(PARTS)).toEqual(counted(whole, 0, 600))
    const few = Array.from({ length: 999 }, () => random.normal())
    expect(tallied(few).bins(PARTS)).toEqual(counted(few, Math.min(...few), Math.max(...few)))
  })

  it('bear the largest and the smallest numbers, beside each other and alone', () => {
    for (const values of [[5e-324, 1e308, -1.7e308, 1], [7], [1e-290, 3e-290], [1.7e308, -1.7e308]]) {
      const fine = new FineBins(Float64Array.of(values[0]!))
      for (const value of values.slice(1)) fine.add(Float64Array.of(value))
      const bins = fine.between(Math.min(...values), Math.max(...values), PARTS)
      expect(bins.reduce((a, b) => a + b)).toBe(values.length)
      if (values.length > 1) expect(bins[0]! * bins.at(-1)!).toBeGreaterThan(0)
    }
  })
})

test('texts are counted by their hashes, and about where they are very many', () => {
  const random = draws('hashes', 1)
  const few = new TextTally()
  few.add(Float64Array.of(5, Number.NaN, 5, 6), 4)
  expect([few.there, few.distinct, few.counts]).toEqual([
    3,
    2,
    new Map([
      [5, 2],
      [6, 1],
    ]),
  ])
  const many = new TextTally()
  const hashes = Float64Array.from({ length: 50_000 }, () => Math.floor(random.uniform(0, 2 ** 53)))
  for (let k = 0; k < 3; k++) many.add(hashes, hashes.length)
  expect([many.there, many.counts]).toEqual([150_000, undefined])
  // Three standard errors of the sketch.
  expect(Math.abs(many.distinct / 50_000 - 1)).toBeLessThan(0.05)
})

test('a text that the first rows do not have, and a word behind many numbers, are named', async () => {
  const lines = Array.from({ length: 70_000 }, (_, i) => `${i % 1000},${i < 60_000 ? 'a' : 'late'},${i}`)
  lines[65_000] = '3,late,oops'
  const path = folder.file('late.csv', `n,city,mixed\n${lines.join('\n')}\n`)
  const { columns, rows } = await withTable(path, {}, (table) => look(table))
  const [n, city, mixed] = columns
  expect(rows).toBe(70_000)
  expect(city!.top).toEqual([
    { value: 'a', count: 60_000 },
    { value: 'late', count: 10_000 },
  ])
  expect([mixed!.kind, mixed!.top]).toEqual(['mixed', [{ value: 'oops', count: 1 }]])
  const values = lines.map((line) => Number(line.split(',')[0]))
  expect(n!.bins).toEqual(counted(values, 0, 999, n!.bins!.length))
})

test('what stands far below many numbers is seen, whatever the database takes it for', async () => {
  for (const odd of ['1_000', 'nan', '-inf', '1e400', '\u22125', 'word', ' 7 ', '', '"8"', 'NA']) {
    const lines = Array.from({ length: 2500 }, (_, i) => `${i === 2400 ? odd : i},${i % 7}.5`)
    const text = `x,y\n${lines.join('\n')}\n`
    const at = (name: string, content: string | Uint8Array): ReturnType<typeof look> =>
      withTable(folder.file(name, content), {}, (table) => look(table))
    // Of a packed file nothing is taken for granted.
    expect(await at('odd.csv', text), odd).toEqual(await at('odd.csv.gz', gzipSync(text)))
  }
})

test('digits with an underscore between them are found, also where two chunks meet', async () => {
  const chunk = 2 ** 22
  for (const at of [1, chunk - 1, chunk, chunk + 1, 2 * chunk]) {
    const bytes = Buffer.alloc(2 * chunk + 2, '7')
    bytes.fill('_x', 10, 1000)
    expect(await hasParted(folder.file('none', bytes))).toBe(false)
    bytes[at] = 0x5f
    expect(await hasParted(folder.file('one', bytes)), String(at)).toBe(true)
  }
})
