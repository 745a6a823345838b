import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { normals, run, runJson, testFolder } from '../testing/run.js'

const folder = testFolder()
const at = (name: string): string => join(folder.path, name)
const z = normals(9)
const header = ['id', 'x', 'note', 'clean', 'y']
const rows = Array.from({ length: 60 }, (_, i) => {
  const x = Number(z().toFixed(3))
  const y = i % 20 === 0 ? 90 : Number((2 * x + 0.1 * z()).toFixed(4))
  return [1000 + i, i === 7 ? null : x, `row "${i}", of 60`, i % 2 === 0, y]
})
const path = folder.csv('notes.csv', [header, ...rows])
const model = ['--target', 'y', '--features', 'x']
const read = (name: string): string[] => readFileSync(at(name), 'utf8').trimEnd().split('\n')

describe('the columns of the file', () => {
  test('come first in --rows --keep, as they are; names that are taken get a prefix', async () => {
    await run('fit', path, ...model, '--rows', at('kept.csv'), '--keep')
    const [head, ...lines] = read('kept.csv')
    expect(head).toBe('id,x,note,clean,y,row,rlvi_clean,flagged,loss,predicted')
    const given = readFileSync(path, 'utf8').trimEnd().split('\n').slice(1)
    expect(lines).toHaveLength(60)
    for (const [i, line] of lines.entries()) expect(line.startsWith(`${given[i]},${i + 1},`)).toBe(true)
  })

  test('are all there in the cleaned and in the suspicious table, which together are the file', async () => {
    const { remarks } = await run('fit', path, ...model, '--good', at('good.csv'), '--flagged', at('bad.csv'))
    const given = readFileSync(path, 'utf8').trimEnd().split('\n')
    const [good, bad] = [read('good.csv'), read('bad.csv')]
    expect([good[0], bad[0]]).toEqual([given[0], given[0]])
    expect(bad.slice(1)).toEqual([0, 20, 40].map((row) => given[1 + row]))
    const missing = given[1 + 7]!
    expect([...good.slice(1), ...bad.slice(1), missing].sort()).toEqual(given.slice(1).sort())
    expect(remarks).toContain('rows with missing values were not judged: 1 are neither good nor flagged')
  })

  test('keep their types in Parquet', async () => {
    await run('fit', path, ...model, '--good', at('good.parquet'))
    const again = await runJson('fit', at('good.parquet'), ...model)
    expect([again.rows, again.flagged]).toEqual([56, 0])
    await run('fit', at('good.parquet'), ...model, '--rows', at('again.csv'), '--keep')
    expect(read('again.csv')[1]).toMatch(/^1001,/)
  })

  test('--keep is for --rows', async () => {
    const { status, remarks } = await run('fit', path, ...model, '--keep')
    expect([status, remarks]).toEqual([2, ['--keep: is for --rows, got "--keep"; give --rows FILE too']])
  })

  test('are never written over the file itself', async () => {
    const { status, remarks } = await run('fit', path, ...model, '--good', path)
    expect(status).toBe(2)
    expect(remarks.join()).toMatch(/^--good: /)
  })
})

describe('the model file', () => {
  test('says where it comes from', async () => {
    const before = Date.now()
    const { corruption } = await runJson('fit', path, ...model, '--save', at('model.json'))
    const { origin } = JSON.parse(readFileSync(at('model.json'), 'utf8'))
    expect(origin).toMatchObject({ source: path, level: corruption.level })
    expect(origin.rlvi).toMatch(/^\d+\.\d+\.\d+/)
    expect(Date.parse(origin.date)).toBeGreaterThanOrEqual(before)
    // The paper's weights are no share.
    await run('fit', path, ...model, '--method', 'paper', '--save', at('paper.json'))
    expect(JSON.parse(readFileSync(at('paper.json'), 'utf8')).origin.level).toBeNull()
  })

  test('predicts beside the columns of a file, with intervals', async () => {
    const { out } = await run('predict', at('model.json'), path, '--keep', '--intervals')
    const [head, first, ...others] = out.trimEnd().split('\n')
    expect(head).toBe('id,x,note,clean,y,row,predicted,low,high')
    expect(first).toMatch(/^1000,.*,"row ""0"", of 60",true,90,1,/)
    expect(others[6]).toMatch(/,8,,,$/)
    const inside = others.filter((line) => {
      const [, , y, , , low, high] = /(true|false),([^,]*),(\d+),([^,]*),([^,]*),([^,]*)$/.exec(line) ?? []
      return low !== '' && Number(y) > Number(low) && Number(y) < Number(high)
    })
    // About 90 % of 56 good rows.
    expect(inside.length).toBeGreaterThan(45)
  })

  test.each([
    [['--method', 'ml', ...model], /a model with the covariance of its parameters is needed/],
    [
      ['--model', 'mean', '--features', 'x,y'],
      /are for models that predict a target, got "mean"; leave it out: distances/,
    ],
  ])('has no intervals after %j, and says why', async (how, message) => {
    await run('fit', path, ...how, '--save', at('other.json'))
    const { status, remarks } = await run('predict', at('other.json'), path, '--intervals')
    expect(status).toBe(1)
    expect(remarks.at(-1)).toMatch(message)
    expect(remarks.at(-1)).toMatch(/^--intervals: /)
  })
})

describe('three labels', () => {
  const z = normals(12)
  const labels = folder.csv('three.csv', [
    ['x', 'w', 'kind'],
    ...Array.from({ length: 150 }, () => {
      const [x, w] = [z(), z()]
      return [x, w, x + z() > 0.7 ? 'up' : w + z() > 0.5 ? 'left' : 'down']
    }),
  ])

  test('have intervals of their coefficients class by class, and what there would be without protection', async () => {
    const { out } = await run('fit', labels, '--target', 'kind')
    const { params, ml } = await runJson('fit', labels, '--target', 'kind')
    expect(out).toMatch(/^ +estimate +90 % interval +without protection$/m)
    for (const label of ['down', 'left', 'up']) {
      const [low, high] = params.intervals.coefficients[label].x
      const block = out.slice(out.indexOf(`\n  ${label}\n`))
      const [, value, error, from, to, plain] =
        /\n +x +(-?[\d.]+) +± ([\d.]+) +(-?[\d.]+) to (-?[\d.]+) +(-?[\d.]+)\n/.exec(block)!.map(Number)
      expect(value).toBeCloseTo(params.coefficients[label].x, 1)
      expect(error).toBeCloseTo(params.standardErrors.coefficients[label].x, 1)
      expect([from, to, plain].map((text) => Math.round(10 * text!))).toEqual(
        [low, high, ml.coefficients[label].x].map((text) => Math.round(10 * text)),
      )
    }
  })

  test('with many features stand side by side', async () => {
    const columns = Array.from({ length: 20 }, (_, j) => `f${j}`)
    const wide = folder.csv('wide.csv', [
      [...columns, 'kind'],
      ...Array.from({ length: 200 }, (_, i) => [...columns.map(() => z()), ['a', 'b', 'c'][i % 3]]),
    ])
    expect((await run('fit', wide, '--target', 'kind')).out).toMatch(/^ +a +b +c$/m)
  })

  test('are predicted with an interval of each probability', async () => {
    await run('fit', labels, '--target', 'kind', '--save', at('three.json'))
    const { out } = await run('predict', at('three.json'), labels, '--intervals')
    const [head, ...lines] = out.trimEnd().split('\n')
    const each = ['down', 'left', 'up'].map((label) => `kind=${label},kind=${label}.low,kind=${label}.high`)
    expect(head).toBe(`row,predicted,low,high,suggested,${each.join(',')}`)
    for (const line of lines) {
      const [, p, low, high, , ...ofClasses] = line.split(',').map(Number)
      expect(low! > 0 && low! < p! && p! < high! && high! < 1).toBe(true)
      for (let k = 0; k < 9; k += 3) {
        const [value, from, to] = ofClasses.slice(k, k + 3)
        expect(from! < value! && value! < to!).toBe(true)
      }
    }
  })
})

describe('--odds', () => {
  const labels = folder.csv('labels.csv', [
    ['x', 'y'],
    ...rows.flatMap(([, x]) => (x === null ? [] : [[x, (x as number) + z() > 0 ? 'yes' : 'no']])),
  ])
  test('is e to the power of the coefficient', async () => {
    const { params } = await runJson('fit', labels, '--target', 'y', '--odds')
    expect(params.ratios.x).toBeCloseTo(Math.exp(params.coefficients.x), 12)
    const { out } = await run('fit', labels, '--target', 'y', '--odds')
    expect(out).toMatch(/estimate +90 % interval +odds ratio +90 % interval +without protection/)
  })
  test('is refused where a unit more of a feature adds', async () => {
    const { status, remarks } = await run('fit', path, ...model, '--odds')
    expect([status, remarks.at(-1)]).toEqual([
      1,
      '--odds: odds ratios are for two labels (--model logistic), rate ratios for counts (--model poisson), got "linear"; leave it out',
    ])
  })
})

describe('what a fit says', () => {
  test('intervals, the fit without protection, what is explained, effective rows', async () => {
    const { out } = await run('fit', path, ...model)
    expect(out).toMatch(/^ +estimate +90 % interval +without protection$/m)
    expect(out).toMatch(/^ {2}x +\d\.\d+ +± 0\.0\d+ +\d\.\d+ to \d\.\d+ +-?\d/m)
    expect(out).toMatch(
      /^explains 99\.\d % of the variance \(R²\) of good rows, rests on 56 effective rows$/m,
    )
    const [json, ml] = [
      await runJson('fit', path, ...model),
      await runJson('fit', path, ...model, '--method', 'ml'),
    ]
    expect(json.ml).toEqual(ml.params)
    const { intercept, coefficients } = json.params.intervals
    expect(intercept[0]).toBeLessThan(json.params.intercept)
    expect(coefficients.x[1]).toBeGreaterThan(json.params.coefficients.x)
  })

  test('zero is 0', async () => {
    const exact = folder.csv('exact.csv', [
      ['x', 'y'],
      ...Array.from({ length: 30 }, (_, i) => [0.1 * i, 0.7 * i * 0.1]),
    ])
    const { out } = await run('fit', exact, '--target', 'y')
    expect(out).toMatch(/^ {2}intercept +0 +0$/m)
  })
})
