import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, runJson, testFolder, uniforms } from './testing/run.js'

// The first row after the header is row 1, in all that people and files see. Here it is the only bad one, and the last
// but one has no value.
const folder = testFolder()
const at = (name: string): string => join(folder.path, name)
const u = uniforms(4)
const data = Array.from({ length: 60 }, (_, i) => {
  const x = 6 * u() - 3
  return {
    x: i === 58 ? null : x,
    y: i === 0 ? 90 : 2 * x + 0.2 * u(),
    kind: x > 0 === i > 0 ? 'up' : 'down',
  }
})
data[0]!.x = 2.5
data[0]!.kind = 'down'
const csv = (...names: ('x' | 'y' | 'kind')[]): string =>
  folder.csv(`${names.join('-')}.csv`, [names, ...data.map((row) => names.map((name) => row[name]))])
const numbers = csv('x', 'y')
const labels = csv('x', 'kind')

test('fit: the table, --rows, and both halves of the file', async () => {
  const files = ['--rows', at('rows.csv'), '--good', at('good.csv'), '--flagged', at('flagged.csv')]
  const { out } = await run('fit', numbers, '--target', 'y', ...files)
  expect(out).toMatch(/\n +row \(from 1\) +P\(good\) .*\n +1 +0\.000 +2\.5 +90 /)
  const rows = folder.lines('rows.csv')
  expect(rows.map(([row]) => Number(row))).toEqual(data.map((_, i) => i + 1))
  expect(rows[0]!.slice(0, 3)).toEqual(['1', '0', 'true'])
  expect(rows[58]).toEqual(['59', '', '', '', ''])
  expect(readFileSync(at('flagged.csv'), 'utf8')).toBe('x,y\n2.5,90\n')
})

test('predict', async () => {
  await run('fit', numbers, '--target', 'y', '--save', at('model.json'))
  const { out } = await run('predict', at('model.json'), numbers)
  const lines = out.trimEnd().split('\n')
  expect([lines[1]!.split(',')[0], lines[59]]).toEqual(['1', '59,'])
  const { predictions } = await runJson('predict', at('model.json'), numbers)
  expect(predictions.map(({ row }: { row: number }) => row)).toEqual(data.map((_, i) => i + 1))
})

test('audit: text, JSON with the values of the row, --rows, --decisions and the report', async () => {
  const files = [
    '--rows',
    at('ranked.csv'),
    '--decisions',
    at('decisions.csv'),
    '--report',
    at('report.html'),
  ]
  const { out } = await run('audit', labels, '--target', 'kind', ...files)
  expect(out).toMatch(/\nrow \(from 1\) +label +suggested .*P\(right\) +x\n +1 +down +up /)
  const { suspects } = await runJson('audit', labels, '--target', 'kind')
  expect(suspects[0]).toMatchObject({ row: 1, label: 'down', suggested: 'up', values: { x: '2.5' } })
  expect(folder.lines('ranked.csv')[0]![0]).toBe('1')
  expect(folder.lines('decisions.csv')[0]!.slice(0, 2)).toEqual(['relabel', '1'])
  expect(readFileSync(at('report.html'), 'utf8')).toMatch(/row \(from 1\)[\s\S]*?<td[^>]*>1<\/td>/)
})

test('stream: lines of rows and of batches, and what is said of a broken row', async () => {
  const argv = ['stream', '--target', 'y', '--model', 'linear', '--batch', '20', '--input', numbers]
  const { out, remarks } = await run(...argv)
  const rows = out.trimEnd().split('\n')
  expect(rows.map((line) => JSON.parse(line).row)).toEqual(data.flatMap((_, i) => (i === 58 ? [] : [i + 1])))
  expect(remarks[0]).toMatch(/line 60: column "x": a value is missing; row 59 is left out$/)
  const [first] = (await run(...argv, '--per', 'batch')).out.split('\n')
  expect(JSON.parse(first!)).toMatchObject({ rows: 20, first: 1, last: 20 })
})

test('errors say which row, and from what rows count', async () => {
  const words = folder.csv('words.csv', [['x', 'y'], ['oops', 1], ...data.slice(1).map(({ x, y }) => [x, y])])
  const { remarks } = await run('fit', words, '--target', 'y')
  expect(remarks.at(-1)).toMatch(/got "oops" in row 1; .*; rows count from 1, after the header$/)
  const strict = await run('fit', numbers, '--target', 'y', '--strict')
  expect(strict.remarks.at(-1)).toMatch(/^row 59, column "x": a value is needed.*; rows count from 1, after/)
})
