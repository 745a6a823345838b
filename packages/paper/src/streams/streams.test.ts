import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { draws } from 'rlvi/random'
import { afterAll, expect, it } from 'vitest'
import { readStreams, standInStream } from './data.js'
import { streamMethods } from './methods.js'
import { noiseShare, withWrongLabels } from './noise.js'
import { recordsOfStreams, runStreams } from './records.js'
import { type PrequentialTask, simulatePrequential } from './simulate.js'

const folder = mkdtempSync(join(tmpdir(), 'rlvi-streams-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('makes labels wrong in three waves between 0 and .4, .2 on average', () => {
  const shares = Array.from({ length: 300 }, (_, b) => noiseShare('waves', b, 300))
  expect([shares[0], shares[50], shares[100], shares[250]].map((share) => share.toFixed(12))).toEqual(
    [0, 0.4, 0, 0.4].map((share) => share.toFixed(12)),
  )
  expect(shares.reduce((a, b) => a + b, 0) / 300).toBeCloseTo(0.2, 12)
  expect(noiseShare('none', 17, 300)).toBe(0)
})

it('replaces labels by others, all alike', () => {
  const labels = Float64Array.from({ length: 30000 }, (_, i) => i % 3)
  const wrong = withWrongLabels(labels, 3, 0.3, draws(2))
  const steps = [0, 0, 0]
  for (let i = 0; i < labels.length; i++) steps[(wrong[i] - labels[i] + 3) % 3]++
  // Binomial(30000, .15): four standard deviations are 247.
  expect(Math.abs(steps[1] - 4500)).toBeLessThan(247)
  expect(Math.abs(steps[2] - 4500)).toBeLessThan(247)
  expect(withWrongLabels(labels, 3, 0, draws(2))).toEqual(labels)
})

it('reads every CSV file of a folder, the label in the last column', async () => {
  const data = join(folder, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'b.csv'), 'x,y,kind\n1,2,5\n3,4,-1\n5,6,5\n7,8,9\n')
  writeFileSync(join(data, 'a.csv.gz'), gzipSync('x,class\r\n1,0\r\n2,1\r\n'))
  writeFileSync(join(data, 'notes.txt'), 'no data')
  const [a, b] = await readStreams(data)
  expect([a.name, a.classes, Array.from(a.labels), Array.from(a.x.values)]).toEqual(['a', 2, [0, 1], [1, 2]])
  expect([b.name, b.classes, Array.from(b.labels)]).toEqual(['b', 3, [1, 0, 1, 2]])
  expect([b.x.rows, b.x.cols, ...b.x.values]).toEqual([4, 2, 1, 2, 3, 4, 5, 6, 7, 8])
  expect(await readStreams(join(data, 'b.csv'))).toEqual([b])
})

it.each([
  ['no such place', 'none', undefined, /none must be readable, got no such file or folder/],
  ['an empty folder', 'empty', undefined, /a folder with \.csv or \.csv\.gz files is needed/],
  [
    'one column',
    'one.csv',
    'x\n1\n',
    /features, a label as the last column, and rows are needed, got \["x"\]/,
  ],
  ['one label', 'same.csv', 'x,y\n1,1\n2,1\n', /labels, of 2 to 100 kinds, got 1; move/],
  [
    'too many labels',
    'many.csv',
    `x,y\n${Array.from({ length: 101 }, (_, i) => `1,${i}`).join('\n')}`,
    /got 101/,
  ],
])('refuses %s', async (_, name, content, message) => {
  mkdirSync(join(folder, 'empty'), { recursive: true })
  if (content !== undefined) writeFileSync(join(folder, name), content)
  await expect(readStreams(join(folder, name))).rejects.toThrow(message)
})

const data = standInStream(1, 1000, 4)
const task: PrequentialTask = {
  kind: 'prequential',
  data,
  noise: 'none',
  batch: 100,
  seed: 0,
  first: 0,
  last: 1,
}

it('predicts before it learns: the labels of the last batch change nothing but what is counted there', () => {
  const labels = data.labels.map((label, i) => (i < 900 ? label : 1 - label))
  const before = simulatePrequential(task)
  const after = simulatePrequential({ ...task, data: { ...data, labels } })
  const methods = streamMethods(2).length
  const width = 2 + 2 * methods
  expect(after.subarray(0, 9 * width)).toEqual(before.subarray(0, 9 * width))
  for (let k = 0; k < methods; k++) {
    const at = 9 * width + 2 + 2 * k
    expect(after[at]).toBe(100 - before[at])
  }
})

it('judges by the true labels, and depends on the seed alone', async () => {
  const options = { runs: 2, seed: 3, batch: 100, threads: 1 }
  const all = await runStreams([data], options)
  const records = recordsOfStreams(all)
  expect(recordsOfStreams(await runStreams([data], options))).toEqual(records)
  expect(recordsOfStreams(await runStreams([data], { ...options, seed: 4 }))).not.toEqual(records)
  const [clean, waves] = all
  expect(clean.wrong[0].every((share) => share === 0)).toBe(true)
  expect(waves.wrong[0]).not.toEqual(waves.wrong[1])
  expect(waves.rows.at(-1)).toBe(1000)
  for (const { mean, metric } of records) {
    if (metric === 'accuracy') expect(mean).toBeGreaterThan(0.5)
  }
})

it('learns more than two classes, by the methods that can', async () => {
  const labels = Float64Array.from({ length: 1000 }, (_, i) =>
    data.x.values[4 * i] > 0.5 ? 2 : data.x.values[4 * i] < -0.5 ? 0 : 1,
  )
  const three = { ...data, labels, classes: 3 }
  const records = recordsOfStreams(await runStreams([three], { runs: 1, seed: 0, batch: 100, threads: 1 }))
  expect(records.some(({ method }) => method === 'RLVI')).toBe(true)
  expect(records.some(({ method, variant }) => method === 'RLVI' && variant === 'released')).toBe(false)
  const best = records
    .filter(({ noise, metric }) => noise === 'none' && metric === 'accuracy')
    .map(({ mean }) => mean)
  expect(Math.max(...best)).toBeGreaterThan(0.7)
})
