import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { failure, many, normals, run, runJson, testFolder } from '../../testing/run.js'

// Times in files that new users brought in their first hour.
const folder = testFolder()
const z = normals(5)

describe('times without a date', () => {
  const hms = (hours: number): string =>
    [Math.floor(hours), Math.floor(hours * 60) % 60, Math.round(hours * 3600) % 60]
      .map((part) => String(part).padStart(2, '0'))
      .join(':')
  const took = Array.from(
    { length: 80 },
    (_, i) => Math.round(3600 * (1 + i / 60 + Math.abs(z()) / 20)) / 3600,
  )
  const lines = took.map((hours, i) => ({ km: (10 * hours + z() / 5).toFixed(2), hours, bad: i % 16 === 4 }))
  const value = ({ hours, bad }: (typeof lines)[0]): number => hours + (bad ? 2 : 0)
  const watch = folder.file(
    'watch.csv',
    `km,time\n${lines.map((line) => `${line.km},${hms(value(line))}`).join('\n')}\n`,
  )
  const plain = folder.file(
    'hours.csv',
    `km,time\n${lines.map((line) => `${line.km},${value(line)}`).join('\n')}\n`,
  )

  test('are a target of hours, in memory, by passes, in an audit and in a prediction', async () => {
    const { params, flagged } = await runJson('fit', plain, '--target', 'time')
    const { remarks } = await run('fit', watch, '--target', 'time')
    expect(remarks).toContain('column "time": times, taken as hours (1:30 is 1.5)')
    for (const more of [[], ['--model', 'linear'], ['--memory', '1kB']]) {
      const found = await runJson('fit', watch, '--target', 'time', ...more)
      expect(found.flagged).toBe(flagged)
      expect(found.params.coefficients.km).toBeCloseTo(params.coefficients.km, 9)
    }
    expect((await runJson('audit', watch, '--target', 'time')).flagged).toBe(5)
    const saved = join(folder.path, 'watch.json')
    await run('fit', watch, '--target', 'time', '--save', saved)
    const rmse = async (path: string): Promise<number> => (await runJson('predict', saved, path)).error.rmse
    expect(await rmse(watch)).toBeCloseTo(await rmse(plain), 9)
  })

  test('are numbers to look, and of times within a day it shows the hours', async () => {
    const found = await runJson('look', watch)
    const plainly = await runJson('look', plain)
    expect(found.columns[1]).toEqual({ ...plainly.columns[1], use: { as: 'feature', how: 'hours' } })
    const logs = many((i) => JSON.stringify({ at: `2024-05-01T0${i % 6}:30:00Z`, y: i, tags: [i] }))
    const { columns } = await runJson('look', folder.file('logs.ndjson', `${logs}\n`))
    expect(columns[0]).toMatchObject({
      range: ['2024-05-01 00:30', '2024-05-01 05:30'],
      use: { as: 'feature' },
    })
    expect(columns[2].use).toEqual({ as: 'left out', how: 'it holds lists' })
  })
})

describe('minutes, seconds and parts of a second', () => {
  const seconds = Array.from({ length: 80 }, (_, i) => 82 + (i % 20) / 10 + z() / 10 + (i % 16 === 4 ? 9 : 0))
  const lap = (s: number): string => `${Math.floor(s / 60)}:${(s % 60).toFixed(3).padStart(6, '0')}`
  const rows = (shown: (s: number) => string | number): string =>
    seconds.map((s, i) => `${i % 20},${shown(Math.round(1000 * s) / 1000)}`).join('\n')
  const laps = folder.file('laps.csv', `age,lap\n${rows(lap)}\n`)
  const plain = folder.file('minutes.csv', `age,lap\n${rows((s) => s / 60)}\n`)

  test('are minutes: as the target, in a prediction, and to look', async () => {
    const { remarks } = await run('fit', laps, '--target', 'lap')
    expect(remarks).toContain('column "lap": times, taken as minutes (1:30.6 is 1.51)')
    const saved = join(folder.path, 'laps.json')
    const found = await runJson('fit', laps, '--target', 'lap', '--save', saved)
    const { params, flagged } = await runJson('fit', plain, '--target', 'lap')
    expect(found.params.coefficients.age).toBeCloseTo(params.coefficients.age, 9)
    expect(found.flagged).toBe(flagged)
    const rmse = async (path: string): Promise<number> => (await runJson('predict', saved, path)).error.rmse
    expect(await rmse(laps)).toBeCloseTo(await rmse(plain), 9)
    const [looked, plainly] = [await runJson('look', laps), await runJson('look', plain)]
    expect(looked.columns[1].range[0]).toBeCloseTo(plainly.columns[1].range[0], 9)
    expect(looked.columns[1].use).toEqual({ as: 'feature', how: 'minutes' })
  })
})

test('dates with a zone behind a blank, and weeks, are dates to look', async () => {
  const rows = many((i) => `2024-03-${10 + (i % 20)} 10:12:33 +0200,2024-W${10 + (i % 30)},${i}`)
  const { columns } = await runJson('look', folder.file('zones.csv', `paid,week,y\n${rows}\n`))
  expect(columns[0]).toMatchObject({ kind: 'date', range: ['2024-03-10', '2024-03-29'], missing: 0 })
  expect(columns[1]).toMatchObject({ kind: 'date', range: ['2024-03-04', '2024-09-23'], missing: 0 })
})

test('dates with the letters of a zone are dates that are not read, and no names', async () => {
  const row = (i: number): string =>
    `5/${1 + (i % 28)}/2024 ${1 + (i % 12)}:${10 + (i % 50)}:00 PM CEST,${i}.5,${i % 7}`
  const path = folder.file('zone.csv', `acquired,area,injection\n${many(row, 60)}\n`)
  expect(await failure('fit', path, '--target', 'area')).toContain('dates in ways that are not read: "5/')
})
