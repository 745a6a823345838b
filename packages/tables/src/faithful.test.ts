import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { seeded } from 'rlvi/random'
import { expect, test } from 'vitest'
import { read } from './read.js'
import { withTable } from './table.js'
import { cellsOf, testFolder } from './testing.js'

// The law: every value that is read is the value that was written. Nothing may be concluded from the first rows of a file.

const folder = testFolder()
const ROWS = 50_000

type Value = number | string

/** What a column may hold before and after the row at which it changes. */
const makers: Readonly<Record<string, (u: () => number, row: number) => Value>> = {
  whole: (u) => Math.floor(1000 * u()),
  decimal: (u) => 1000 * u(),
  tiny: (u) => u() * 1e-300,
  large: (u) => Math.floor(u() * 2 ** 53),
  counting: (_, row) => row,
  negative: (u) => -u(),
  word: (u) => ['red', 'green', 'a, "b"', 'naïve 😀'][Math.floor(4 * u())]!,
  long: (u) => 'x'.repeat(Math.floor(300 * u()) + 1),
  date: (_, row) => `20${10 + (row % 80)}-01-31`,
  zeros: (u) => `00${Math.floor(1000 * u())}x`,
}
const kinds = Object.keys(makers)

interface Made {
  readonly names: readonly string[]
  readonly columns: readonly Value[][]
}

function table(seed: number): Made {
  const u = seeded('faithful', seed)
  const names = ['a', 'b', 'c']
  const columns = names.map(() => {
    const change = Math.floor(u() * ROWS)
    const [before, after] = [0, 0].map(() => kinds[Math.floor(u() * kinds.length)]!)
    return Array.from({ length: ROWS }, (_, row) => makers[row < change ? before! : after!]!(u, row))
  })
  return { names, columns }
}

function csv({ names, columns }: Made, from = 0, to: number = ROWS): string {
  const cell = (value: Value): string => {
    const text = String(value)
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const lines = [names.join(',')]
  for (let i = from; i < to; i++) lines.push(columns.map((column) => cell(column[i]!)).join(','))
  return `${lines.join('\n')}\n`
}

function ndjson({ names, columns }: Made): string {
  const lines: string[] = []
  for (let i = 0; i < ROWS; i++)
    lines.push(JSON.stringify(Object.fromEntries(names.map((name, j) => [name, columns[j]![i]]))))
  return `${lines.join('\n')}\n`
}

/** The first row that is not what was written, as text if the column is one of texts. */
async function firstDifference(
  paths: string | string[],
  { names, columns }: Made,
): Promise<string | undefined> {
  const json = String(paths).endsWith('json')
  const found = await withTable(paths, {}, (opened) => read(opened, { features: names }))
  for (const [j, name] of names.entries()) {
    const cells = cellsOf(found.get(name)!)
    const written = columns[j]!
    if (cells.length !== written.length) return `${name}: ${cells.length} rows`
    const numeric = written.every((value) => typeof value === 'number')
    // JSON has no text for a number, only the number.
    const same = (value: number | string | null, wanted: Value): boolean =>
      numeric || (json && typeof wanted === 'number') ? Number(value) === wanted : value === String(wanted)
    const odd = cells.findIndex((value, i) => !same(value, written[i]!))
    if (odd >= 0) return `${name} row ${odd}: ${written[odd]} became ${cells[odd]}`
  }
  return undefined
}

test.each([1, 2, 3, 4, 5, 6])('a CSV file of 50,000 rows in which columns change, seed %i', async (seed) => {
  const made = table(seed)
  expect(await firstDifference(folder.file(`t${seed}.csv`, csv(made)), made)).toBeUndefined()
})

test('the same compressed, as NDJSON, and in several files', async () => {
  const made = table(7)
  const packed = folder.file('packed.csv.gz', gzipSync(csv(made), { level: 1 }))
  expect(await firstDifference(packed, made)).toBeUndefined()
  const lines = folder.file('lines.ndjson', ndjson(table(8)))
  expect(await firstDifference(lines, table(8))).toBeUndefined()
  mkdirSync(join(folder.path, 'parts'))
  const cuts = [0, 21_000, 21_500, ROWS]
  const parts = [1, 2, 3].map((k) => folder.file(`parts/part-${k}.csv`, csv(made, cuts[k - 1], cuts[k])))
  expect(await firstDifference(parts, made)).toBeUndefined()
  expect(await firstDifference(join(folder.path, 'parts', 'part-*.csv'), made)).toBeUndefined()
})

test('decimals far below whole numbers are not rounded', async () => {
  const values = Array.from({ length: 30_000 }, (_, i) => (i < 27_500 ? i : i + 0.54))
  const path = folder.file('late.csv', `x,y\n${values.map((x) => `${x},${2 * x}`).join('\n')}\n`)
  expect(
    await firstDifference(path, { names: ['x', 'y'], columns: [values, values.map((x) => 2 * x)] }),
  ).toBe(undefined)
})
