import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { run, runJson, testFolder } from '../testing/run.js'

const number = v.pipe(v.number(), v.finite())
const record = v.looseObject({
  problem: v.string(),
  epsilon: number,
  method: v.string(),
  mean: number,
  sem: number,
  min: number,
  q25: number,
  median: number,
  q75: number,
  max: number,
  runs: v.literal(2),
})

test('an experiment as JSON: one array of records, the same for the same seed', async () => {
  const flags = ['reproduce', 'mean', '--runs', '2', '--threads', '1', '--seed', '5']
  const records = v.parse(v.array(record), await runJson(...flags))
  expect(records.length).toBeGreaterThan(0)
  expect(await runJson(...flags)).toEqual(records)
  for (const { min, q25, median, q75, max } of records) {
    expect([min, q25, median, q75, max]).toEqual([min, q25, median, q75, max].sort((a, b) => a - b))
  }
})

const folder = testFolder()

/** Activities that the first feature separates. */
function activities(rows: number): unknown[][] {
  const names = [...Array.from({ length: 60 }, (_, j) => `f${j}`), 'actid']
  const features = (i: number): number[] =>
    Array.from({ length: 60 }, (_, j) => (j === 0 ? i % 5 : Math.sin(i * (j + 1))))
  return [names, ...Array.from({ length: rows }, (_, i) => [...features(i), 1 + (i % 5)])]
}

test('an experiment on data of your own, from the file to the page', async () => {
  const path = folder.csv('activity\u001b[2J.csv', activities(1200))
  const out = `${folder.path}/out`
  const flags = ['reproduce', 'online', '--data', path, '--runs', '2', '--seed', '3', '--threads', '1']
  const { status, out: text, remarks } = await run(...flags, '--out', out)
  expect([status, remarks]).toEqual([0, [`figures: ${out}/online.html`]])
  expect(text).toContain('activity\\u001b[2J.csv, batches of 100, 2 runs')
  const records = v.parse(
    v.array(v.looseObject(v.omit(record, ['epsilon']).entries)),
    await runJson(...flags),
  )
  const right = records.filter(({ metric }) => metric === 'accuracy')
  expect(right.map(({ method }) => method)).toEqual(
    expect.arrayContaining(['SGD', 'RRM', 'RLVI', 'calibrated']),
  )
  for (const { mean, data } of right) {
    expect(mean).toBeGreaterThan(0.8)
    expect(data).toBe('activity\u001b[2J.csv')
  }
  const seen = [0, 1, 2].map((k) =>
    readFileSync(`${out}/${['online-accuracy-100', 'online-recall-100', 'online-level-100'][k]}.svg`, 'utf8'),
  )
  for (const svg of seen) expect(svg).toMatch(/^<svg.*<\/svg>\n$/s)
  const page = readFileSync(`${out}/online.html`, 'utf8')
  expect(page).toContain('rlvi reproduce online --data DATA --runs 2 --seed 3 --out FOLDER')
})

test('a stream of your own', async () => {
  const rows = Array.from({ length: 600 }, (_, i) => [Math.sin(i), Math.cos(3 * i), Math.sin(i) > 0 ? 7 : 5])
  folder.csv('waves.csv', [['a', 'b', 'label'], ...rows])
  const path = `${folder.path}/waves.csv`
  const records = await runJson('reproduce', 'streams', '--data', path, '--runs', '2', '--threads', '1')
  expect(new Set(records.map((record: { data: string }) => record.data))).toEqual(new Set(['waves']))
  expect(new Set(records.map((record: { noise: string }) => record.noise))).toEqual(
    new Set(['none', 'waves']),
  )
})

test.each([
  ['none.csv', /--data: .*none\.csv must be readable, got no such file or folder/],
  ['text.csv', /text\.csv: line 2, column "a": a finite number is needed, got "x"/],
  ['cut.mat', /cut\.mat: a MATLAB file of level 5/],
])('data that cannot be used (%s) end the work with what is wrong', async (name, message) => {
  folder.file('text.csv', 'a,b\nx,1\n')
  folder.file('cut.mat', 'MATLAB 5.0')
  const { status, out, remarks } = await run('reproduce', 'online', '--data', `${folder.path}/${name}`)
  expect(remarks).toEqual([expect.stringMatching(message)])
  expect([status, out]).toEqual([1, ''])
})

test.each([
  [['reproduce', 'pca', '--data', 'x.csv'], /--data: only for online, online-batches, streams, got "pca"/],
  [['reproduce', 'maen'], /EXPERIMENT: one of .*mean.* is needed, got "maen"/],
  [['reproduce', 'mean', '--runs', '0'], /--runs: a whole number of at least 1 is needed, got "0"/],
  [['reproduce', 'mean', '--threads', 'all'], /--threads: a whole number of at least 1 is needed, got "all"/],
])('%j is refused', async (argv, message) => {
  const { status, remarks } = await run(...argv)
  expect(remarks).toEqual([expect.stringMatching(message)])
  expect(status).toBe(2)
})
