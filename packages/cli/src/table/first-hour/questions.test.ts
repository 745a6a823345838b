import { expect, test } from 'vitest'
import { many, normals, run, runJson, testFolder } from '../../testing/run.js'

// What new users are asked about columns of files that they brought in their first hour.
const folder = testFolder()
const z = normals(5)

test('a sign among words is a category, with a remark', async () => {
  const rows = many((i) => `${['good', 'bad', '.', 'fair'][i % 4]},${(i * i) % 37}`)
  const path = folder.file('sign.csv', `health,y\n${rows}\n`)
  const { remarks } = await run('fit', path, '--target', 'y', '--model', 'linear')
  expect(remarks).toContain(
    'column "health": "." is a category like the others; --missing . takes it as missing',
  )
  const taken = await run('fit', path, '--target', 'y', '--model', 'linear', '--missing', '.')
  expect(taken.remarks).toContain('dropped 15 of 60 rows for missing values ("health" misses 15)')
})

test('-999 in the target is asked about, too', async () => {
  const rows = many((i) => `${z()},${i % 12 === 5 ? -999 : 50 + 3 * z()}`)
  const { remarks } = await run('fit', folder.file('target.csv', `x,y\n${rows}\n`), '--target', 'y')
  expect(remarks).toContain(
    'column "y": 5 rows have -999, far from all others: does it stand for a missing value? --missing -999 takes it so',
  )
})

test('a total among the features is asked about', async () => {
  const rows = many((i) => `${(i * i) % 41},${(i * 7) % 29},${((i * i) % 41) + ((i * 7) % 29)}`)
  const { remarks } = await run('fit', folder.file('total.csv', `a,b,Total\n${rows}\n`), '--target', 'a')
  expect(remarks.join()).toContain(
    '"a" = "Total" - "b" in 100 % of the rows: if "Total" was computed from "a", an error is in both and its row looks good; --exclude Total leaves out what shares it',
  )
})

// As climate offices, observatories, instruments of 16 bits and models of the earth write that there is nothing.
test.each(['-99.9', '999.9', '-999.90', '9999.9', '-32768', '65535', '1e20'])(
  'several %s, far from all other numbers, may stand for missing values',
  async (code) => {
    const row = (i: number): string => `${i % 20},${i % 13 === 4 ? code : 3 * (i % 20) + z()}`
    const path = folder.file('codes.csv', `x,y\n${many(row, 90)}\n`)
    const { remarks } = await run('fit', path, '--target', 'y', '--method', 'ml')
    const value = String(Number(code))
    const question = `column "y": 7 rows have ${value}, far from all others: does it stand for a missing value? --missing ${value} takes it so`
    expect(remarks).toContain(question)
    const read = await runJson('fit', path, '--target', 'y', '--method', 'ml', '--missing', value)
    expect(read.dropped.missing).toBe(7)
  },
)

test('a date and the moment at which that day ended say nearly the same', async () => {
  const day = (i: number): string => new Date(Date.UTC(2023, 0, 1 + i)).toISOString().slice(0, 10)
  const rows = many((i) => `${day(i)},${day(i)}T22:4${(i * i) % 10}:00,${(i * 7) % 31}`, 280)
  const path = folder.file('nights.csv', `date,bedtime,y\n${rows}\n`)
  const { remarks } = await run('fit', path, '--target', 'y', '--model', 'linear', '--method', 'ml')
  expect(remarks.join('\n')).toContain(
    'columns "date" and "bedtime" say nearly the same (correlation beyond 0.9999)',
  )
})
