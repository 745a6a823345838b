import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, test } from 'vitest'
import { normals, run, runJson, testFolder, uniforms } from '../testing/run.js'
import { rlviBin } from '../testing/stream.js'

// More rows than a fit takes for its sample, so that --memory decides.
const N = 61_000
const folder = testFolder()
const at = (name: string): string => join(folder.path, name)
const small = ['--memory', '1kB']

/** Names that would break out of SQL, HTML, CSV or a terminal, if anything let them. */
const odd = [
  'a"b',
  "x'); drop table t; --",
  'two\nlines',
  '`tick`',
  'select',
  '<script>alert(1)</script>',
  'Größe €',
  'c0',
]
const kinds = ['<b>', 'O\'Hara"', 'a;b,c', 'tab\there', 'plain']

beforeAll(async () => {
  const z = normals(5)
  const u = uniforms(6)
  const lines = Array.from({ length: N }, (_, i) => {
    const [a, b] = [z(), z()]
    const y = 1 + 2 * a - b + 0.3 * z() + (i % 12 === 0 ? 9 * z() : 0)
    return [i, i % 50 === 4 ? '' : a, b, ['red', 'green', 'blue'][Math.floor(3 * u())], y]
  })
  folder.csv('rows.csv', [['id', 'a', 'b', 'colour', 'y'], ...lines])
  const hostile = lines.map(([i, a, b, , y]) => [
    a === '' ? 0 : a,
    b,
    ...odd.slice(2).map((_, k) => ((i as number) * (k + 3)) % 97),
    kinds[(i as number) % 5],
    y,
  ])
  const head = [...odd, 'kind <i>', 'the "y"']
  folder.csv('hostile.csv', [head, ...hostile])
  folder.csv('few-hostile.csv', [head, ...hostile.slice(0, 2000)])
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(
    `copy (from read_csv('${at('rows.csv')}')) to '${at('rows.parquet')}' (row_group_size 20000)`,
  )
  connection.closeSync()
})

const argv = (name: string): string[] => [
  'fit',
  at(name),
  '--target',
  'y',
  '--exclude',
  'id',
  '--method',
  'paper',
]

const outputs = (way: string): string[] => [
  '--rows',
  at(`${way}-rows.csv`),
  '--keep',
  '--good',
  at(`${way}-good.csv`),
  '--flagged',
  at(`${way}-flagged.csv`),
]
let known: ReturnType<typeof runJson> | undefined
/** The fit in memory, with its files: one for both kinds of file. */
function inMemory(): ReturnType<typeof runJson> {
  known ??= runJson(...argv('rows.csv'), ...outputs('memory'))
  return known
}

describe.each(['rows.csv', 'rows.parquet'])('%s, read block by block', (name) => {
  test('the same numbers as in memory, in every row that is written', async () => {
    const memory = await inMemory()
    const passes = await runJson(...argv(name), ...small, ...outputs('passes'))
    expect(passes.params.coefficients.a).toBeCloseTo(memory.params.coefficients.a, 9)
    expect(passes.corruption.level).toBeCloseTo(memory.corruption.level, 9)
    for (const which of ['rows', 'flagged', 'iterations', 'dropped', 'features', 'status'])
      expect(passes[which]).toEqual(memory[which])
    for (const which of ['rows', 'good', 'flagged']) {
      const [got, wanted] = ['passes', 'memory'].map((way) => folder.lines(`${way}-${which}.csv`))
      expect(got!.length).toBe(wanted!.length)
      wanted!.forEach((line, i) => {
        line.forEach((cell, j) => {
          if (got![i]![j] === cell) return
          const [a, b] = [Number(got![i]![j]), Number(cell)]
          if (!(Math.abs(a - b) <= 1e-7 * Math.max(1, Math.abs(b)))) expect(got![i]).toEqual(line)
        })
      })
    }
    expect(folder.lines('passes-rows.csv').length).toBe(N)
  })
})

test('its page has the counts of all rows, and the worst of them as they are in the file', async () => {
  const json = await runJson(...argv('rows.parquet'), ...small, '--report', at('passes.html'))
  const html = readFileSync(at('passes.html'), 'utf8')
  expect(html.length).toBeLessThan(2e6)
  const { below, worst } = JSON.parse(/id="rlvi-data">(.*?)<\/script>/s.exec(html)![1]!)
  expect(below[50]).toBe(json.flagged)
  expect(worst.rows.length).toBe(1000)
  expect(html).toContain(`<dt>Rows used</dt><dd>${json.rows.toLocaleString('en')}`)
  const heads = worst.head.map(({ name }: { name: string }) => name)
  const file = folder.lines('rows.csv')
  for (const row of worst.rows.slice(0, 50)) {
    const own = file[row[0] - 1]!
    expect(row[heads.indexOf('id')]).toBe(Number(own[0]))
    expect(row[heads.indexOf('colour')]).toBe(own[3])
  }
  await run(...argv('rows.parquet'), '--report', at('memory.html'))
  const inMemory = JSON.parse(
    /id="rlvi-data">(.*?)<\/script>/s.exec(readFileSync(at('memory.html'), 'utf8'))![1]!,
  )
  expect(below).toEqual(inMemory.below)
  expect(worst.rows.map((row: number[]) => row[0])).toEqual(
    inMemory.worst.rows.map((row: number[]) => row[0]),
  )
})

test.each([
  ['in memory', 'few-hostile.csv', []],
  ['block by block', 'hostile.csv', small],
])('names and values that look like SQL or HTML come through, %s', async (_, name, how) => {
  const files = ['--rows', at('odd.csv'), '--keep', '--report', at('odd.html')]
  const json = await runJson('fit', at(name), '--target', 'the "y"', '--method', 'ml', ...how, ...files)
  expect(json.features).toEqual([
    ...odd,
    ...kinds
      .filter((kind) => kind !== '<b>')
      .toSorted()
      .map((kind) => `kind <i>=${kind}`),
  ])
  expect(Object.values(json.params.coefficients).every((value) => Number.isFinite(value))).toBe(true)
  const { columns } = await runJson('look', at('odd.csv'))
  const names = columns.map(({ name }: { name: string }) => name)
  expect(names.slice(0, odd.length + 2)).toEqual([...odd, 'kind <i>', 'the "y"'])
  const { top } = columns[odd.length]
  expect(top.map(({ value }: { value: string }) => value).toSorted()).toEqual(kinds.toSorted())
  const html = readFileSync(at('odd.html'), 'utf8')
  for (const name of ['<script>alert', 'kind <i>', '<b>']) expect(html).not.toContain(name)
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
})

describe('what goes wrong on the way', () => {
  test('a Parquet file that ends too early, or is broken in the middle', async () => {
    const bytes = readFileSync(at('rows.parquet'))
    folder.file('short.parquet', bytes.subarray(0, bytes.length - 500))
    const broken = Buffer.from(bytes)
    broken.fill(255, 400_000, 460_000)
    folder.file('broken.parquet', broken)
    const before = readdirSync(folder.path)
    for (const name of ['short.parquet', 'broken.parquet']) {
      const { status, out, remarks } = await run(...argv(name), ...small, '--rows', at('none.csv'))
      expect([status, out]).toEqual([1, ''])
      expect(remarks.at(-1)).toContain(`${name}: could not be read`)
    }
    expect(readdirSync(folder.path)).toEqual(before)
  })

  test('a column that holds numbers, and a word far down', async () => {
    const lines = readFileSync(at('rows.csv'), 'utf8').split('\n')
    lines[55_001] = lines[55_001]!.replace(/^(\d+),[^,]*/, '$1,broken')
    folder.file('word.csv', lines.join('\n'))
    const { status, remarks } = await run(...argv('word.csv'), ...small, '--rows', at('none.csv'))
    expect(status).toBe(1)
    expect(remarks.at(-1)).toMatch(/column "a": numbers are needed, got "broken" in row 55001;/)
    expect(readdirSync(folder.path)).not.toContain('none.csv')
  })

  test('Ctrl-C in the middle of its passes leaves nothing', async () => {
    const [place, temporary] = [at('place'), at('temporary')]
    for (const path of [place, temporary]) mkdirSync(path)
    const files = ['rows', 'report'].flatMap((name) => [
      `--${name}`,
      join(place, name === 'rows' ? 'rows.csv' : 'page.html'),
    ])
    const child = spawn(process.execPath, [rlviBin, ...argv('rows.csv'), ...small, ...files], {
      stdio: 'ignore',
      env: { ...process.env, TMPDIR: temporary },
    })
    const ended = once(child, 'exit')
    const isCopied = (): boolean =>
      readdirSync(temporary, { recursive: true, encoding: 'utf8' }).some(
        (name) =>
          name.includes('working-copy') &&
          (statSync(join(temporary, name), { throwIfNoEntry: false })?.size ?? 0) > 0,
      )
    while (!isCopied() && child.exitCode === null) await sleep(2)
    child.kill('SIGINT')
    expect(await ended).toEqual([null, 'SIGINT'])
    expect([readdirSync(place), readdirSync(temporary)]).toEqual([[], []])
  })
})
