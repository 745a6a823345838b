import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { data, header, models, type Row, withTarget } from '../testing/data.js'
import { run, runJson, testFolder } from '../testing/run.js'

const folder = testFolder()
const linearFile = folder.csv('linear.csv', [header, ...data])

function fileFor(model: string, change: (row: Row) => Row = (row) => row): string {
  const made = data.map((row, i) => [...change(row).slice(0, 3), withTarget[model]!(row, i)])
  return folder.csv(`${model}-${Math.abs(hash(String(change)))}.csv`, [header, ...made])
}

function hash(text: string): number {
  return [...text].reduce((sum, sign) => (31 * sum + sign.charCodeAt(0)) | 0, 7)
}

/** The column of `--rows` of that name, one entry for each row. */
async function column(name: string, ...argv: string[]): Promise<string[]> {
  const { status, remarks } = await run('fit', ...argv, '--rows', join(folder.path, 'rows.csv'))
  if (status !== 0) throw new Error(remarks.join('\n'))
  const names = ['row', 'clean', 'flagged', 'loss', 'predicted', 'suggested']
  return folder.lines('rows.csv').map((line) => line[names.indexOf(name)]!)
}

function expectClose(
  a: readonly (string | number)[],
  b: readonly (string | number)[],
  relative: number,
): void {
  expect(a.length).toBe(b.length)
  a.forEach((value, i) => {
    const gap = Math.abs(Number(value) - Number(b[i]))
    expect(gap).toBeLessThanOrEqual(relative * Math.max(1, Math.abs(Number(b[i]))))
  })
}

describe('the fit', () => {
  test('finds the truth behind gross errors, and the rows that are wrong', async () => {
    const found = await runJson('fit', linearFile, '--target', 'y')
    // Noise of .1 in 72 good rows puts the estimates well within .2; least squares is off by about 2.
    expect(Math.abs(found.params.intercept - 1)).toBeLessThan(0.2)
    expectClose(Object.values(found.params.coefficients), [2, -1, 0, 3], 0.2)
    expect(Object.keys(found.params.coefficients)).toEqual(['x1', 'x2', 'city=bonn', 'city=oslo'])
    const flagged = await column('flagged', linearFile, '--target', 'y')
    for (let i = 0; i < data.length; i += 10) expect(flagged[i]).toBe('true')
  })

  test.each(['calibrated', 'ml', 'huber', 'sever', 'rrm'])(
    '%s passes through rows without error',
    async (method) => {
      const exact = data.map(([x1, x2]) => [x1, x2, 3 * (x1 as number) - 2 * (x2 as number) + 7])
      const path = folder.csv('exact.csv', [['x1', 'x2', 'y'], ...exact])
      const { params } = await runJson('fit', path, '--target', 'y', '--method', method)
      expectClose([params.intercept, params.coefficients.x1, params.coefficients.x2], [7, 3, -2], 1e-9)
    },
  )

  test('without an intercept it passes through the origin', async () => {
    const { params } = await runJson('fit', linearFile, '--target', 'y', '--no-intercept', '--method', 'ml')
    expect(params.intercept).toBe(0)
    // Normal equations of the plain fit: the residuals are orthogonal to every column.
    const predicted = await column(
      'predicted',
      linearFile,
      '--target',
      'y',
      '--no-intercept',
      '--method',
      'ml',
    )
    const product = data.reduce(
      (sum, row, i) => sum + (row[0] as number) * ((row[3] as number) - Number(predicted[i])),
      0,
    )
    expect(Math.abs(product)).toBeLessThan(1e-8)
  })

  test.each(models)('%s: permuting the rows permutes the answer', async (model) => {
    const made = data.map((row, i) => [...row.slice(0, 3), withTarget[model]!(row, i)])
    const order = made.map((_, i) => (37 * i) % made.length)
    const one = folder.csv('order.csv', [header, ...made])
    const other = folder.csv('reorder.csv', [header, ...order.map((i) => made[i]!)])
    const flags = ['--target', 'y', '--model', model]
    const a = await runJson('fit', one, ...flags)
    const b = await runJson('fit', other, ...flags)
    expect(b.features).toEqual(a.features)
    expect(b.classes).toEqual(a.classes)
    expectClose(flat(b.params), flat(a.params), 1e-6)
    const cleanA = await column('clean', one, ...flags)
    const cleanB = await column('clean', other, ...flags)
    expectClose(
      cleanB,
      order.map((i) => cleanA[i]!),
      1e-6,
    )
  })

  test.each(
    models.flatMap((model) => [
      [model, 'calibrated'],
      [model, 'paper'],
      [model, 'rrm'],
    ]),
  )('%s, %s: the unit of a feature changes no prediction', async (model, method) => {
    const flags = ['--target', 'y', '--model', model, '--method', method]
    const metres = await column('predicted', fileFor(model), ...flags)
    const scaled = (row: Row): Row => [(row[0] as number) * 1000, ...row.slice(1)]
    expectClose(await column('predicted', fileFor(model, scaled), ...flags), metres, 1e-6)
    const shifted = (row: Row): Row => [row[0]!, (row[1] as number) + 1000, ...row.slice(2)]
    expectClose(await column('predicted', fileFor(model, shifted), ...flags), metres, 1e-6)
  })

  test('the unit and the zero of the target change nothing but units', async () => {
    const moved = data.map((row) => [...row.slice(0, 3), 1e6 + 1000 * (row[3] as number)])
    const path = folder.csv('moved.csv', [header, ...moved])
    const plain = await column('predicted', linearFile, '--target', 'y')
    const back = (await column('predicted', path, '--target', 'y')).map(
      (value) => (Number(value) - 1e6) / 1000,
    )
    expectClose(back, plain, 1e-6)
  })

  test('rows with missing values count as if they were not there', async () => {
    const gaps = data.map((row, i) => (i % 9 === 4 ? [row[0]!, null, row[2]!, row[3]!] : row))
    const path = folder.csv('gaps.csv', [header, ...gaps])
    const whole = folder.csv('whole.csv', [header, ...data.filter((_, i) => i % 9 !== 4)])
    const a = await runJson('fit', path, '--target', 'y')
    const b = await runJson('fit', whole, '--target', 'y')
    expect(a.params).toEqual(b.params)
    expect([a.rows + a.dropped.missing, b.dropped.missing]).toEqual([data.length, 0])
    await column('clean', path, '--target', 'y')
    folder.lines('rows.csv').forEach((line, i) => {
      expect(line[0]).toBe(String(i + 1))
      expect(line.slice(1).every((value) => value === '')).toBe(i % 9 === 4)
    })
  })

  test('labels in words, in numbers and in 0 and 1 are the same labels', async () => {
    const spelled = (no: unknown, yes: unknown): string => {
      const made = data.map((row, i) => [
        ...row.slice(0, 3),
        withTarget.logistic!(row, i) === 'yes' ? yes : no,
      ])
      return folder.csv(`${no}-${yes}.csv`, [header, ...made])
    }
    const words = await runJson('fit', spelled('no', 'yes'), '--target', 'y')
    expect([words.model, words.classes]).toEqual(['logistic', ['no', 'yes']])
    for (const [no, yes] of [
      ['false', 'true'],
      [0, 1],
      [3, 20],
    ]) {
      const same = await runJson('fit', spelled(no, yes), '--target', 'y', '--model', 'logistic')
      expect(same.params).toEqual(words.params)
      expect(same.classes).toEqual([String(no), String(yes)])
    }
  })

  test('the model follows from the target', async () => {
    const chosen = async (model: string): Promise<string> =>
      (await runJson('fit', fileFor(model), '--target', 'y')).model
    expect(await chosen('linear')).toBe('linear')
    expect(await chosen('logistic')).toBe('logistic')
    expect(await chosen('softmax')).toBe('softmax')
    const counts = folder.csv('binary.csv', [['x', 'y'], ...data.map((row, i) => [row[0], i % 2])])
    expect((await runJson('fit', counts, '--target', 'y')).model).toBe('logistic')
    const { remarks } = await run('fit', counts, '--target', 'y')
    expect(remarks[0]).toBe('model: logistic (chosen by the target; --model overrides)')
  })

  test('the same seed gives the same output', async () => {
    const { seconds: _, ...a } = await runJson('fit', linearFile, '--target', 'y', '--seed', '7')
    const { seconds: __, ...b } = await runJson('fit', linearFile, '--target', 'y', '--seed', '7')
    expect(a).toEqual(b)
  })

  test('a fit that rests on too few rows says so', async () => {
    // e^-loss of a loss in squared units: a thousand times larger numbers leave the best row alone.
    const large = data.map((row) => [
      1000 * (row[0] as number),
      1000 * (row[1] as number),
      1000 * (row[3] as number),
    ])
    const path = folder.csv('large.csv', [['x1', 'x2', 'y'], ...large])
    const { remarks } = await run('fit', path, '--model', 'pca', '--method', 'paper')
    expect(remarks.at(-1)).toMatch(
      /^caution: the fit rests on about 1\.\d of 80 rows, .* its weights depend on units/,
    )
    expect((await run('fit', path, '--model', 'pca', '--method', 'ml')).remarks).toEqual([])
  })

  test('remarks on the assumed level', async () => {
    const huber = await run('fit', linearFile, '--target', 'y', '--method', 'huber', '--assume', '.2')
    expect(huber.status).toBe(0)
    expect(huber.remarks).toContain("Huber's rule has no share of bad rows: --assume changes nothing")
    const covariance = await run(
      'fit',
      linearFile,
      '--model',
      'covariance',
      '--exclude',
      'city',
      '--method',
      'paper',
    )
    expect(covariance.remarks.join()).toMatch(
      /assumed level: 0\.3, at least 0\.7 of the rows are taken as good/,
    )
  })
})

/** All numbers of nested data. */
function flat(value: unknown): number[] {
  return typeof value === 'number' ? [value] : Object.values(value as object).flatMap(flat)
}
