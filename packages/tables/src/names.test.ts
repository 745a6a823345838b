import { type Column, fitTable } from '@rlvi/estimator'
import { expect, test } from 'vitest'
import { read } from './read.js'
import { withTable } from './table.js'
import { testFolder } from './testing.js'

const folder = testFolder()

const n = 21_000
const id = (i: number): string => ((i * 2654435761) % 2 ** 32).toString(16).padStart(8, '0')
const day = (i: number): string => new Date(1e12 + i * 3_600_000).toISOString()
const columns: Readonly<Record<string, (i: number) => string>> = {
  'another text in every row': (i) => `k-${id(i)}`,
  'a text in nine rows of ten that comes twice at times': (i) =>
    i % 10 === 0 ? ['', 'NA', ' NULL '][i % 3]! : `k-${id(i - (i % 20 === 1 ? 1 : 0))}`,
  'in half of the rows': (i) => (i % 9 < 4 ? '' : `k-${id(i)}`),
  'in a third of the rows': (i) => (i % 3 ? '' : `k-${id(i)}`),
  'dates, and a word far down': (i) => (i === 20_500 ? 'unknown' : day(i)),
  'numbers with a unit': (i) => `${i} kg`,
  'names in the first half, then numbers': (i) => (i < n / 2 ? `k-${id(i)}` : String(i)),
}

function said(table: ReadonlyMap<string, Column>): string | readonly string[] {
  try {
    return fitTable(table, { target: 'y', method: 'ml', model: 'linear' }).remarks
  } catch (error) {
    return String(error)
  }
}

test.each(Object.keys(columns))('%s: the same is said where names are only counted', async (which) => {
  const rows = Array.from({ length: n }, (_, i) => `${columns[which]!(i)},${i % 7},${(i % 7) + (i % 11)}`)
  const path = folder.file('names.csv', `name,x,y\n${rows.join('\n')}\n`)
  const [whole, counted] = await withTable(path, {}, async (table) => {
    const wanted = { features: ['name', 'x'], target: 'y' }
    return [await read(table, wanted), await read(table, { ...wanted, unnamed: ['name'] })]
  })
  expect(said(counted!)).toEqual(said(whole!))
  const brought = (table: typeof whole): number => {
    const name = table!.get('name')!
    return 'codes' in name ? name.values.length : 0
  }
  const areNames = /^another|^a text|^in half|^in a third/.test(which)
  expect(brought(counted) < brought(whole)).toBe(areNames && which !== 'in a third of the rows')
})
