import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run, runJson, testFolder } from '../testing/run.js'

const folder = testFolder()

/** What a command makes of a text among the numbers of a CSV column. */
type Kind = 'number' | 'missing' | 'bad'

const texts: [string, Kind][] = [
  ...['5', ' 5 ', '+5', '.5', '5.', '1e3', '00012', '9007199254740993'].map((text): [string, Kind] => [
    text,
    'number',
  ]),
  ...[
    '',
    '  ',
    'NA',
    'na',
    'N/A',
    'nan',
    'NaN',
    'null',
    'NULL',
    'None',
    '-',
    '.',
    '?',
    '--',
    '–',
    '#N/A',
    '<NA>',
    '\\N',
  ].map((text): [string, Kind] => [text, 'missing']),
  ...['x', 'ND', '1e', '1_000', '0x10', '1 2', '5%', '***', 'inf', '-Infinity', '1e999', '12:30'].map(
    (text): [string, Kind] => [text, 'bad'],
  ),
]

describe('fit and stream agree on what a cell says', () => {
  test.each(texts)('%j', async (text, kind) => {
    const rows = Array.from({ length: 12 }, (_, i) => [i === 7 ? text : Math.sin(i + 1), ((i * i) % 7) + 0.5])
    const path = folder.csv('cell.csv', [['x', 'y'], ...rows])
    const fit = await run('fit', path, '--target', 'y', '--method', 'ml')
    const inFit =
      fit.status !== 0 ? 'bad' : fit.remarks.join().includes('dropped 1 of 12') ? 'missing' : 'number'
    const stream = await run('stream', '--target', 'y', '--model', 'linear', '--input', path)
    expect(stream.status).toBe(0)
    const said = stream.remarks.find((remark) => remark.includes('column "x"'))
    const inStream = said === undefined ? 'number' : said.includes('a value is missing') ? 'missing' : 'bad'
    expect({ inFit, inStream }).toEqual({ inFit: kind, inStream: kind })
  })
})

describe('New York in May 1973, as R writes it', () => {
  // The first month of R's airquality: Ozone, Solar.R, Wind, Temp.
  const may = `41,190,7.4,67
36,118,8,72
12,149,12.6,74
18,313,11.5,62
NA,NA,14.3,56
28,NA,14.9,66
23,299,8.6,65
19,99,13.8,59
8,19,20.1,61
NA,194,8.6,69
7,NA,6.9,74
16,256,9.7,69
11,290,9.2,66
14,274,10.9,68
18,65,13.2,58
14,334,11.5,64
34,307,12,66
6,78,18.4,57
30,322,11.5,68
11,44,9.7,62
1,8,9.7,59
11,320,16.6,73
4,25,9.7,61
32,92,12,61
NA,66,16.6,57
NA,266,14.9,58
NA,NA,8,57
23,13,12,67
45,252,14.9,81
115,223,5.7,79
37,279,7.4,76`
  const header = 'Ozone,Solar.R,Wind,Temp\n'
  const written = folder.file('may.csv', `${header}${may}\n`)
  const whole = folder.file(
    'whole.csv',
    `${header}${may
      .split('\n')
      .filter((line) => !line.includes('NA'))
      .join('\n')}\n`,
  )

  test('it is fitted without a flag, and says which rows are dropped and why', async () => {
    const found = await runJson('fit', written, '--target', 'Ozone')
    const same = await runJson('fit', whole, '--target', 'Ozone')
    expect([found.model, found.rows, found.dropped.missing]).toEqual(['linear', 24, 7])
    expect(found.params).toEqual(same.params)
    const { remarks } = await run('fit', written, '--target', 'Ozone')
    expect(remarks).toContain(
      'dropped 7 of 31 rows for missing values ("Ozone" misses 5, "Solar.R" misses 4)',
    )
  })

  test('it is predicted, and its known targets compared', async () => {
    const model = join(folder.path, 'may.json')
    await run('fit', written, '--target', 'Ozone', '--save', model)
    const found = await runJson('predict', model, written)
    expect([found.rows, found.predicted, found.missing, found.error.rows]).toEqual([31, 27, 4, 24])
    expect(found.error.rmse).toBeCloseTo((await runJson('predict', model, whole)).error.rmse, 12)
  })

  test('a stream leaves out the same rows', async () => {
    const { remarks, status } = await run(
      'stream',
      '--target',
      'Ozone',
      '--model',
      'linear',
      '--input',
      written,
    )
    expect(status).toBe(0)
    const left = remarks.flatMap((remark) => /row (\d+) is left out/.exec(remark)?.[1] ?? [])
    expect(left).toEqual(['5', '6', '10', '11', '25', '26', '27'])
    expect(remarks).toContain('rows left out for missing values: column "Ozone" 5, column "Solar.R" 2')
  })

  test('an audit of labels leaves out the same rows', async () => {
    const rows = may.split('\n').map((line, i) => `${line},${i === 3 ? 'NA' : i % 3 ? 'low' : 'high'}`)
    const path = folder.file('labels.csv', `${header.trimEnd()},label\n${rows.join('\n')}\n`)
    expect((await runJson('audit', path, '--target', 'label')).samples).toBe(23)
  })
})

test('what --missing names is in place of the usual signs: remarks and errors say so', async () => {
  const rows = Array.from({ length: 60 }, (_, i) => {
    const age = i % 19 === 3 ? '-999' : i % 23 === 4 ? 'NA' : String(20 + ((i * 37) % 41))
    return `${age},${i % 11 === 5 ? 'NA' : ['rome', 'oslo', 'bonn'][i % 3]},${Math.sin(i) * 40}`
  })
  const path = folder.file('usual.csv', `age,city,y\n${rows.join('\n')}\n`)
  const fit = (...more: string[]): ReturnType<typeof run> => run('fit', path, '--target', 'y', ...more)
  const { remarks } = await fit()
  expect(remarks).toContain(
    'column "age": 3 rows have -999, far from all others: does it stand for a missing value? --missing -999 takes it so',
  )
  expect(remarks).toContain(
    'what --missing names is in place of the usual signs: where there are such, as NA, null or -, name them beside it',
  )
  const alone = await fit('--missing', '-999')
  expect(alone.status).toBe(1)
  expect(alone.remarks.at(-1)).toContain(
    'take "NA" as missing by --missing NA beside the signs that are named',
  )
  const kept = await fit('--missing', '-999', '--exclude', 'age')
  expect(kept.remarks).toContain(
    'column "city": "NA" is a category like the others, since the signs of --missing are in place of the usual ones; --missing NA beside those takes it as missing',
  )
  // As the remarks say: one flag beside the other.
  const both = await fit('--missing', '-999', '--missing', 'NA')
  expect(both.remarks.join()).toContain('"age" misses 6, "city" misses 5')
  expect(both.remarks.join()).not.toContain('in place of')
})

test('infinities are an error that says by which flag they are missing, in texts and in numbers', async () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `${i % 13 === 4 ? 'Inf' : i % 17 === 5 ? '-Inf' : i % 11},${3 * i}`,
  )
  const path = folder.file('inf.csv', `x,y\n${rows.join('\n')}\n`)
  const { status, remarks } = await run('fit', path, '--target', 'y')
  expect(status).toBe(1)
  expect(remarks.join('\n')).toContain('take them as missing by --missing -Inf,Inf')
  const gaps = rows.filter((row) => row.includes('Inf')).length
  const found = await runJson('fit', path, '--target', 'y', '--missing', '-Inf,Inf', '--method', 'ml')
  expect([found.rows, found.dropped.missing]).toEqual([60 - gaps, gaps])
  const looked = await runJson('look', path, '--missing', '-Inf,Inf')
  expect(looked.columns[0]).toMatchObject({ kind: 'number', missing: gaps })
})
