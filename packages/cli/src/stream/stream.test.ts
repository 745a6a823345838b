import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { matrix, type OnlineModelName, online } from 'rlvi'
import { describe, expect, test } from 'vitest'
import { run, testFolder } from '../testing/run.js'
import { csv, ndjson, parsed, type StreamRow, streamRows } from '../testing/stream.js'

const folder = testFolder()
const rows = streamRows(430, 1)
const json = folder.file('rows.ndjson', ndjson(rows))
const two = ['--features', 'x1,x2']

async function lines(...argv: string[]): Promise<string> {
  const { status, out, remarks } = await run('stream', ...argv)
  if (status !== 0) throw new Error(remarks.join('\n'))
  return out
}

const features = rows.map(({ x1, x2 }) => [x1, x2] as [number, number])

/** The same by the library, batch by batch. */
function byLibrary(model: OnlineModelName, y: readonly number[], size: number) {
  let state = online.init({ model, features: 2, ...(model === 'softmax' ? { classes: 3 } : {}) })
  const results = []
  for (let i = 0; i < rows.length; i += size) {
    const part = features.slice(i, i + size)
    const x = matrix(part.length, 2, Float64Array.from(part.flat()))
    const learned = online.update(state, { x, y: Float64Array.from(y.slice(i, i + size)) })
    state = learned.state
    results.push(learned.result)
  }
  return results
}

const thirds = rows.map(({ x1 }) => ((x1 as number) < -0.4 ? 'low' : (x1 as number) < 0.4 ? 'mid' : 'high'))
const cases: [OnlineModelName, StreamRow[], number[], string[]][] = [
  ['logistic', rows, rows.map(({ y }) => y as number), []],
  [
    'linear',
    rows.map((row) => ({ ...row, y: row.z! })),
    rows.map(({ z }) => z as number),
    ['--model', 'linear'],
  ],
  [
    'softmax',
    rows.map((row, i) => ({ ...row, y: thirds[i]! })),
    thirds.map((label) => ['low', 'mid', 'high'].indexOf(label)),
    ['--classes', 'low,mid,high'],
  ],
]

describe.each(cases)('%s', (model, table, y, flags) => {
  test('the lines are what the library says of each batch, the last one being shorter', async () => {
    const file = folder.file(`${model}.ndjson`, ndjson(table))
    const reported = parsed(await lines('--target', 'y', '--input', file, '--batch', '60', ...two, ...flags))
    expect(reported.map(({ row }) => row)).toEqual(rows.map((_, i) => i + 1))
    const results = byLibrary(model, y, 60)
    expect(results.length).toBe(8)
    for (const [i, line] of reported.entries()) {
      const k = i % 60
      const result = results[Math.floor(i / 60)]!
      const label = result.predictions[k]!
      const K = result.probabilities?.cols ?? 0
      expect(line).toEqual({
        row: i + 1,
        batch: result.batch,
        predicted: K === 0 ? label : result.probabilities!.values[k * K + (K === 2 ? 1 : label)],
        ...(K === 0 ? {} : { suggested: K === 2 ? label : ['low', 'mid', 'high'][label] }),
        clean: result.clean[k],
        loss: result.losses[k],
        level: result.level,
        event: k === result.clean.length - 1 && result.event.kind !== 'none' ? result.event.kind : null,
      })
    }
  })

  test('CSV and NDJSON give the same lines', async () => {
    const asCsv = folder.file(`${model}.csv`, csv(table))
    const asJson = folder.file(`${model}.ndjson`, ndjson(table))
    const argv = ['--target', 'y', ...two, ...flags]
    expect(await lines(...argv, '--input', asCsv)).toBe(await lines(...argv, '--input', asJson))
  })
})

test('nothing of a batch is known before it is predicted', async () => {
  // Later rows and the labels of the batch itself make no difference to its predictions.
  const other = rows.map((row, i) => (i < 100 ? row : { ...row, y: i % 2 }))
  const changed = folder.file('changed.ndjson', ndjson(other))
  const argv = ['--target', 'y', '--batch', '50', ...two]
  const before = parsed(await lines(...argv, '--input', json)).slice(0, 150)
  const after = parsed(await lines(...argv, '--input', changed)).slice(0, 150)
  expect(after.map(({ predicted }) => predicted)).toEqual(before.map(({ predicted }) => predicted))
  expect(after.slice(100)).not.toEqual(before.slice(100))
})

test('--per batch sums up what --per row reports', async () => {
  const argv = ['--target', 'y', '--batch', '100', '--input', json, ...two]
  const reported = parsed(await lines(...argv))
  const batches = parsed(await lines(...argv, '--per', 'batch'))
  expect(batches.map(({ rows: n, first, last }) => [n, first, last])).toEqual([
    [100, 1, 100],
    [100, 101, 200],
    [100, 201, 300],
    [100, 301, 400],
    [30, 401, 430],
  ])
  for (const line of batches) {
    const part = reported.slice(line.first - 1, line.last)
    const right = part.filter(({ row, suggested }) => Number(suggested) === rows[row - 1]!.y).length
    expect(line.accuracy).toBeCloseTo(right / part.length, 12)
    expect(line.flagged).toBe(part.filter(({ clean }) => clean < 0.5).length)
    expect(line.loss).toBeCloseTo(part.reduce((sum, { loss }) => sum + loss, 0) / part.length, 10)
    expect(line.level).toBe(part[0].level)
  }
})

test('--categories are indicator columns of all values but the first', async () => {
  const indicated = rows.map(({ x1, y, city }) => ({ x1: x1!, oslo: city === 'oslo' ? 1 : 0, y: y! }))
  const file = folder.file('indicated.ndjson', ndjson(indicated))
  const reported = await lines(
    '--target',
    'y',
    '--input',
    json,
    '--features',
    'x1,city',
    '--categories',
    'city=rome,oslo',
  )
  expect(reported).toBe(await lines('--target', 'y', '--input', file))
})

test('--exclude leaves columns out', async () => {
  const argv = ['--target', 'y', '--input', json]
  expect(await lines(...argv, '--exclude', 'z,city')).toBe(await lines(...argv, ...two))
})

test('several inputs are one, and tables put one after the other too', async () => {
  const parts = [rows.slice(0, 130), rows.slice(130, 131), rows.slice(131)]
  const whole = await lines('--target', 'y', '--input', json, ...two)
  for (const [name, write] of [['csv', csv] as const, ['ndjson', ndjson] as const]) {
    const files = parts.map((part, i) => folder.file(`part${i}.${name}`, write(part).trimEnd()))
    const inputs = files.flatMap((file) => ['--input', file])
    expect(await lines('--target', 'y', ...inputs, ...two)).toBe(whole)
  }
  const joined = folder.file('joined.csv', parts.map(csv).join(''))
  expect(await lines('--target', 'y', '--input', joined, ...two)).toBe(whole)
})

test('true and false are labels as they are', async () => {
  const reported = rows.map((row) => ({ ...row, y: row.y === 1 }))
  const text = reported.map((row) => `${JSON.stringify(row)}\n`).join('')
  const out = await lines('--target', 'y', '--input', folder.file('truth.ndjson', text), ...two)
  const whole = await lines('--target', 'y', '--input', json, ...two)
  const asNumbers = out.replaceAll('"suggested":false', '"suggested":0')
  expect(asNumbers.replaceAll('"suggested":true', '"suggested":1')).toBe(whole)
})

test('labels may be given other names', async () => {
  const named = rows.map((row) => ({ ...row, y: row.y === 1 ? 'yes' : 'no' }))
  const file = folder.file('named.ndjson', ndjson(named))
  const reported = await lines('--target', 'y', '--classes', 'no,yes', '--input', file, ...two)
  const whole = await lines('--target', 'y', '--input', json, ...two)
  expect(reported.replaceAll('"no"', '0').replaceAll('"yes"', '1')).toBe(whole)
})

test('labels are in the type that they came in: numbers that are texts in JSON stay texts', async () => {
  const texts = rows.map((row) => ({ ...row, y: String(row.y) }))
  const out = await lines('--target', 'y', '--input', folder.file('texts.ndjson', ndjson(texts)), ...two)
  const whole = await lines('--target', 'y', '--input', json, ...two)
  expect(out.replaceAll(/"suggested":"(\d)"/g, '"suggested":$1')).toBe(whole)
  expect(out).not.toBe(whole)
})

describe('--id', () => {
  const named = rows.map((row, i) => ({ who: i % 3 === 0 ? i : `n"${i}`, ...row }))
  test('each line carries the column as it came, and the model is the same', async () => {
    const file = folder.file('named-rows.ndjson', named.map((row) => `${JSON.stringify(row)}\n`).join(''))
    const out = await lines('--target', 'y', '--id', 'who', '--input', file, ...two)
    const found = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(found.map(({ id }) => id)).toEqual(named.map(({ who }) => who))
    const whole = await lines('--target', 'y', '--input', json, ...two)
    expect(found.map(({ id: _, ...rest }) => `${JSON.stringify(rest)}\n`).join('')).toBe(whole)
  })
  test('of more digits than a number can hold keeps them', async () => {
    const ids = rows.map((_, i) => (9007199254740993n + 2n * BigInt(i)).toString())
    const text = ndjson(rows)
      .trimEnd()
      .split('\n')
      .map((line, i) => line.replace('{', `{"id":${ids[i]},`))
    const file = folder.file('long-ids.ndjson', text.join('\n'))
    const out = await lines('--target', 'y', '--input', file, '--id', 'id', ...two)
    expect(Array.from(out.matchAll(/"id":(\d+)/g), ([, id]) => id)).toEqual(ids)
  })

  test.each([
    [['--id', 'nobody'], /^--id: a column of the file is needed, got "nobody"/, 1],
    [['--id', 'y'], /^--id: the target cannot name the rows/, 2],
    [['--id', 'x', '--per', 'batch'], /^--id: is for lines of rows/, 2],
  ])('%j', async (flags, message, code) => {
    const { status, remarks } = await run('stream', '--target', 'y', '--input', json, ...flags)
    expect([status, remarks.at(-1)]).toEqual([code, expect.stringMatching(message)])
  })
})

test.each(['paper', 'rrm', 'sgd'])('--method %s', async (method) => {
  const reported = parsed(await lines('--target', 'y', '--input', json, '--method', method, ...two))
  expect(reported.length).toBe(430)
  const good = reported
    .slice(200)
    .filter(({ row, suggested }) => Number(suggested) === rows[row - 1]!.y).length
  // One label in seven is wrong: a model that has learned agrees with most of the others.
  expect(good / 230).toBeGreaterThan(0.7)
  if (method === 'sgd') expect(reported[0]).toMatchObject({ clean: 1, level: null })
})

describe('CSV is read as by fit', () => {
  const written = csv(rows).split('\n')
  const argv = ['stream', '--target', 'y', ...two]
  const wanted = run(...argv, '--input', folder.file('wanted.csv', csv(rows)))

  test('without a header, its columns by number', async () => {
    const bare = folder.file('bare.csv', written.slice(1).join('\n'))
    const refused = await run(...argv, '--input', bare)
    expect([refused.status, refused.remarks.at(-1)]).toEqual([
      1,
      expect.stringMatching(
        /a header .* is needed, got numbers in it; give --header yes where these are names, --header no/,
      ),
    ])
    const of = (name: string): string => `column${written[0]!.split(',').indexOf(name) + 1}`
    const named = ['--target', of('y'), '--features', `${of('x1')},${of('x2')}`]
    const { out } = await run('stream', ...named, '--header', 'no', '--input', bare)
    expect(out).toBe((await wanted).out)
    // Numbers that are said to be names are names.
    const years = folder.file('years.csv', `2020,2021\n${rows.map(({ x1, y }) => `${x1},${y}`).join('\n')}`)
    expect((await run('stream', '--target', '2021', '--header', 'yes', '--input', years)).status).toBe(0)
  })

  test.each(['utf-16le', 'latin1'])('in %s, also after a stop', async (encoding) => {
    const text = csv(rows.map((row) => ({ größe: row.x1!, x2: row.x2!, y: row.y! })))
    const encode = (part: string): Buffer => Buffer.from(part, encoding === 'latin1' ? 'latin1' : 'utf16le')
    const named = ['stream', '--target', 'y', '--features', 'größe,x2', '--batch', '10']
    const { out } = await run(...named, '--input', folder.file('utf8.csv', text))
    const path = join(folder.path, `${encoding}.csv`)
    const lines = join(folder.path, `${encoding}.out`)
    const state = ['--state', join(folder.path, `${encoding}.json`), '--out', lines]
    const argv = [...named, '--encoding', encoding, '--input', path, ...state]
    writeFileSync(path, encode(`${text.split('\n').slice(0, 201).join('\n')}\n`))
    expect((await run(...argv)).status).toBe(0)
    writeFileSync(path, encode(text))
    expect((await run(...argv)).status).toBe(0)
    expect(readFileSync(lines, 'utf8')).toBe(out)
  })

  test('bytes that are no such text', async () => {
    const path = join(folder.path, 'broken.csv')
    writeFileSync(path, Buffer.of(0x61, 0xff, 0xfe, 0x0a))
    const { status, remarks } = await run(...argv, '--encoding', 'shift_jis', '--input', path)
    expect([status, remarks.at(-1)]).toEqual([
      1,
      expect.stringMatching(
        /broken.csv: text in shift_jis is needed, got other bytes; name another --encoding/,
      ),
    ])
  })
})
