import { summariseColumns } from '@rlvi/estimator'
import { describe, expect, test } from 'vitest'
import { read } from '../read.js'
import { withTable } from '../table.js'
import { testFolder } from '../testing.js'
import { writeTable } from '../write.js'
import { look } from './look.js'

const folder = testFolder()

const rows = Array.from({ length: 300 }, (_, i) => {
  const day = new Date(Date.UTC(2021, 0, 1 + (i % 90))).toISOString().slice(0, 10)
  return {
    id: `row ${i}`,
    x: i % 17 === 3 ? 'NA' : String(Math.sin(i) * 10),
    whole: String((i * i) % 23),
    city: i % 11 === 5 ? '' : ['oslo', 'bonn', 'rome', 'rome'][i % 4]!,
    day,
    hour: `202103${String(1 + (i % 28)).padStart(2, '0')}${String(i % 24).padStart(2, '0')}`,
    slashed: i % 30 === 4 ? '--' : `${1 + (i % 12)}/${1 + (i % 28)}/2021 ${1 + (i % 12)}:05 PM`,
    written: `${1 + (i % 28)}.${1 + (i % 12)}.2021`,
    same: '7',
    empty: '',
    cylinders: i % 50 === 7 ? 'rotary' : String(4 + 2 * (i % 3)),
    odd: i === 200 ? 'oops' : String(i),
    parted: i === 5 ? '1_000' : String(i),
    isNew: i % 3 === 0 ? 'true' : 'false',
    label: ['no', 'yes'][i % 2]!,
    code: String(i % 2),
  }
})
const names = Object.keys(rows[0]!) as (keyof (typeof rows)[0])[]
const text = (some: typeof rows): string =>
  `${names.join(',')}\n${some.map((row) => names.map((name) => row[name]).join(',')).join('\n')}\n`

/** What all rows say, read and gone through; without the place of a word, which is not counted, and medians. */
async function byRows(path: string | string[], options: object): Promise<unknown> {
  const columns = await withTable(path, {}, (table) => read(table, { features: names, ...options }))
  return summariseColumns(columns, options).map((column) => {
    const { median: _, use, ...rest } = column
    return { ...rest, use: { ...use, how: use.how.replace(/ in row \d+/, '') } }
  })
}

describe('what the database counts is what all rows say', () => {
  const csv = folder.file('all.csv', text(rows))
  const parts = [folder.file('a.csv', text(rows.slice(0, 100))), folder.file('b.csv', text(rows.slice(100)))]
  test.each([
    ['one file', csv, {}],
    ['a target that is labels', csv, { target: 'label' }],
    ['a target of two whole numbers', csv, { target: 'code' }],
    ['a target of numbers', csv, { target: 'x' }],
    ['other missing values', csv, { missing: ['7', 'rome'] }],
    ['what a user says of columns', csv, { categories: ['whole'], numbers: ['odd'] }],
    ['two files', parts, { target: 'x' }],
  ])('%s', async (_, path, options) => {
    const found = await withTable(path, {}, (table) => look(table, options))
    expect(found.rows).toBe(rows.length)
    const wanted = (await byRows(path, options)) as { name: string }[]
    for (const [j, column] of found.columns.entries()) expect(column).toEqual(wanted[j])
  })
})

test('a file with types', async () => {
  const path = `${folder.path}/typed.parquet`
  await writeTable(path, {
    rows: 200,
    columns: [
      { name: 'n', kind: 'integer', at: (row) => (row % 10 === 0 ? null : row) },
      { name: 'v', kind: 'number', at: (row) => row / 7 },
      { name: 't', kind: 'text', at: (row) => (row % 3 === 0 ? 'a' : 'b') },
      { name: 'b', kind: 'boolean', at: (row) => row % 2 === 0 },
    ],
  })
  const { columns } = await withTable(path, {}, (table) => look(table))
  expect(columns.map(({ name, kind, missing, use }) => [name, kind, missing, use.how])).toEqual([
    ['n', 'number', 20, 'a number'],
    ['v', 'number', 0, 'a number'],
    ['t', 'text', 0, '1 indicator, beside "b"'],
    ['b', 'text', 0, '1 indicator, beside "false"'],
  ])
  for (const { kind, bins, missing } of columns)
    if (kind === 'number') expect(bins!.reduce((a, b) => a + b, 0)).toBe(200 - missing)
})

test('many different texts are names, whatever their number', async () => {
  const path = folder.file(
    'names.csv',
    `name\n${Array.from({ length: 7000 }, (_, i) => `person-${i}`).join('\n')}\n`,
  )
  const { columns } = await withTable(path, {}, (table) => look(table))
  expect(columns[0]!.use.as).not.toBe('feature')
  // The sketch is within a few percent.
  expect(Math.abs(columns[0]!.distinct! / 7000 - 1)).toBeLessThan(0.15)
})

test('as many that come again and again are too many, and it says how many, without one for each', async () => {
  const lines = Array.from({ length: 200_000 }, (_, i) => `person-${i % 40_000}`)
  const path = folder.file('again.csv', `name\n${lines.join('\n')}\n`)
  const [name] = (await withTable(path, {}, (table) => look(table))).columns
  expect(name!.use.as).toBe('problem')
  expect(Math.abs(name!.distinct! / 40_000 - 1)).toBeLessThan(0.1)
  expect(name!.use.how).toContain(`got about ${name!.distinct}`)
})

test('the base is the text that most rows have, by however few more', async () => {
  // As many of each in any sample that is a tenth of these rows.
  const lines = Array.from({ length: 200_000 }, (_, i) => (i < 100_004 ? 'b' : 'a'))
  const path = folder.file('even.csv', `side\n${lines.join('\n')}\n`)
  const [side] = (await withTable(path, {}, (table) => look(table))).columns
  expect(side!.use.how).toBe('1 indicator, beside "b"')
})

test('dates are dates, however many there are and however they are written', async () => {
  const many = Array.from({ length: 6000 }, (_, i) => new Date(Date.UTC(2021, 0, 1, i)).toISOString())
  const ways: [string, (iso: string) => string][] = [
    ['digits', (iso) => iso.slice(0, 13).replaceAll(/[-T]/g, '')],
    ['german', (iso) => `${iso.slice(8, 10)}.${iso.slice(5, 7)}.${iso.slice(0, 4)} ${iso.slice(11, 16)}`],
    ['english', (iso) => `${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)} ${iso.slice(11, 19)}`],
    ['american', (iso) => `${Number(iso.slice(5, 7))}/${Number(iso.slice(8, 10))}/${iso.slice(0, 4)}`],
  ]
  const lines = many.map((iso) => ways.map(([, way]) => way(iso)).join(','))
  const path = folder.file('dates.csv', `${ways.map(([name]) => name).join(',')}\n${lines.join('\n')}\n`)
  const { columns } = await withTable(path, {}, (table) => look(table))
  for (const { kind, range, missing } of columns)
    expect({ kind, range, missing }).toEqual({
      kind: 'date',
      range: ['2021-01-01', '2021-09-07'],
      missing: 0,
    })
})
