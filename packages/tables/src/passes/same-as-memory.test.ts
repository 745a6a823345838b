import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { type FitTableOptions, fitSource, fitTable, type ModelName, type TableFit } from '@rlvi/estimator'
import { draws, seeded } from 'rlvi/random'
import { beforeAll, describe, expect, test } from 'vitest'
import { read } from '../read.js'
import { withTable } from '../table.js'
import { testFolder } from '../testing.js'
import { withRowSource } from './row-source.js'

// The law: a table read block by block gives the numbers that it gives in memory. A sample of 60 rows stands for each here, so that
// whatever a fit needs to know of all rows it has to find out from all rows.

const folder = testFolder()
const N = 700
const header = [
  'x1',
  'x2',
  'whole',
  'city',
  'day',
  'flag',
  'same',
  'empty',
  'twin',
  'y',
  'count',
  'label',
  'kind',
]

/** Gaps, a rare category, dates, a constant, an empty column, a copy of another one; the first rows of one city have gaps. */
function rowsOf(seed: number): (string | number | boolean | null)[][] {
  const uniform = seeded('test', 'same', seed)
  const { normal } = draws('test', 'same', seed)
  return Array.from({ length: N }, (_, i) => {
    const [x1, x2] = [normal(), 5 + 2 * normal()]
    const city =
      i === 40 || i > N - 9 ? 'rare' : ['Bonn', 'Köln', "O'Hara", 'x "y"'][Math.floor(4 * uniform())]!
    const isBad = uniform() < 0.08
    const eta = 0.8 * x1 - 0.3 * (x2 - 5) + (city === 'Bonn' ? 0.5 : 0)
    const day = new Date(Date.UTC(2021, 0, 1 + Math.floor(40 * uniform()))).toISOString().slice(0, 10)
    const mean = Math.exp(0.4 * eta + 1)
    const score = eta + normal() + (isBad ? 5 * normal() : 0)
    const isGap = (i === 40 || uniform() < 0.03) && i < N - 9
    return [
      isGap ? null : x1,
      x2,
      uniform() < 0.03 ? null : Math.round(3 * normal()),
      city,
      day,
      uniform() < 0.5,
      7,
      null,
      2 * x1 + 1,
      3 + eta + 0.4 * normal() + (isBad ? 6 * normal() : 0),
      Math.max(0, Math.round(mean + Math.sqrt(mean) * normal())) + (isBad ? 15 : 0),
      score > 0 ? 'yes' : 'no',
      score > 0.8 ? 'a' : score < -0.8 ? 'b' : 'c',
    ]
  })
}

const cell = (value: unknown): string =>
  value === null
    ? ''
    : /[",]/.test(String(value))
      ? `"${String(value).replaceAll('"', '""')}"`
      : String(value)
const csv = (rows: readonly (readonly unknown[])[]): string =>
  `${[header, ...rows].map((row) => row.map(cell).join(',')).join('\n')}\n`

const rows = rowsOf(1)
const path = folder.file('rows.csv', csv(rows))
const parts = [rows.slice(0, 300), rows.slice(300)].map((some, k) => folder.file(`part-${k}.csv`, csv(some)))
const at = (name: string): string => join(folder.path, name)

beforeAll(async () => {
  const instance = await DuckDBInstance.create(at('rows.duckdb'))
  const connection = await instance.connect()
  await connection.run(`create table t as select * from read_csv('${path}')`)
  await connection.run(`copy t to '${at('rows.parquet')}'`)
  await connection.run(`copy t to '${at('rows.json')}'`)
  connection.closeSync()
  instance.closeSync()
})

interface File {
  readonly paths: string | readonly string[]
  readonly table?: string
}

async function both(file: File, options: FitTableOptions): Promise<{ memory: TableFit; passes: TableFit }> {
  const { features = [], target } = options
  const wanted = { features, target, missing: options.missing, categories: options.categories }
  return await withTable(file.paths, { table: file.table }, async (table) => ({
    memory: fitTable(await read(table, wanted), options),
    passes: await withRowSource(table, { ...wanted, sampleRows: 60 }, (source) => fitSource(source, options)),
  }))
}

/** All numbers of some parameters, by their names. */
function numbers(value: unknown, name = '', out: Record<string, number> = {}): Record<string, number> {
  if (typeof value === 'number') out[name] = value
  else if (value !== null && typeof value === 'object')
    for (const [key, inner] of Object.entries(value)) numbers(inner, `${name}.${key}`, out)
  return out
}

function expectSame(passes: TableFit, memory: TableFit): void {
  const tolerance = 1e-8
  expect(passes.design.names).toEqual(memory.design.names)
  for (const which of ['params', 'ml'] as const) {
    const [got, wanted] = [numbers(passes[which]), numbers(memory[which])]
    expect(Object.keys(got)).toEqual(Object.keys(wanted))
    const size = Math.hypot(...Object.values(wanted))
    for (const [name, value] of Object.entries(wanted))
      expect(Math.abs(got[name]! - value), `${which}${name}`).toBeLessThanOrEqual(tolerance * size)
  }
  const [got, wanted] = [passes, memory].map(({ corruption, trace, effectiveRows, explained }) => [
    corruption.level ?? -1,
    trace.at(-1)?.bound ?? 0,
    effectiveRows,
    explained?.share ?? 0,
  ])
  wanted!.forEach((value, k) => {
    expect(Math.abs(got![k]! - value)).toBeLessThanOrEqual(tolerance * Math.max(Math.abs(value), 1e-3))
  })
  expect([passes.flagged, passes.dropped, passes.inputRows, passes.iterations]).toEqual([
    memory.flagged,
    memory.dropped,
    memory.inputRows,
    memory.iterations,
  ])
  expect(passes.status).toEqual(memory.status)
  expect(passes.remarks).toEqual(memory.remarks)
}

const targets: Partial<Record<ModelName, string>> = {
  linear: 'y',
  poisson: 'count',
  logistic: 'label',
  softmax: 'kind',
}
const features = ['x1', 'x2', 'whole', 'city', 'day', 'flag', 'same', 'empty', 'twin']
const models = ['linear', 'logistic', 'softmax', 'poisson', 'mean', 'covariance', 'pca'] as const
const optionsOf = (model: ModelName): FitTableOptions =>
  targets[model] === undefined
    ? { model, features: ['x1', 'x2', 'y'] }
    : { model, target: targets[model]!, features }

describe.each(models)('%s', (model) => {
  test.each(['paper', 'ml'] as const)('%s by passes is what it is in memory', async (method) => {
    const { memory, passes } = await both({ paths: path }, { ...optionsOf(model), method })
    expectSame(passes, memory)
  })
})

test.each([
  ['several files', { paths: parts }],
  ['Parquet', { paths: at('rows.parquet') }],
  ['JSON', { paths: at('rows.json') }],
  ['a table of DuckDB', { paths: at('rows.duckdb'), table: 't' }],
  [
    'a query',
    { paths: at('rows.duckdb'), table: "select *, x1 * x2 as product from t where flag or label = 'yes'" },
  ],
] satisfies [string, File][])('%s: the same numbers by passes', async (_, file) => {
  const { memory, passes } = await both(file, { ...optionsOf('linear'), method: 'paper' })
  expectSame(passes, memory)
})

test.each([
  ['without an intercept', { intercept: false }],
  ['with parts of dates', { dateParts: true }],
  ['with numbers that are categories', { categories: ['whole'], features: ['x1', 'whole'] }],
  ['with a sign for missing values', { missing: ['7', '-3'] }],
] satisfies [string, FitTableOptions][])('%s: the same numbers by passes', async (_, more) => {
  const { memory, passes } = await both({ paths: path }, { ...optionsOf('linear'), method: 'paper', ...more })
  expectSame(passes, memory)
})

test('a missing value is an error where it must not be', async () => {
  const options = { ...optionsOf('linear'), method: 'ml', strict: true } as const
  await expect(both({ paths: path }, options)).rejects.toThrow(/column "x1": a value is needed/)
})

test('columns that are mostly empty, or hold one value or none, cost no rows, by passes as in memory', async () => {
  const { normal } = draws('test', 'hollow')
  const lines = Array.from({ length: N }, (_, i) => {
    const x = normal()
    // The rare kind comes only in rows without a note, and some rows have no target.
    const kind = i % 70 === 1 ? 'rare' : i % 2 === 0 ? 'a' : 'b'
    const note = i % 5 === 0 ? ['late', 'lost', 'dear'][i % 3] : ''
    const score = i % 4 === 0 ? String(i % 7) : 'NA'
    const member = i % 3 === 0 ? '' : 'yes'
    const y = i % 9 === 0 ? '' : String(2 * x + (kind === 'rare' ? 3 : 0) + 0.1 * normal())
    return [x, kind, note, score, member, y].join(',')
  })
  const paths = folder.file('hollow.csv', `x,kind,note,score,member,y\n${lines.join('\n')}\n`)
  const all = ['x', 'kind', 'note', 'score', 'member']
  const fits = async (options: FitTableOptions): Promise<{ memory: TableFit; passes: TableFit }> =>
    await withTable(paths, {}, async (table) => {
      const wanted = { features: all, target: 'y' }
      const how = { target: 'y', method: 'ml', ...options } as const
      return {
        memory: fitTable(await read(table, wanted), how),
        passes: await withRowSource(table, { ...wanted, sampleRows: 60 }, (source) => fitSource(source, how)),
      }
    })
  const { memory, passes } = await fits({})
  expectSame(passes, memory)
  expect(memory.dropped).toBe(Math.ceil(N / 9))
  expect(memory.design.names).toEqual(['x', 'kind=b', 'kind=rare'])
  const remarks = memory.remarks.join('\n')
  const answered = lines.map((line) => line.split(',')).filter((cells) => cells[5] !== '')
  const gaps = (j: number): string =>
    `${answered.filter((cells) => /^(NA)?$/.test(cells[j]!)).length} of ${answered.length} rows`
  expect(remarks).toContain(
    `empty in most rows, which they would cost: "note" (${gaps(2)}), "score" (${gaps(3)})`,
  )
  expect(remarks).toContain('never vary: "member" ("yes" or empty)')
  const named = await fits({ categories: ['note'] })
  expectSame(named.passes, named.memory)
  expect(named.memory.dropped).toBe(
    N - lines.filter((line) => !line.endsWith(',') && /late|lost|dear/.test(line)).length,
  )
})

test('wrong labels that hide in a category are within the interval, by passes as in memory', async () => {
  const { normal, uniform } = draws('test', 'hidden-labels')
  let wrong = 0
  const lines = Array.from({ length: 450 }, () => {
    const k = Math.floor(uniform(0, 4))
    const isWrong = k === 3 && uniform(0, 1) < 0.2
    if (isWrong) wrong += 1 / 450
    const colour = k === 3 ? 'yellow' : uniform(0, 1) < 0.5 ? 'red' : 'blue'
    return [2.5 * (k % 2) + normal(), (k > 1 ? 2.5 : 0) + normal(), colour, `k${isWrong ? 1 : k}`].join(',')
  })
  const paths = folder.file('hidden.csv', `a,b,colour,kind\n${lines.join('\n')}\n`)
  const options = { target: 'kind', features: ['a', 'b', 'colour'] }
  const intervals = await withTable(paths, {}, async (table) => [
    fitTable(await read(table, options), options).corruption.interval!,
    (await withRowSource(table, { ...options, sampleRows: 300 }, (source) => fitSource(source, options)))
      .corruption.interval!,
  ])
  for (const [low, high] of intervals) {
    expect(low).toBeLessThanOrEqual(wrong)
    expect(high).toBeGreaterThanOrEqual(wrong)
    expect(high).toBeLessThan(0.15)
  }
})

test('rows that are fitted without protection, since most have one value, say so', async () => {
  const { normal, uniform } = draws('test', 'zeros')
  const lines = Array.from({ length: 2000 }, () =>
    [normal(), uniform(0, 1) < 0.6 ? 0 : -10 * Math.log(uniform(0, 1))].map((v) => v.toFixed(2)).join(','),
  )
  const paths = folder.file('zeros.csv', `x,y\n${lines.join('\n')}\n`)
  const options = { target: 'y', features: ['x'] }
  const fits = await withTable(paths, {}, async (table) => [
    fitTable(await read(table, options), options),
    await withRowSource(table, { ...options, sampleRows: 1000 }, (source) => fitSource(source, options)),
  ])
  for (const { status, ml, params, corruption, cautions } of fits) {
    expect(status.kind).toBe('converged')
    expect(cautions.map(({ message }) => message).join()).toMatch(/6\d % of the responses are 0/)
    expect(corruption.level).toBe(0)
    expect(corruption.interval).toEqual([0, 0.5])
    const slopes = [params, ml].map(
      (found) => (found as unknown as { coefficients: { x: number } }).coefficients.x,
    )
    expect(Math.abs(slopes[0]! - slopes[1]!)).toBeLessThan(1e-9)
  }
})
