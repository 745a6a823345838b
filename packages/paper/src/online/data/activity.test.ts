import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { featureNames, readActivity } from './activity.js'
import { spectrumFeatures } from './spectrum.js'
import { covarianceFeatures, standInActivity, WINDOW } from './windows.js'

const folder = mkdtempSync(join(tmpdir(), 'rlvi-activity-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
const golden = (name: string): string =>
  fileURLToPath(new URL(`../../../golden/online/${name}`, import.meta.url))

it('reads the same from a MATLAB file, a CSV file and one packed with gzip', async () => {
  const csv = await readActivity(golden('activity.csv'))
  const packed = file('activity.csv.gz', gzipSync(await readFile(golden('activity.csv'))))
  expect([csv.features.rows, csv.features.cols, csv.name]).toEqual([36, 60, 'activity.csv'])
  for (const path of [golden('activity-v6.mat'), golden('activity-v7.mat'), packed]) {
    const { features, activity } = await readActivity(path)
    expect([features, activity]).toEqual([csv.features, csv.activity])
  }
})

it('takes the features by their published names, in any order and among other columns', async () => {
  const names = ['seq', 'actid', ...featureNames.toReversed()]
  const rows = [0, 1].map((i) =>
    names.map((name) => (name === 'actid' ? 1 + i : 100 * i + featureNames.indexOf(name))),
  )
  const path = file('named.csv', [names, ...rows].map((row) => `${row.join(',')}\r\n`).join(''))
  const { features, activity } = await readActivity(path)
  expect(Array.from(features.values)).toEqual([0, 1].flatMap((i) => featureNames.map((_, j) => 100 * i + j)))
  expect(Array.from(activity)).toEqual([1, 2])
})

const head = [...Array.from({ length: 60 }, (_, j) => `f${j}`), 'actid'].join(',')
const row = (last: string): string => [...new Array<string>(60).fill('1'), last].join(',')

it.each([
  [
    'a class that does not exist',
    [head, row('1'), row('6')],
    'actid of row 2 must be a whole number from 1 to 5, got 6',
  ],
  ['a text', [head, row('Sitting')], 'line 2, column "actid": a finite number is needed, got "Sitting"'],
  ['an empty cell', [head, row('1'), row('')], 'line 3, column "actid": a finite number is needed, got ""'],
  ['a short line', [head, '1,2'], 'line 2 must have 61 cells like the first, got 2'],
  ['other columns', ['a,b,actid', '1,2,3'], '60 feature columns are needed'],
  ['no actid', [head.replace('actid', 'activity'), row('1')], '60 feature columns are needed'],
  [
    'a repeated name',
    [head.replace('f1,', 'f0,'), row('1')],
    'every column needs a name of its own, got "f0"',
  ],
  ['one row', [head, row('1')], 'at least 2 rows are needed, got 1'],
])('refuses a table with %s', async (_, lines, message) => {
  await expect(readActivity(file('wrong.csv', lines.join('\n')))).rejects.toThrow(message)
})

it('refuses a file that is not there, and a damaged gzip file', async () => {
  await expect(readActivity(join(folder, 'none.csv'))).rejects.toThrow(
    /^data: .*none\.csv must be readable, got no such file or folder/,
  )
  const cut = gzipSync(head).subarray(0, 30)
  await expect(readActivity(file('cut.csv.gz', cut))).rejects.toThrow(/a gzip file must unpack/)
})

it('makes a stand-in of the same shape and classes, the same for the same seed', () => {
  const { name, features, activity } = standInActivity(3, 2500)
  expect(name).toMatch(/stand-in/)
  expect([features.rows, features.cols, activity.length]).toEqual([2500, 60, 2500])
  expect([...new Set(activity)].sort()).toEqual([1, 2, 3, 4, 5])
  expect(features.values.every(Number.isFinite)).toBe(true)
  expect(standInActivity(3, 2500)).toEqual({ name, standIn: true, features, activity })
  expect(standInActivity(4, 2500).features).not.toEqual(features)
  // Runners shake the phone more than those who sit.
  const shaking = (what: number): number => {
    const rows = [...activity.keys()].filter((i) => activity[i] === what)
    return (
      rows.reduce((sum, i) => sum + features.values[i * 60 + featureNames.indexOf('BodyAccXRMS')], 0) /
      rows.length
    )
  }
  expect(shaking(4)).toBeGreaterThan(5 * shaking(1))
})

it('finds the beat of a pure tone', () => {
  // 1.25 Hz at 10 samples a second: period 8 samples, and frequency 16 of the 128.
  const tone = Float64Array.from({ length: WINDOW }, (_, t) => Math.cos((2 * Math.PI * 1.25 * t) / 10))
  const [zero, lag] = covarianceFeatures(tone)
  expect(zero).toBeCloseTo(WINDOW / 2, 10)
  expect(lag).toBeCloseTo(0.8, 10)
  const { positions, values, bands } = spectrumFeatures(tone)
  const highest = values.indexOf(Math.max(...values))
  expect(Math.abs(positions[highest] - 1.25)).toBeLessThan(10 / 128)
  expect(bands[0]).toBeGreaterThan(5 * (bands[1] + bands[2]))
  // Nothing moves, nothing peaks.
  expect(spectrumFeatures(new Float64Array(WINDOW)).values).toEqual([0, 0, 0, 0, 0, 0])
})
