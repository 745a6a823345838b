import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { normals, run, runJson, testFolder } from '../testing/run.js'

const folder = testFolder()
const z = normals(7)
const n = 60
const numbers = Array.from({ length: n }, () => [z(), z()] as const)
const rows = numbers.map(([x, e], i) => ({ x, day: i, y: 1 + 2 * x + 0.1 * e }))
const plain = folder.csv('plain.csv', [['x', 'y'], ...rows.map(({ x, y }) => [x, y])])

describe('wrong numbers', () => {
  test('decimals below 20,480 whole numbers: y = 2 x has no bad row', async () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => {
      const x = i < 27_500 ? i : i + 0.54
      return [x, 2 * x]
    })
    const path = folder.csv('late.csv', [['x', 'y'], ...lines])
    const { flagged, params } = await runJson('fit', path, '--target', 'y', '--method', 'ml')
    expect(flagged).toBe(0)
    expect(params.coefficients.x).toBeCloseTo(2, 12)
    expect(params.scale).toBeLessThan(1e-6)
  })

  test('a word deep in a file is named with its column and row', async () => {
    const lines = Array.from({ length: 50_000 }, (_, i) => [i === 41_000 ? 'oops' : i, 2 * i])
    const { status, remarks } = await run(
      'fit',
      folder.csv('deep.csv', [['x', 'y'], ...lines]),
      '--target',
      'y',
    )
    expect(status).toBe(1)
    expect(remarks.at(-1)).toMatch(
      /^column "x": numbers are needed, got "oops" in row 41001; .*--exclude x; .*--numbers x; .*--categories x; rows count from 1, after the header$/,
    )
  })
})

describe('flags', () => {
  const same = async (...argv: string[]): Promise<void> => {
    const { params, rows: used } = await runJson('fit', ...argv, '--target', 'y')
    const wanted = await runJson('fit', plain, '--target', 'y')
    expect({ params, used }).toEqual({ params: wanted.params, used: wanted.rows })
  }
  const comma = (value: number): string => String(value).replace('.', ',')

  test('--delimiter and --decimal', async () => {
    const text = rows.map(({ x, y }) => `${comma(x)}|${comma(y)}`).join('\n')
    await same(folder.file('bars.csv', `x|y\n${text}\n`), '--decimal', ',')
    const tilde = folder.file('tilde.csv', `x~y\n${text.replaceAll('|', '~')}\n`)
    await same(tilde, '--decimal', ',', '--delimiter', '~')
    const { remarks } = await run('fit', folder.file('bars.csv', `x|y\n${text}\n`), '--target', 'y')
    expect(remarks.at(-1)).toMatch(
      /2 columns cannot be used.*\(a decimal comma\).*; read decimal commas by --decimal ,;/,
    )
  })

  test('--header no, and the remark where it is found out', async () => {
    const bare = folder.csv(
      'bare.csv',
      rows.map(({ x, y }) => [x, y]),
    )
    const { remarks, status } = await run('fit', bare, '--target', 'column2')
    expect(status).toBe(0)
    expect(remarks[0]).toMatch(
      /bare\.csv: the first line holds values, no names: columns are called column1 and column2/,
    )
    const said = await run('fit', bare, '--target', 'column2', '--header', 'no')
    expect(said.remarks.join()).not.toMatch(/first line/)
  })

  test('--encoding', async () => {
    const text = `größe,y\n${rows.map(({ x, y }) => `${x},${y}`).join('\n')}\n`
    const path = folder.file('latin.csv', Buffer.from(text, 'latin1'))
    const { features } = await runJson('fit', path, '--target', 'y', '--encoding', 'latin-1')
    expect(features).toEqual(['größe'])
    const { remarks } = await run('fit', path, '--target', 'y')
    expect(remarks[0]).toMatch(/latin\.csv: no UTF-8, read as windows-1252 .*; --encoding overrides$/)
  })

  test('several files, a pattern, and none of them replaced', async () => {
    mkdirSync(join(folder.path, 'parts'))
    const part = (name: string, from: number, to: number): string =>
      folder.csv(`parts/${name}.csv`, [['x', 'y'], ...rows.slice(from, to).map(({ x, y }) => [x, y])])
    const parts = [part('a', 0, 20), part('b', 20, n)]
    await same(...parts)
    const pattern = join(folder.path, 'parts', '*.csv')
    await same(pattern)
    const before = readFileSync(parts[1]!, 'utf8')
    const { status, remarks } = await run('fit', pattern, '--target', 'y', '--rows', parts[1]!)
    expect([status, remarks]).toEqual([2, [expect.stringMatching(/--rows: a file of its own is needed/)]])
    expect(readFileSync(parts[1]!, 'utf8')).toBe(before)
  })

  test('--date-parts, --categories and --numbers', async () => {
    const path = folder.csv('kinds.csv', [
      ['day', 'code', 'dose', 'y'],
      ...rows.map(({ day, y }) => [
        new Date(Date.UTC(2021, 0, 1 + day)).toISOString().slice(0, 10),
        day % 3,
        day === 5 ? 'high' : day * day,
        y,
      ]),
    ])
    const argv = ['fit', path, '--target', 'y', '--date-parts', '--categories', 'code', '--numbers', 'dose']
    const { features, dropped } = await runJson(...argv)
    expect(dropped.missing).toBe(1)
    expect([...new Set(features.map((name: string) => name.split('=')[0]))]).toEqual([
      'day.month',
      'day.weekday',
      'code',
      'dose',
    ])
    const { remarks } = await run(...argv)
    expect(remarks).toContain('column "dose": 1 word taken as missing')
    expect(remarks).toContain('column "day": dates, taken as month, weekday')
  })

  test.each([
    [['--delimiter', 'xx'], /--delimiter: one sign is needed, such as , ; \| or tab, got "xx"/],
    [['--decimal', ';'], /--decimal: one of \., , is needed, got ";"/],
    [['--header', 'maybe'], /--header: yes or no is needed, got "maybe"/],
    [['--encoding', 'klingon'], /--encoding: an encoding that is known is needed/],
    [
      ['--numbers', 'x', '--categories', 'x'],
      /--numbers: a column is in --categories or in --numbers, got "x"/,
    ],
  ])('%j is refused', async (flags, message) => {
    const { status, remarks } = await run('fit', plain, '--target', 'y', ...flags)
    expect(remarks).toEqual([expect.stringMatching(message)])
    expect(status).toBe(2)
  })
})

describe('--missing, one rule in all commands', () => {
  const holes = folder.csv('holes.csv', [
    ['x', 'word', 'y'],
    ...rows.map(({ x, y }, i) => [i % 9 === 4 ? -999 : x, i % 11 === 3 ? 'unknown' : i % 2 ? 'a' : 'b', y]),
  ])
  const gaps = rows.map((_, i) => i).filter((i) => i % 9 === 4 || i % 11 === 3)

  test('fit, with the cost of each column, and predict, which remembers', async () => {
    const model = join(folder.path, 'holes.json')
    const { remarks } = await run('fit', holes, '--target', 'y', '--missing', '-999,unknown', '--save', model)
    const costs = ['x', 'word'].map((name) => `"${name}" misses ${name === 'x' ? 7 : 6}`).join(', ')
    expect(remarks).toContain(`dropped ${gaps.length} of ${n} rows for missing values (${costs})`)
    const predicted = await run('predict', model, holes)
    expect(predicted.remarks[0]).toBe(
      `no prediction for ${gaps.length} of ${n} rows: values are missing (${costs})`,
    )
  })

  test('stream', async () => {
    const { remarks, status } = await run(
      ...['stream', '--target', 'y', '--model', 'linear', '--input', holes],
      ...['--missing', '-999,unknown', '--categories', 'word=a,b'],
    )
    expect(status).toBe(0)
    expect(remarks.flatMap((line) => /row (\d+) is left out/.exec(line)?.[1] ?? []).map(Number)).toEqual(
      gaps.map((gap) => gap + 1),
    )
  })

  test('audit', async () => {
    const labelled = folder.csv('labelled.csv', [
      ['x', 'label'],
      ...rows.map(({ x }, i) => [i % 9 === 4 ? -999 : x, i % 11 === 3 ? 'unknown' : x + z() > 0 ? 'a' : 'b']),
    ])
    const found = await runJson('audit', labelled, '--target', 'label', '--missing', '-999,unknown')
    expect(found.samples).toBe(n - gaps.length)
  })
})

test("R's row names and pandas' index are left out, unless they are asked for; a stream leaves them out, too", async () => {
  const path = folder.csv('index.csv', [['', 'x', 'y'], ...rows.map(({ x, y }, i) => [i, x, y])])
  const { remarks } = await run('fit', path, '--target', 'y')
  expect(remarks[0]).toBe('left out "column1", the first column, which has no name: row names or an index')
  expect((await runJson('fit', path, '--target', 'y')).features).toEqual(['x'])
  expect((await runJson('fit', path, '--target', 'y', '--features', 'column1,x')).features).toEqual([
    'column1',
    'x',
  ])
  const model = join(folder.path, 'stream.json')
  await run('stream', '--target', 'y', '--model', 'linear', '--input', path, '--save', model)
  expect(JSON.parse(readFileSync(model, 'utf8')).features).toEqual([{ name: 'x', kind: 'number' }])
})

test('numbers in quotes, where others have none, may be codes', async () => {
  const lines = rows.map(({ x, y }, i) => `"${i % 4}",${x},${y}`).join('\n')
  const path = folder.file('codes.csv', `"diet","x","y"\n${lines}\n`)
  const { remarks } = await run('fit', path, '--target', 'y')
  expect(remarks[0]).toBe(
    'column "diet": written as texts, taken as numbers; --categories diet takes them as categories',
  )
})
