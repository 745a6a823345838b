import { expect, test } from 'vitest'
import { failure, many, run, runJson, testFolder } from '../../testing/run.js'

// Lines of a file that are no rows: descriptions of columns, a summary above, empty lines below.
const folder = testFolder()

test('a line of codes and one of what they mean, which both end in a delimiter', async () => {
  const row = (i: number): string => `"14000US${i}","Tract ${i}","${(7 * i) % 43}","${3 * i}",`
  const path = folder.file(
    'census.csv',
    `"GEO_ID","NAME","S15_E","B19_E",\n"Geography","Area Name","Percent!!Degree","Median income (dollars)",\n${many(row, 60)}\n`,
  )
  const { remarks, status } = await run('fit', path, '--target', 'B19_E', '--method', 'ml')
  expect(status).toBe(0)
  expect(remarks[0]).toContain('left out the second line, which has units or further names')
  const { rows, columns } = await runJson('look', path)
  const names = columns.map(({ name }: { name: string }) => name)
  expect([rows, names]).toEqual([60, ['GEO_ID', 'NAME', 'S15_E', 'B19_E', 'column5']])
})

test('names of a summary, its values, and below them the table: a remark says how to read that', async () => {
  const row = (i: number): string => `${i === 0 ? '1' : ''},00:00:${10 + i},${120 + ((i * i) % 31)},${i}.5,`
  const head = 'Name,Sport,Date,Distance (km),\nJane,RUNNING,04-05-2024,1.02,\n'
  const path = folder.file(
    'session.csv',
    `${head}Sample rate,Time,HR (bpm),Speed (km/h),\n${many(row, 50)}\n`,
  )
  const said = (await run('look', path)).remarks.join('\n')
  expect(said).toContain('line 3 has names, too ("Sample rate", "Time", "HR (bpm)", "Speed (km/h)")')
  expect(said).toContain('--skip 2 leaves out what stands above it')
  const { status, remarks } = await run('fit', path, '--target', 'HR (bpm)', '--skip', '2', '--method', 'ml')
  expect([status, remarks.join('\n').includes('has names, too')]).toEqual([0, false])
})

test('several lines with one value each below the rows are notes, in whatever language; one may be a row that was cut off', async () => {
  const rows = `"日期","成交","筆數"\n${many((i) => `"2024-01-${10 + (i % 20)}","${i}","${(i * i) % 31}"`)}\n`
  const path = folder.file('stock.csv', `${rows}"說明:"\n"符號說明:+/-/X表示漲/跌/不比價"\n`)
  const { remarks } = await run('look', path)
  expect(remarks).toEqual([`${path}: left out the last 2 lines, a note below the table ("說明:", …)`])
  const cut = folder.file('cut.csv', `${rows}"說明:"\n`)
  expect(await failure('look', cut)).toContain('every line must have 3 values like the header, got 1')
})

test('lines of delimiters below a table are no reason to leave a column out', async () => {
  const rows = many((i) => `${i};${i % 9 === 4 ? '' : (i * i) % 7};${2 * i + (i % 3)}`, 60)
  const path = folder.file('sheet.csv', `a;b;y\n${rows}\n${';;\n'.repeat(100)}`)
  const { remarks } = await run('fit', path, '--target', 'y', '--model', 'linear')
  expect(remarks).toContain(
    'dropped 107 of 160 rows for missing values (the last 100 have no value in the columns that are used, "b" misses 7)',
  )
})

test('a title or groups above columns that blanks part', async () => {
  const row = (i: number): string =>
    [i, (i * i) % 97, 3 * i, i % 7, i % 5].map((value) => String(value).padStart(6)).join(' ')
  const names = ' first second  third fourth  fifth'
  for (const above of ['Station North, daily values of June 2024\n\n', 'procs ---memory---\n']) {
    const path = folder.file('vmstat.txt', `${above}${names}\n${many(row, 60)}\n`)
    const { rows, columns } = await runJson('look', path)
    const found = columns.map(({ name }: { name: string }) => name)
    expect([rows, found]).toEqual([60, ['first', 'second', 'third', 'fourth', 'fifth']])
  }
  // Names with blanks in them cannot be told apart, and are no title: values would stand below the names of others.
  const path = folder.file('blanks.txt', ` Wind speed  Air  Sun light  Rain  Snow\n${many(row, 60)}\n`)
  expect(await failure('fit', path, '--target', 'Rain')).toContain('what parts values was not found')
})

test.each(['My title\r\n\r\n', '\r\n'])(
  'lines above that end otherwise than those below cost no rows: %j',
  async (above) => {
    const rows = many((i) => `${i},${(i * i) % 7},x`, 50)
    const { rows: count } = await runJson('look', folder.file('ends.csv', `${above}a,b,c\n${rows}\n`))
    expect(count).toBe(50)
  },
)

test.each(['\n', '\ufeff\r\n\r\n', '  \n'])(
  'an empty line above the names is not the header: %j',
  async (above) => {
    const rows = many((i) => `"${i}","${(i * i) % 7}","x, y","${i % 3}","${2 * i}"`, 50)
    const sold = folder.file(
      'sold.csv',
      `${above}"a","b","c","d","e"\n${rows}\n\n"50","record(s) downloaded"\n"Seller ID : shop"\n`,
    )
    const { rows: count, columns } = await runJson('look', sold)
    const names = columns.map(({ name }: { name: string }) => name)
    expect([count, names]).toEqual([50, ['a', 'b', 'c', 'd', 'e']])
    expect((await runJson('fit', sold, '--target', 'e', '--method', 'ml')).rows).toBe(50)
  },
)
