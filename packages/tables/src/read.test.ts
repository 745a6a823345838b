import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { read } from './read.js'
import { type Column, withTable } from './table.js'
import { cellsOf, testFolder } from './testing.js'
import { writeTable } from './write.js'

const folder = testFolder()

async function load(path: string, features: readonly string[], table?: string): Promise<Cell[][]> {
  const columns = await withTable(path, { table }, (opened) => read(opened, { features }))
  return [...columns.values()].map(cellsOf)
}

type Cell = number | string | null

async function columns(path: string): Promise<readonly Column[]> {
  return await withTable(path, {}, async (table) => table.columns)
}

test('CSV, JSON, NDJSON and Parquet give the same table', async () => {
  const csv = folder.file('t.csv', 'a,word,yes\n1,x,true\n2.5,y,false\n,x,true\n')
  const rows = [
    { a: 1, word: 'x', yes: true },
    { a: 2.5, word: 'y', yes: false },
    { a: null, word: 'x', yes: true },
  ]
  const json = folder.file('t.json', JSON.stringify(rows))
  const lines = folder.file('t.ndjson', rows.map((row) => JSON.stringify(row)).join('\n'))
  const parquet = join(folder.path, 't.parquet')
  await writeTable(parquet, {
    rows: 3,
    columns: [
      { name: 'a', kind: 'number', at: (i) => rows[i]!.a },
      { name: 'word', kind: 'text', at: (i) => rows[i]!.word },
      { name: 'yes', kind: 'boolean', at: (i) => rows[i]!.yes },
    ],
  })
  for (const path of [csv, json, lines, parquet]) {
    expect((await columns(path)).map(({ name }) => name)).toEqual(['a', 'word', 'yes'])
    expect(await load(path, ['a', 'word', 'yes'])).toEqual([
      [1, 2.5, null],
      ['x', 'y', 'x'],
      ['true', 'false', 'true'],
    ])
  }
})

test('whole numbers that are all dates of eight digits come as texts, others as numbers', async () => {
  const days = ['20191231', '20200101', '20200229', '20200301']
  const csv = folder.file(
    'days.csv',
    `day,id,few\n${days.map((day, i) => `${day},${20200129 + i},${days[i % 2]}`).join('\n')}\nNA,20200101,\n`,
  )
  // The 32nd of January is none, and two different numbers are too few to know.
  expect(await load(csv, ['day', 'id', 'few'])).toEqual([
    [...days, 'NA'],
    [20200129, 20200130, 20200131, 20200132, 20200101],
    [20191231, 20200101, 20191231, 20200101, null],
  ])
  const parquet = join(folder.path, 'days.parquet')
  await writeTable(parquet, {
    rows: 4,
    columns: [{ name: 'day', kind: 'number', at: (i) => Number(days[i]) }],
  })
  expect((await load(parquet, ['day']))[0]!.map(Number)).toEqual(days.map(Number))
  expect(typeof (await load(parquet, ['day']))[0]![0]).toBe('string')
})

test('words for yes and no stay those words, and codes keep their zeros where they are texts', async () => {
  const path = folder.file('yes.csv', 'a,b,c\nyes,T,007\nno,F,x\n')
  expect(await load(path, ['a', 'b', 'c'])).toEqual([
    ['yes', 'no'],
    ['T', 'F'],
    ['007', 'x'],
  ])
})

test('a long file keeps its order and its gaps', async () => {
  const n = 200_000
  const lines = ['k,x']
  for (let i = 0; i < n; i++) lines.push(i % 1000 === 17 ? `${i},` : `${i},${i / 8}`)
  const path = folder.file('long.csv', `${lines.join('\n')}\n`)
  const found = await withTable(path, {}, (table) => read(table, { features: ['k', 'x'] }))
  const k = found.get('k')
  if (!(k !== undefined && 'matrix' in k)) throw new Error('no matrix')
  expect(k.matrix.values.buffer).toBeInstanceOf(SharedArrayBuffer)
  const wanted = Float64Array.from({ length: 2 * n }, (_, at) => {
    const row = at >> 1
    return at % 2 === 0 ? row : row % 1000 === 17 ? Number.NaN : row / 8
  })
  expect(k.matrix.values.every((value, at) => Object.is(value, wanted[at]))).toBe(true)
})

test('a row that begins like a comment is a row', async () => {
  const lines = Array.from({ length: 12 }, (_, i) => (i === 7 ? '#7,1' : `${i}.5,2`))
  const path = folder.file('hash.csv', `a,b\n${lines.join('\n')}\n`)
  const [a] = await load(path, ['a'])
  expect([a!.length, a![7]]).toEqual([12, '#7'])
})

test('a quote that does not end is an error', async () => {
  const lines = Array.from({ length: 15_000 }, (_, i) =>
    i === 14_000 ? '1,"2,3' : i === 14_500 ? '4' : `${i},2`,
  )
  const path = folder.file('quote.csv', `a,b\n${lines.join('\n')}\n`)
  await expect(load(path, ['a'])).rejects.toThrow(
    /quote\.csv line 1400[12]: a quote must end, and the value with it, got one that does not/,
  )
})

test('a line that is too short far below the header is an error', async () => {
  const lines = Array.from({ length: 60_000 }, (_, i) => (i === 50_000 ? '1' : `${i},0.${'3'.repeat(90)}`))
  const path = folder.file('deep.csv', `a,b\n${lines.join('\n')}\n`)
  await expect(load(path, ['a'])).rejects.toThrow(
    'deep.csv line 50002: every line must have 2 values like the header, got 1; fix that line',
  )
})

test('a gap is none, however it is written', async () => {
  const path = folder.file('gaps.csv', 'x,y,c\n1,,a\n2,5,\n,NA,b\n-,6,b\nNaN, 7 ,b\n')
  expect(await load(path, ['x', 'y', 'c'])).toEqual([
    [1, 2, null, null, null],
    [null, 5, null, 6, 7],
    ['a', null, 'b', 'b', 'b'],
  ])
})

test('names and paths are data, never SQL or patterns', async () => {
  const names = ['a"b', "'; drop table x; --", '日本', 'new\nline']
  const header = names.map((name) => `"${name.replaceAll('"', '""')}"`).join(',')
  folder.file('x1.csv', 'wrong\n9\n')
  mkdirSync(join(folder.path, "it's k=v"))
  for (const place of ['x[1].csv', 'x*.csv', 'x?.csv', "it's k=v/quote'.csv"]) {
    const path = folder.file(place, `${header}\n1,2,3,4\n`)
    expect((await columns(path)).map((column) => column.name)).toEqual(names)
    expect(await load(path, names)).toEqual([[1], [2], [3], [4]])
  }
})

test('a DuckDB file is read by table or query, and cannot be changed by it', async () => {
  const path = join(folder.path, 'base.duckdb')
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  await connection.run('create table t as select range::double as x from range(4)')
  await connection.run('create table "o""dd" as select 7 as x')
  instance.closeSync()
  const values = async (table?: string): Promise<Cell[] | undefined> => (await load(path, ['x'], table))[0]
  expect(await values('t')).toEqual([0, 1, 2, 3])
  expect(await values('o"dd')).toEqual([7])
  expect(await values('select x from t where x > 1 order by x desc -- last')).toEqual([3, 2])
  await expect(values()).rejects.toThrow('one table is needed, got 2; choose `table`, one of: "o\\"dd", "t"')
  await expect(values('select 1 as x) as t(x); drop table t; --')).rejects.toThrow()
  expect(await values('t')).toEqual([0, 1, 2, 3])
})

test.each([
  ['empty.csv', '', /empty\.csv: a header and rows are needed, got "an empty file"/],
  ['bad.parquet', 'PAR1 not at all PAR1', /bad\.parquet: could not be read, got /],
  ['bad.json', '{"a": [1, 2', /bad\.json: could not be read, got /],
  [
    'short.csv',
    'a,b\n1,2\n3\n4,5\n',
    /short\.csv line 3: every line must have 2 values like the header, got 1/,
  ],
  ['wide.csv', 'a,b\n1,2\n3\n4,5,6\n', /wide\.csv line 3: every line must have 2 values/],
  ['sheet.xlsx', 'PK', /sheet\.xlsx: could not be read as a spreadsheet, got .*; save it as CSV/],
])('%s is refused with its reason', async (name, content, message) => {
  const path = folder.file(name, content)
  const error: Error = await load(path, ['a']).then(
    () => new Error('was read'),
    (reason) => reason,
  )
  expect(error.message).toMatch(message)
  expect(error.message).not.toMatch(/\n|LINE 1|select/)
})

test('a column that the table does not have is named', async () => {
  const path = folder.file('short.csv', 'a,b\n1,2\n3,4\n')
  await expect(withTable(path, {}, (table) => read(table, { features: ['a', 'nope'] }))).rejects.toThrow(
    'read: columns of the table are needed, got "nope"; see `table.columns`',
  )
})

test('a file that is not there, a folder, and a table where there are none', async () => {
  await expect(load(join(folder.path, 'no.csv'), [])).rejects.toThrow(
    'a file that can be read is needed, got no such file or folder; check the name',
  )
  await expect(load(folder.path, [])).rejects.toThrow('a file is needed, got "a folder"')
  const path = folder.file('gap.csv', 'a,b\n1,2\n3,NaN\n')
  await expect(load(path, ['a'], 'a')).rejects.toThrow('table: only a DuckDB file')
})
