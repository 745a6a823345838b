import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { read } from '../read.js'
import { type OpenOptions, withTable } from '../table.js'
import { cellsOf, testFolder } from '../testing.js'

const folder = testFolder()

interface Loaded {
  readonly columns: Readonly<Record<string, readonly (number | string | null)[]>>
  readonly remarks: readonly string[]
}

/** All columns of some files. */
async function load(paths: string | readonly string[], options: OpenOptions = {}): Promise<Loaded> {
  return await withTable(paths, options, async (table) => {
    const found = await read(table, { features: table.columns.map(({ name }) => name) })
    const columns = Object.fromEntries([...found].map(([name, column]) => [name, cellsOf(column)]))
    return { columns, remarks: table.remarks }
  })
}

const text = 'Größe,Getränk\r\n1.5,café\r\n2,thé\r\n'
const wanted = { Größe: [1.5, 2], Getränk: ['café', 'thé'] }
const utf16le = Buffer.from(text, 'utf16le')
const utf16be = Buffer.from(utf16le).swap16()

describe('letters', () => {
  test.each([
    ['utf8.csv', Buffer.from(text), undefined],
    ['mark.csv', Buffer.from(`\ufeff${text}`), undefined],
    ['utf16le.csv', Buffer.concat([Buffer.of(0xff, 0xfe), utf16le]), undefined],
    ['utf16be.csv', Buffer.concat([Buffer.of(0xfe, 0xff), utf16be]), undefined],
    ['unmarked.csv', Buffer.from('x,y\n1,2\n3,4\n', 'utf16le'), undefined],
    ['packed.csv.gz', gzipSync(Buffer.from(text, 'latin1')), 'latin-1'],
    ['named.csv', Buffer.from(text, 'latin1'), 'ISO-8859-1'],
  ])('%s', async (name, bytes, encoding) => {
    const { columns, remarks } = await load(folder.file(name, bytes), { encoding })
    expect(columns).toEqual(name === 'unmarked.csv' ? { x: [1, 3], y: [2, 4] } : wanted)
    expect(remarks).toEqual([])
  })

  test('what is no UTF-8 is read as Windows writes it, and said so; also where it shows late, or lines end in two ways', async () => {
    const filler = Array.from({ length: 40_000 }, (_, i) => `${i},x`).join('\n')
    for (const [name, content] of [
      ['latin.csv', text],
      ['late.csv', `a,b\n${filler}\n7,é\n`],
      ['ends.csv', 'a,b\r\n1,é\n2,ü\r\n'],
    ] as const) {
      const path = folder.file(name, Buffer.from(content, 'latin1'))
      const { columns, remarks } = await load(path)
      expect(remarks).toEqual([expect.stringContaining(`${name}: no UTF-8, read as windows-1252`)])
      expect(Object.values(columns).flat().join()).toContain('é')
    }
  })

  test('letters that are not of the west are shown in the encodings that they may be of', async () => {
    const remarkOf = async (name: string, hex: string): Promise<string> => {
      const path = folder.file(name, Buffer.concat([Buffer.from(hex, 'hex'), Buffer.from('1,2\n3,4\n')]))
      return (await load(path)).remarks.join()
    }
    const japanese = await remarkOf('sjis.csv', '926391cc8352815b83682c926c0a')
    expect(japanese).toContain('shift_jis makes it “団体コード”')
    const russian = await remarkOf('1251.csv', 'eceef1eae2e02c780a')
    expect(russian).toContain('windows-1251 makes it “москва”')
    expect(russian).not.toContain('shift_jis')
    // Letters of two kinds in one word are none.
    const polish = await remarkOf('1250.csv', '42616e6b6f776f9ce62c780a')
    expect(polish).toContain('windows-1250 makes it “Bankowość”')
    expect(polish).not.toMatch(/gb18030|windows-1251/)
    // A sign of the west within a word.
    expect(await remarkOf('sign.csv', '50b365e62c780a')).toContain('windows-1250 makes it “Płeć”')
  })

  test('lines may end in different ways', async () => {
    const path = folder.file('mixed.csv', 'a,b\n1,2\r\n3,4\n5,6\r\n')
    expect(await load(path)).toEqual({ columns: { a: [1, 3, 5], b: [2, 4, 6] }, remarks: [] })
  })

  test('an encoding that is named is the one that is read, or an error', async () => {
    const path = folder.file('not.csv', Buffer.from(text, 'latin1'))
    await expect(load(path, { encoding: 'utf-8' })).rejects.toThrow(
      /not\.csv: text in utf-8 is needed, got other/,
    )
    await expect(load(path, { encoding: 'ebcdic' })).rejects.toThrow('an encoding that is known is needed')
  })
})

describe('the first line', () => {
  test.each([
    ['a,b\n1,2\n', ['a', 'b']],
    ['country,1990,1991\nde,1,2\n', ['country', '1990', '1991']],
    [',0,1\n0,5.5,6\n', ['column1', '0', '1']],
    ['5.1,3.5,setosa\n4.9,3.0,setosa\n', ['column1', 'column2', 'column3']],
    ['7,3\n4,9\n', ['column1', 'column2']],
    ['a,a,,b\n1,2,3,4\n', ['a', 'a_1', 'column3', 'b']],
    ['"x\ny",b\n1,2\n', ['x\ny', 'b']],
    ['a b\nr1 1 2\nr2 3 4\n', ['column1', 'a', 'b']],
    ['a;b\n1,5;2\n', ['a', 'b']],
    ['1,5;2,5\n2,5;3,5\n', ['column1', 'column2']],
    ['a\tb,c\n1\t2\n', ['a', 'b,c']],
  ])('%j', async (content, names) => {
    const { columns } = await load(folder.file('names.csv', content))
    expect(Object.keys(columns).toSorted()).toEqual(names.toSorted())
  })

  test('is what the user says', async () => {
    const path = folder.file('said.csv', '1|2\n3|4\n')
    expect((await load(path, { header: true })).columns).toEqual({ 1: [3], 2: [4] })
    const no = await load(path, { header: false, delimiter: '|' })
    expect(no).toEqual({ columns: { column1: [1, 3], column2: [2, 4] }, remarks: [] })
    const whole = await load(path, { header: false, delimiter: ';' })
    expect(whole.columns).toEqual({ column1: ['1|2', '3|4'] })
  })

  test('which holds values is said to', async () => {
    const { remarks } = await load(folder.file('values.csv', '1.5,2\n3,4\n'))
    expect(remarks).toEqual([
      expect.stringContaining(
        'values.csv: the first line holds values, no names: columns are called column1 and column2',
      ),
    ])
  })

  test('without a name for its first column, that is an index', async () => {
    const index = async (content: string): Promise<string[]> =>
      await withTable(folder.file('index.csv', content), {}, async ({ columns }) =>
        columns.filter(({ isIndex }) => isIndex).map(({ name }) => name),
      )
    expect(await index('"","a"\n"1",2\n')).toEqual(['column1'])
    expect(await index('Unnamed: 0,a\n0,2\n')).toEqual(['Unnamed: 0'])
    expect(await index('"rownames","a"\n"Mazda RX4",2\n')).toEqual(['rownames'])
    expect(await index('a,\n0,2\n')).toEqual([])
    expect(await index('a,rownames\n0,2\n')).toEqual([])
    expect(await index('1.5,2\n0,2\n')).toEqual([])
  })
})

describe('several files', () => {
  mkdirSync(join(folder.path, 'days'))
  const one = folder.file('days/1.csv', 'x,word\n1,a\n2.5,b\n')
  const two = folder.file('days/2.tsv', 'word\tx\nc\t3\n')
  const three = folder.file('days/3.ndjson', '{"x":null,"word":"d"}\n{"x":4,"word":null}\n')

  test('are one table, whatever their format and the order of their columns', async () => {
    const { columns } = await load([one, two, three])
    expect(columns).toEqual({ x: [1, 2.5, 3, null, 4], word: ['a', 'b', 'c', 'd', null] })
  })

  test('by a pattern, unless a file has just that name', async () => {
    expect((await load(join(folder.path, 'days', '[12].*'))).columns.x).toEqual([1, 2.5, 3])
    await expect(load(join(folder.path, 'days', '*.none'))).rejects.toThrow(
      'files that match are needed, got none; check the pattern',
    )
  })

  test('with other columns are refused', async () => {
    const other = folder.file('days/other.csv', 'x,wrod\n1,a\n')
    await expect(load([one, other])).rejects.toThrow(
      /other\.csv: the columns of .*1\.csv are needed, got no "word"; give each table by itself/,
    )
  })

  test('a text in one of them makes the column one of texts', async () => {
    const word = folder.file('days/word.csv', 'x,word\noops,a\n')
    expect((await load([one, word])).columns.x).toEqual(['1', '2.5', 'oops'])
  })
})

test('stdin is a file like any other: CSV, JSON, Parquet, compressed', async () => {
  const program = `import { read, withTable } from '@rlvi/tables'
    const found = await withTable('-', {}, (table) => read(table, { features: ['x'] }))
    const { matrix } = found.get('x')
    console.log(JSON.stringify([...matrix.values]))`
  const script = folder.file(
    'stdin.mjs',
    program.replace('@rlvi/tables', new URL('../../dist/index.js', import.meta.url).href),
  )
  const TMPDIR = join(folder.path, 'temporary')
  mkdirSync(TMPDIR)
  for (const [name, content] of [
    ['in.csv', 'x,y\n1,2\n3,4\n'],
    ['in.json', '[{"x":1},{"x":3}]'],
    ['in.csv.gz', gzipSync('x\n1\n3\n')],
  ] as const) {
    const path = folder.file(name, content)
    const env = { ...process.env, TMPDIR }
    const line = `${process.execPath} ${script} < ${path}`
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { env })
    expect(stdout).toBe('[1,3]\n')
  }
  expect(readdirSync(TMPDIR)).toEqual([])
})

describe('a spreadsheet as pandas writes it', () => {
  // Made by df.to_excel on two sheets, "data" with the index and "other" without; pandas 1.5.3, openpyxl.
  const path = fileURLToPath(new URL('../../golden/sheets.xlsx', import.meta.url))
  const columns = {
    x: [1, 2.5, null, 1e-20],
    day: ['2020-01-01', '2020-01-02 12:30:00', null, '2021-03-04'],
    word: ['a', 'b, "c"', null, 'NA'],
    yes: ['true', 'false', 'true', 'true'],
    code: ['007', '008', '009', '010'],
  }

  test('its first sheet is read, and others are said to be there', async () => {
    const found = await load(path)
    expect(found.columns).toEqual({ column1: [0, 1, 2, 3], ...columns, code: [7, 8, 9, 10] })
    expect(found.remarks).toEqual([
      expect.stringMatching(/read sheet "data" of "data", "other"; `table` chooses/),
    ])
  })

  test('a sheet is chosen by its name', async () => {
    const found = await load(path, { table: 'other' })
    expect(found.columns.x).toEqual(columns.x)
    expect(found.remarks).toEqual([])
    await expect(load(path, { table: 'none' })).rejects.toThrow(
      'a sheet of that name is needed, got "none"; choose `table`, one of: "data", "other"',
    )
  })
})

test.each([
  ['a.feather', /could not be read as Arrow, got no columns; save it as CSV/],
  ['a.xls', /save it as CSV from the spreadsheet program/],
  ['a.sav', /save it as CSV from SPSS/],
  ['a.zip', /unpack it/],
  ['a', /got none; rename the file/],
])('%s has a word of its own', async (name, message) => {
  await expect(load(folder.file(name, 'x'))).rejects.toThrow(message)
})

test('an address is no file', async () => {
  await expect(load('https://example.org/a.csv')).rejects.toThrow(
    'https://example.org/a.csv: a file on this machine is needed, got an address; fetch it first',
  )
  expect(existsSync('https:')).toBe(false)
})

describe('JSON with structures in it', () => {
  // Values change their kind from row to row: none may be guessed from the first.
  const rows = Array.from({ length: 300 }, (_, i) => ({
    user: { age: i < 200 ? i : i + 0.25, "it's": { 'a.b': i % 2 === 0 } },
    tags: ['x', i],
    spend: i === 250 ? null : 0.1 * i,
    'user.age': String(i),
  }))
  const wanted = {
    'user.age': rows.map(({ user }) => user.age),
    "user.it's.a.b": rows.map((_, i) => String(i % 2 === 0)),
    spend: rows.map(({ spend }) => spend),
    'user.age_1': rows.map((_, i) => i),
  }

  test.each([
    ['records', JSON.stringify(rows), []],
    ['lines', rows.map((row) => JSON.stringify(row)).join('\n'), []],
    [
      'export',
      JSON.stringify({ status: 'ok', count: 300, data: rows }),
      ['the rows are those of the list "data"'],
    ],
  ])('%s', async (name, text, remarks) => {
    const path = folder.file(`${name}.json`, text)
    await withTable(path, {}, async (table) => {
      expect(table.remarks).toEqual(remarks.map((remark) => `${path}: ${remark}`))
      expect(table.columns.filter(({ kind }) => kind === 'other').map((column) => column.name)).toEqual([
        'tags',
      ])
      const found = await read(table, { features: Object.keys(wanted) })
      for (const [column, values] of Object.entries(wanted))
        expect(cellsOf(found.get(column)!)).toEqual(values)
    })
  })

  test('rows in two lists could be either', async () => {
    const path = folder.file('lists.json', JSON.stringify({ a: rows, b: rows }))
    await expect(withTable(path, {}, async () => undefined)).rejects.toThrow(
      'one list of rows is needed, got "a", "b"; choose one by `table`, such as "a"',
    )
  })

  test('keys that differ in capitals alone are not lost', async () => {
    const told = /keys of an object must differ in more than capitals, got "[xX]"; rename one of the two/
    for (const row of [{ x: 1, X: 2 }, { m: { x: 1, X: 2 } }]) {
      const path = folder.file('capitals.json', JSON.stringify([row, row]))
      await expect(load(path)).rejects.toThrow(told)
    }
    // A name that only looks as if it had been made.
    const path = folder.file(
      'numbered.json',
      JSON.stringify([
        { x: 1, x_1: 2 },
        { x: 3, x_1: 4 },
      ]),
    )
    expect((await load(path)).columns).toEqual({ x: [1, 3], x_1: [2, 4] })
  })

  test('a row of structures alone is one of several', async () => {
    const path = folder.file('alone.json', JSON.stringify([{ at: { x: 1 } }, { at: { x: 2 } }]))
    const found = await withTable(path, {}, (table) => read(table, { features: ['at.x'] }))
    expect(cellsOf(found.get('at.x')!)).toEqual([1, 2])
  })
})

test("pandas' JSON by columns is told from rows", async () => {
  const path = folder.file('columns.json', '{"a":{"0":1,"1":2},"b":{"0":3,"1":4}}')
  await expect(load(path)).rejects.toThrow(
    'an object for each row is needed, got one object of objects, by columns or by ids; in pandas: df.to_json',
  )
})

test('ids that are too long to be told apart as numbers stay texts; other long numbers are numbers', async () => {
  const ids = Array.from({ length: 5 }, (_, i) => String(9007199254740993n + BigInt(i)))
  const far = Array.from({ length: 5 }, (_, i) => String(1700000000000000000n + 1_000_000_000n * BigInt(i)))
  const rows = ids.map((id, i) => ({ id, far: far[i] }))
  const csv = folder.file('ids.csv', `id,far\n${rows.map(({ id, far }) => `${id},${far}`).join('\n')}\n`)
  const json = folder.file('ids.ndjson', rows.map(({ id, far }) => `{"id":${id},"far":${far}}`).join('\n'))
  for (const path of [csv, json]) {
    expect((await load(path)).columns).toEqual({ id: ids, far: far.map(Number) })
  }
})
