import { expect, test } from 'vitest'
import { run, testFolder } from '../testing/run.js'
import { ndjson, parsed, streamRows } from '../testing/stream.js'

const folder = testFolder()
const rows = streamRows(40, 3).map(({ x1, x2, y }) => ({ x1: x1!, x2: x2!, y: y! }))
const good = ndjson(rows).trimEnd().split('\n')

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const hostile: readonly [string, string][] = [
  ['a label with a toString that is none', '{"x1":1,"x2":2,"y":{"toString":1}}'],
  ['a number with a toString that is none', '{"x1":{"toString":1},"x2":2,"y":1}'],
  ['a category with a toString that is none', '{"x1":1,"x2":2,"y":1,"c":{"toString":1}}'],
  ['a label of lists in lists', `{"x1":1,"x2":2,"y":${deep}}`],
  ['a number of lists in lists', `{"x1":${deep},"x2":2,"y":1}`],
  ['a prototype', '{"x1":1,"x2":2,"y":{"__proto__":{"toString":7}}}'],
  ['a long text', `{"x1":"${'x'.repeat(900_000)}","x2":2,"y":1}`],
  ['a long key', `{"${'k'.repeat(900_000)}":1}`],
  ['no row at all', deep],
]

/** A stream whose line 21 is this one. */
function streamWith(line: string): ReturnType<typeof run> {
  const named = good.map((text, i) => text.replace('}', `,"c":"${i % 2 ? 'a' : 'b'}","id":${i}}`))
  const path = folder.file('rows.ndjson', [...named.slice(0, 20), line, ...named.slice(20), ''].join('\n'))
  const flags = ['--target', 'y', '--batch', '10', '--id', 'id', '--categories', 'c=a,b']
  return run('stream', '--input', path, ...flags)
}

test.each(hostile)('%s costs its row and nothing else', async (_, line) => {
  const { status, out, remarks } = await streamWith(line)
  expect(status).toBe(0)
  expect(parsed(out).map(({ id }) => id)).toEqual(good.map((_, i) => i))
  expect(remarks.join('\n')).toMatch(/line 21: .*; row 21 is left out\n41 rows, 1 of them broken/)
  expect(remarks.join('\n').length).toBeLessThan(2000)
})

test('a name of lists in lists comes out as it came in, or costs its row where Node cannot write it', async () => {
  const { status, out, remarks } = await streamWith(`{"x1":1,"x2":2,"y":1,"id":${deep},"c":"a"}`)
  expect(status).toBe(0)
  const lines = out.trimEnd().split('\n')
  const others = lines.filter((text) => !text.includes(deep))
  expect(others.map((text) => JSON.parse(text).id)).toEqual(good.map((_, i) => i))
  const isLeftOut = remarks.some((text) => /line 21: column "?id"?: .*; row 21 is left out/.test(text))
  expect(lines.length - others.length).toBe(isLeftOut ? 0 : 1)
})

test('many labels are not listed with every row that has another', async () => {
  const labels = Array.from({ length: 500 }, (_, i) => `label number ${i}`)
  const lines = [...Array(60)].map((_, i) => `{"x":${i % 3},"y":"${i < 10 ? labels[i] : 'other'}"}\n`)
  const path = folder.file('labels.ndjson', lines.join(''))
  const flags = ['--target', 'y', '--model', 'softmax', '--classes', labels.join(',')]
  const { status, remarks } = await run('stream', '--input', path, ...flags)
  expect(status).toBe(0)
  expect(remarks.join('\n').length).toBeLessThan(60_000)
})

test('a hundred thousand columns take no search through all of them for each', async () => {
  const names = Array.from({ length: 100_000 }, (_, i) => `c${i}`)
  const lines = [names.join(','), names.map((_, i) => i % 7).join(','), names.map((_, i) => i % 5).join(',')]
  const path = folder.file('wide.csv', `${lines.join('\n')}\n`)
  const before = process.cpuUsage()
  const { status } = await run('stream', '--input', path, '--target', 'c0', '--model', 'linear')
  const { user, system } = process.cpuUsage(before)
  expect(status).toBe(0)
  // It takes one second of the processor; with such a search it was fifty.
  expect((user + system) / 1e6).toBeLessThan(15)
})
