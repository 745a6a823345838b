import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RlviError } from 'rlvi'
import { describe, expect, test } from 'vitest'
import { loadModel } from '../table/model-file.js'
import { normals, run, runJson, testFolder } from '../testing/run.js'

const folder = testFolder()
const z = normals(3)
const cities = ['bonn', 'oslo', 'rome', 'rome']
const data = Array.from({ length: 60 }, (_, i) => {
  const [a, b] = [z(), 40 + 10 * z()]
  return { a, b, city: cities[(7 * i) % 4]!, noise: z(), i }
})

const targets: Record<string, (row: (typeof data)[number]) => number | string> = {
  linear: ({ a, b, noise }) => 3 * a - b + noise,
  logistic: ({ a, noise }) => (a + noise > 0 ? 'up' : 'down'),
  softmax: ({ a, noise }) => (a + noise > 0.5 ? 3 : a + noise < -0.5 ? 1 : 2),
  poisson: ({ a, noise }) => Math.round(Math.exp(1 + 0.5 * a + 0.2 * noise)),
}

function write(name: string, target: (row: (typeof data)[number]) => unknown, gaps = false): string {
  const rows = data.map((row) => [gaps && row.i === 5 ? null : row.a, row.b, row.city, target(row)])
  return folder.csv(name, [['a', 'b', 'city', 'y'], ...rows])
}

const at = (name: string): string => join(folder.path, name)

describe('a saved model', () => {
  test.each(Object.keys(targets))('%s predicts what the fit predicted', async (model) => {
    const path = write(`${model}.csv`, targets[model]!)
    const saved = at(`${model}.json`)
    const flags = ['--target', 'y', '--model', model]
    expect((await run('fit', path, ...flags, '--rows', at('rows.csv'), '--save', saved)).status).toBe(0)
    const { predictions, error } = await runJson('predict', saved, path)
    const rows = folder.lines('rows.csv')
    expect(predictions.length).toBe(rows.length)
    let right = 0
    let squares = 0
    predictions.forEach((line: Record<string, number | string>, i: number) => {
      const [row, , , , predicted, suggested] = rows[i]!
      expect(line.row).toBe(Number(row))
      const gap = Math.abs((line.predicted as number) - Number(predicted))
      expect(gap).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(Number(predicted))))
      if (suggested !== undefined) expect(line.suggested).toBe(suggested)
      const truth = targets[model]!(data[i]!)
      if (String(truth) === line.suggested) right++
      else if (typeof truth === 'number') squares += (truth - (line.predicted as number)) ** 2
      if (model === 'softmax') {
        const shares = [1, 2, 3].map((k) => line[`y=${k}`] as number)
        expect(shares.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12)
        expect(Math.max(...shares)).toBe(line.predicted)
      }
    })
    if (model === 'logistic' || model === 'softmax') expect(error).toEqual({ accuracy: right / 60, rows: 60 })
    else expect(error.rmse).toBeCloseTo(Math.sqrt(squares / 60), 9)
  })

  test.each(['mean', 'covariance', 'pca'])('%s measures rows as the fit did', async (model) => {
    const path = write('plain.csv', targets.linear!)
    const saved = at('unsupervised.json')
    const flags = ['--model', model, '--exclude', 'city', ...(model === 'pca' ? ['--components', '2'] : [])]
    await run('fit', path, ...flags, '--rows', at('rows.csv'), '--save', saved)
    const losses = folder.lines('rows.csv').map((line) => Number(line[3]))
    const { predictions, error } = await runJson('predict', saved, path)
    expect(error).toBeNull()
    const { fitted } = await loadModel(saved)
    if (!('mean' in fitted.params)) throw new Error('an unsupervised model has a mean')
    const { mean } = fitted.params
    predictions.forEach((line: Record<string, number>, i: number) => {
      const row = [data[i]!.a, data[i]!.b, Number(targets.linear!(data[i]!))]
      const from = row.map((value, j) => value - mean[j]!)
      const length = Math.hypot(...from)
      if (fitted.model === 'pca') {
        expect(line.loss).toBeCloseTo(losses[i]!, 9)
        // Pythagoras: what the components keep and what they lose is all there is.
        expect(line.component1 ** 2 + line.component2 ** 2 + line.loss).toBeCloseTo(length ** 2, 6)
      }
      // The fit's loss is the squared distance in units of the scale, for each column, over 2 d.
      else if (fitted.model === 'mean') expect(line.distance ** 2 / 6).toBeCloseTo(losses[i]!, 9)
      // Under a Gaussian the loss is half the squared distance and the same constant for every row.
      else
        expect(line.distance ** 2 / 2 - losses[i]!).toBeCloseTo(
          predictions[0].distance ** 2 / 2 - losses[0]!,
          6,
        )
    })
  })

  test('prints CSV, or writes it', async () => {
    const path = write('gaps.csv', targets.linear!, true)
    const saved = at('gaps.json')
    await run('fit', path, '--target', 'y', '--save', saved)
    const printed = await run('predict', saved, path)
    const lines = printed.out.trimEnd().split('\n')
    expect(lines[0]).toBe('row,predicted')
    expect(lines[6]).toBe('6,')
    expect(lines.length).toBe(61)
    expect(printed.remarks[0]).toBe('no prediction for 1 of 60 rows: values are missing ("a" misses 1)')
    expect(printed.remarks[1]).toMatch(/^rmse [\d.]+ on the 59 rows with a known target$/)
    const written = await run('predict', saved, path, '--rows', at('out.csv'))
    expect(written.out).toBe('')
    expect(readFileSync(at('out.csv'), 'utf8')).toBe(printed.out)
    const summary = await runJson('predict', saved, path, '--rows', at('out.parquet'))
    expect(summary).toEqual({ ...summary, rows: 60, predicted: 59, missing: 1, unseen: 0 })
    expect('predictions' in summary).toBe(false)
    const strict = await run('predict', saved, path, '--strict')
    expect(strict.remarks).toEqual([expect.stringMatching(/row 6, column "a": a value is needed/)])
    expect(strict.status).toBe(1)
  })

  test('a category that it has never seen has no prediction', async () => {
    const saved = at('seen.json')
    await run('fit', write('seen.csv', targets.linear!), '--target', 'y', '--save', saved)
    const path = folder.csv('unseen.csv', [
      ['city', 'b', 'a'],
      ['oslo', 40, 1],
      ['paris', 40, 1],
      ['rome', 40, 1],
    ])
    const { remarks, out } = await run('predict', saved, path)
    expect(out.split('\n')[2]).toBe('2,')
    const message =
      'no prediction for 1 of 3 rows: categories that the model has never seen, the first in row 2'
    expect(remarks).toEqual([`${message}, column "city": "paris" (rows count from 1, after the header)`])
    const strict = await run('predict', saved, path, '--strict')
    expect(strict.remarks[0]).toMatch(
      /row 2, column "city": a category that the model knows is needed, got "paris"/,
    )
    // rome is the base: both rows differ by the coefficient of oslo.
    const { fitted, features } = await loadModel(saved)
    expect(features[2]).toEqual({ name: 'city', kind: 'category', base: 'rome', values: ['bonn', 'oslo'] })
    const [oslo, , rome] = out
      .split('\n')
      .slice(1)
      .map((line) => Number(line.split(',')[1]))
    const [, , , coefficient] =
      'coefficients' in fitted.params ? (fitted.params.coefficients as number[]) : []
    expect(oslo! - rome!).toBeCloseTo(coefficient!, 9)
  })

  test('names that would be SQL, HTML or paths elsewhere are only names', async () => {
    const names = ['a"b', "'; drop table t; --", '日本 <script>', 'new\nline, comma']
    const rows = data.map((row) => [row.a, row.b, `it's "${row.city}"`, targets.linear!(row)])
    const path = folder.csv("evil '1'.csv", [names, ...rows])
    const saved = at("evil '.json")
    const flags = ['--target', names[3]!, '--features', names[0]!, '--features', `${names[1]},${names[2]}`]
    const { status, remarks } = await run('fit', path, ...flags, '--rows', at("evil's.csv"), '--save', saved)
    expect(remarks.join()).not.toContain('\n')
    expect(status).toBe(0)
    const found = await runJson('fit', path, ...flags)
    expect(Object.keys(found.params.coefficients)).toEqual([
      names[0],
      names[1],
      `${names[2]}=it's "bonn"`,
      `${names[2]}=it's "oslo"`,
    ])
    const { predictions } = await runJson('predict', saved, path)
    const rowsWritten = folder.lines("evil's.csv")
    expect(predictions[3].predicted).toBeCloseTo(Number(rowsWritten[3]![4]), 9)
    expect((await run('predict', saved, path, '--rows', at('evil.parquet'))).status).toBe(0)
  })
})

describe('a model file that is none', () => {
  const path = write('some.csv', targets.linear!)
  const saved = at('some.json')

  test.each([
    [
      'nothing',
      undefined,
      /no\.json: a model file is needed, got no such file or folder; rlvi fit --save writes one/,
    ],
    ['no JSON', 'model', /a model file in JSON is needed, got "model"/],
    [
      'other JSON',
      '{"a": 1}',
      /at format: a model file has .* there, got undefined; is this a file that rlvi fit --save wrote/,
    ],
    [
      'a later version',
      '{"format": "rlvi-model", "version": 2}',
      /at version: a model file has 1 there, got 2/,
    ],
  ])('%s', async (_, content, message) => {
    const file = content === undefined ? at('no.json') : folder.file('other.json', content)
    const { status, remarks } = await run('predict', file, path)
    expect(remarks).toEqual([expect.stringMatching(message)])
    expect(status).toBe(1)
  })

  test('one that was edited', async () => {
    await run('fit', path, '--target', 'y', '--save', saved)
    const model = JSON.parse(readFileSync(saved, 'utf8'))
    model.fitted.params.coefficients.pop()
    const short = folder.file('short.json', JSON.stringify(model))
    await expect(loadModel(short)).rejects.toThrow('fitted.params.coefficients: 4 values are needed, got 3')
    model.fitted.params.coefficients.push('1')
    const text = folder.file('text.json', JSON.stringify(model))
    await expect(loadModel(text)).rejects.toThrow(RlviError)
    await expect(loadModel(text)).rejects.toThrow(/coefficients\.3/)
  })

  test('a file without its columns', async () => {
    await run('fit', path, '--target', 'y', '--save', saved)
    const other = folder.csv('columns.csv', [
      ['a', 'B2', 'city'],
      [1, 2, 'rome'],
    ])
    const { remarks } = await run('predict', saved, other)
    expect(remarks[0]).toMatch(
      /columns\.csv: a column of the file is needed, got "b"; the columns are "a", "B2", "city"/,
    )
    const words = folder.csv('words.csv', [
      ['a', 'b', 'city'],
      [1, 'many', 'rome'],
    ])
    const text = await run('predict', saved, words)
    expect(text.remarks[0]).toMatch(/column "b": numbers are needed, got "many" in row 1/)
  })
})
