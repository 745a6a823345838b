import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { testFolder } from './testing/run.js'

const folder = testFolder()
const good = folder.csv('good.csv', [
  ['x', 'y'],
  ...Array.from({ length: 20 }, (_, i) => [i, 2 * i + ((i * 7) % 5)]),
])
const main = new URL('../dist/main.js', import.meta.url).href

/** Exit statuses of command lines, one after the other in a process of their own, and the native parts it has loaded. */
async function native(...lines: string[][]): Promise<{ statuses: number[]; loaded: string[] }> {
  const script = `
    const { main } = await import('${main}')
    const io = { out: async () => undefined, remark: () => undefined, terminal: false }
    const statuses = []
    for (const line of ${JSON.stringify(lines)}) statuses.push(await main(line, io))
    const found = process.report.getReport().sharedObjects.join().match(/duckdb|onnxruntime|sharp|koffi/g)
    console.log(JSON.stringify({ statuses, loaded: [...new Set(found ?? [])] }))`
  const argv = ['--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, argv)
  return JSON.parse(stdout)
}

test('help and refusals load no database, no runtime of networks, no decoder of images', async () => {
  const commands = ['fit', 'look', 'predict', 'stream', 'train', 'audit', 'data', 'reproduce']
  const helps = [['--help'], ['--version'], ...commands.map((name) => [name, '--help'])]
  const refusals = [
    ['fit', good],
    ['fit', good, '--target', 'y', '--rows', 'rows.txt'],
    ['predict', 'model.onnx', 'photos', '--strict'],
    ['stream', '--target', 'y', '--batch', '0'],
    ['train', 'mnist', '--method', 'best'],
    ['audit', 'mnist', '--folds', '1'],
    ['audit', good, '--target', 'y', '--assume', '0.2'],
    ['data', 'fetch', 'minst'],
    ['reproduce', 'maen'],
  ]
  const statuses = [...helps.map(() => 0), ...refusals.map(() => 2)]
  expect(await native(...helps, ...refusals)).toEqual({ statuses, loaded: [] })
})

test('which can be seen: a fit loads the database', async () => {
  expect(await native(['fit', good, '--target', 'y'])).toEqual({ statuses: [0], loaded: ['duckdb'] })
})
