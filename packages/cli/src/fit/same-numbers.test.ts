import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Columns,
  type FitTableOptions,
  fitTable,
  type MethodName,
  type ModelName,
  methodNames,
  modelNames,
  predictTable,
  readModel,
  type TableFit,
  writeModel,
} from '@rlvi/estimator'
import { describe, expect, test } from 'vitest'
import { data, header, withTarget } from '../testing/data.js'
import { run, runJson, testFolder } from '../testing/run.js'

// The law: what the command does, the library does in one call, with the same numbers to the last bit.

const folder = testFolder()
const at = (name: string): string => join(folder.path, name)

/** The test data with a gap in a number and one in a text, as rows and as columns. */
function table(model: ModelName): { path: string; columns: Columns } {
  const rows = data.map((row, i) => {
    const [x1, x2, city] = row
    const y = (withTarget[model] ?? withTarget.linear!)(row, i)
    return [i === 5 ? null : x1!, x2!, i === 12 ? null : city!, y]
  })
  const path = folder.csv(`${model}.csv`, [header, ...rows])
  const columns = Object.fromEntries(header.map((name, j) => [name, rows.map((row) => row[j])]))
  return { path, columns: columns as Columns }
}

const cases = modelNames.flatMap((model) =>
  methodNames
    .filter((method) => method !== 'huber' || model === 'linear')
    .map((method) => [model, method] as const),
)

/** What a fit writes into `--rows`, as text. */
function lines({ inputRows, rows, clean, losses, predicted, suggested, model }: TableFit): string[][] {
  const out = Array.from({ length: inputRows }, (_, row) => [String(row + 1), '', '', ''])
  for (const line of out) {
    if (predicted !== undefined) line.push('')
    if (suggested !== undefined) line.push('')
  }
  rows.forEach((row, i) => {
    const line = [String(row + 1), clean[i], clean[i]! < 0.5, losses[i]]
    if (predicted !== undefined) line.push(predicted[i])
    if (suggested !== undefined) line.push(model.target?.classes?.[suggested[i]!] ?? '')
    out[row] = line.map(String)
  })
  return out
}

/** CSV has its own way to write a number: compared as numbers where they are. */
function cells(all: readonly (readonly string[])[]): (string | number)[][] {
  return all.map((line) =>
    line.map((cell) => (cell === '' || Number.isNaN(Number(cell)) ? cell : Number(cell))),
  )
}

describe.each(cases)('%s, %s', (model, method) => {
  const supervised = model in withTarget
  const options: FitTableOptions = {
    model,
    method,
    seed: 3,
    ...(supervised ? { target: 'y' } : { exclude: ['city'] }),
    ...(model === 'pca' ? { components: 2 } : {}),
  }
  const flags = ['--model', model, '--method', method, '--seed', '3']
  flags.push(...(supervised ? ['--target', 'y'] : ['--exclude', 'city']))
  if (model === 'pca') flags.push('--components', '2')

  test('the command and the library give the same numbers', async () => {
    const { path, columns } = table(model)
    const fit = fitTable(columns, options)
    const files = ['--rows', at('rows.csv'), '--save', at('model.json')]
    const json = await runJson('fit', path, ...flags, ...files)
    const { standardErrors, intervals, ...params } = json.params
    expect(params).toEqual(fit.params)
    expect(standardErrors).toEqual(fit.standardErrors)
    expect([intervals, json.ml, json.explained]).toEqual([fit.intervals, fit.ml, fit.explained])
    expect(json.effectiveRows).toBe(fit.effectiveRows)
    const { level = null, interval = null, source } = fit.corruption
    expect(json.corruption).toEqual({ level, interval, source })
    expect([json.errors, json.cautions]).toEqual([fit.errors, fit.cautions])
    expect(json.features).toEqual(fit.design.names)
    expect([json.rows, json.dropped.missing, json.flagged]).toEqual([
      fit.rows.length,
      fit.dropped,
      fit.flagged,
    ])
    expect([json.status, json.iterations]).toEqual([fit.status.kind, fit.iterations])
    expect(cells(folder.lines('rows.csv'))).toEqual(cells(lines(fit)))
    const saved = readFileSync(at('model.json'), 'utf8')
    // All that the command adds is where the model comes from.
    const { origin, ...same } = JSON.parse(saved)
    expect(origin.source).toBe(path)
    expect(`${JSON.stringify(same, undefined, 2)}\n`).toBe(writeModel(fit.model))

    const predicted = predictTable(readModel(saved), columns)
    const printed = await runJson('predict', at('model.json'), path)
    expect(printed.error).toEqual(predicted.error ?? null)
    expect([printed.predicted, printed.missing]).toEqual([predicted.rows.length, predicted.missing])
    predicted.rows.forEach((row, i) => {
      const line = printed.predictions[row]
      for (const [name, values] of [
        ['predicted', predicted.predicted],
        ['distance', predicted.distances],
        ['loss', predicted.losses],
      ] as const)
        if (values !== undefined) expect(line[name]).toBe(values[i])
      const { scores } = predicted
      if (scores !== undefined) expect(line.component2).toBe(scores.values[i * scores.cols + 1])
    })
  })
})

test.each([
  ['linear', 'student'],
  ['linear', 'skewed'],
  ['linear', 'varying'],
  ['mean', 'normal'],
  ['covariance', 'student'],
  ['covariance', 'skewed'],
  ['poisson', 'negative-binomial'],
] as const)('%s with %s errors: the command and the library give the same numbers', async (model, errors) => {
  const { path, columns } = table(model)
  const supervised = model in withTarget
  const chosen = supervised ? { target: 'y' } : { exclude: ['city'] }
  const fit = fitTable(columns, { model, errors, ...chosen })
  const flags = supervised ? ['--target', 'y'] : ['--exclude', 'city']
  const json = await runJson('fit', path, '--model', model, '--errors', errors, ...flags)
  expect(json.params).toMatchObject(fit.params)
  expect(json.corruption.level).toBe(fit.corruption.level ?? null)
  expect([json.errors, json.cautions]).toEqual([fit.errors, fit.cautions])
})

test('where a ridge more or less changes the answer, both give one', async () => {
  const path = fileURLToPath(new URL('../../golden/knife-edge.csv', import.meta.url))
  const [names, ...rows] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','))
  const columns = Object.fromEntries(names!.map((name, j) => [name, rows.map((row) => Number(row[j]))]))
  for (const method of ['calibrated', 'paper', 'ml'] satisfies MethodName[]) {
    const { corruption, params } = fitTable(columns, { target: 'y', method })
    const json = await runJson('fit', path, '--target', 'y', '--method', method)
    expect(json.corruption.level).toBe(corruption.level ?? null)
    expect(json.params).toMatchObject(params)
  }
})

test('the command says in flags what the library says in arguments', async () => {
  const { path, columns } = table('linear')
  const library = fitTable(columns, { target: 'y', method: 'rrm' }).remarks
  const { remarks } = await run('fit', path, '--target', 'y', '--method', 'rrm')
  expect(library[0]).toBe('model: linear (chosen by the target; model overrides)')
  expect(remarks[0]).toBe('model: linear (chosen by the target; --model overrides)')
  expect(remarks.length).toBe(library.length)
  expect(library.join()).not.toContain('--')
})
