import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { matrix, online } from 'rlvi'
import { expect, test } from 'vitest'
import { run, testFolder } from '../../testing/run.js'
import { csv, streamRows } from '../../testing/stream.js'

const folder = testFolder()
const rows = streamRows(600, 4)

const cases: [string, (row: (typeof rows)[number]) => number | string, string[]][] = [
  ['logistic', ({ y }) => y!, []],
  ['linear', ({ z }) => z!, ['--model', 'linear']],
  [
    'softmax',
    ({ x1 }) => ((x1 as number) < -0.4 ? 'low' : (x1 as number) < 0.4 ? 'mid' : 'high'),
    ['--classes', 'low,mid,high'],
  ],
]

test.each(cases)(
  'rlvi predict says with a saved %s model what the stream would say next',
  async (model, target, flags) => {
    const table = rows.map((row) => ({ x1: row.x1!, city: row.city!, x2: row.x2!, t: target(row) }))
    const input = folder.file(`${model}.csv`, csv(table))
    const [save, state] = [join(folder.path, `${model}-model.json`), join(folder.path, `${model}-state.json`)]
    const files = ['--input', input, '--save', save, '--state', state, '--categories', 'city=rome,oslo']
    expect((await run('stream', '--target', 't', ...flags, ...files)).status).toBe(0)

    const features = rows.flatMap((row) => [row.x1 as number, row.city === 'oslo' ? 1 : 0, row.x2 as number])
    const saved = JSON.parse(readFileSync(state, 'utf8')).learned.state
    const { predictions, probabilities } = online.predict(saved, matrix(600, 3, Float64Array.from(features)))
    const { out, status, remarks } = await run('predict', save, input)
    expect({ status, remarks: remarks.length }).toEqual({ status: 0, remarks: 1 })
    const reported = out.trimEnd().split('\n').slice(1)
    expect(reported.length).toBe(600)
    for (const [i, line] of reported.entries()) {
      const K = probabilities?.cols ?? 0
      const label = predictions[i]!
      const wanted =
        probabilities === undefined ? label : probabilities.values[i * K + (K === 2 ? 1 : label)]!
      expect(Number(line.split(',')[1])).toBeCloseTo(wanted, 9)
    }
  },
)

test('--save wants a name that ends in .json', async () => {
  const { status, remarks } = await run('stream', '--target', 'y', '--save', 'model.txt')
  expect(status).toBe(2)
  expect(remarks).toEqual(['--save: a file name that ends in .json is needed, got "model.txt"'])
})
