import { seeded } from 'rlvi/random'
import { describe, expect, test } from 'vitest'
import { readModel } from '../model/read-model.js'
import { writeModel } from '../model/write-model.js'
import { predictTable } from '../predict/predict-table.js'
import { fitTable } from './fit-table.js'

const n = 60
const random = seeded('determined')
const each = <T>(value: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => value(i))
const x = each(() => random())
const z = each(() => random())
const y = each((i) => 1 + 2 * x[i]! - z[i]! + 0.1 * random())
const labels = each((i) => (y[i]! + random() > 1.9 ? 'yes' : 'no'))

const again = x
const feet = x.map((value) => 3.28084 * value)
const kelvin = z.map((value) => value + 273.15)
const sum = x.map((value, i) => value + z[i]!)

describe('columns that others determine are left out', () => {
  const columns = { x, again, z, feet, kelvin, sum }
  const remarks = [
    'left out columns that repeat another one, or it in other units: "again" (as "x"), "feet" (as "x"), "kelvin" (as "z")',
    'left out columns that other columns determine: "sum"',
  ]

  test.each([
    ['linear', y],
    ['logistic', labels],
    ['poisson', y.map((value) => Math.round(5 * Math.abs(value)))],
  ] as const)('%s', (model, target) => {
    const options = { target: 'target', model, method: 'ml' } as const
    const full = fitTable({ ...columns, target }, options)
    const bare = fitTable({ x, z, target }, options)
    expect(full.remarks).toEqual(expect.arrayContaining(remarks))
    expect(full.params).toEqual(bare.params)
    const model2 = readModel(writeModel(full.model))
    expect(predictTable(model2, { z, x }).predicted).toEqual(predictTable(bare.model, { x, z }).predicted)
    // A column of a matrix that may be changed is left where it is needed.
    const values = Float64Array.from(each((i) => Object.values(columns).map((column) => column[i]!)).flat())
    values[0] = Number.NaN
    const matrix = { rows: n, cols: 6, values }
    const lying = Object.fromEntries(Object.keys(columns).map((name, column) => [name, { matrix, column }]))
    const reused = fitTable({ ...lying, target }, { ...options, reuse: true })
    const [xx, zz] = [[null, ...x.slice(1)], z]
    expect(reused.params).toEqual(fitTable({ x: xx, z: zz, target }, options).params)
  })

  test('but not in other units where there is no constant term', () => {
    const { design } = fitTable({ z, kelvin, feet, x, y }, { target: 'y', intercept: false, method: 'ml' })
    expect(design.names).toEqual(['z', 'kelvin', 'feet'])
  })

  test('of a covariance those that repeat others', () => {
    const { remarks: said, design } = fitTable({ x, again, z, kelvin }, { model: 'covariance', method: 'ml' })
    expect(design.names).toEqual(['x', 'z'])
    expect(said).toContain(
      'left out columns that repeat another one, or it in other units: "again" (as "x"), "kelvin" (as "z")',
    )
  })

  test('means and components are there of copies too', () => {
    for (const model of ['mean', 'pca'] as const)
      expect(fitTable({ x, again, z }, { model, method: 'ml' }).design.names).toHaveLength(3)
  })

  test('a near-copy stays', () => {
    const near = x.map((value, i) => value + 1e-4 * (i % 3))
    expect(fitTable({ x, near, y }, { target: 'y', method: 'ml' }).design.names).toEqual(['x', 'near'])
  })
})

describe('categories that others determine in part', () => {
  // All of Rome is in the south, and all others are in the north or the middle.
  const city = each((i) => ['rome', 'oslo', 'bonn', 'oslo'][i % 4]!)
  const region = each((i) => (i % 4 === 0 ? 'south' : i % 3 === 0 ? 'north' : 'middle'))

  test('lose only what is determined; the fit is that of all columns', () => {
    const one = fitTable({ city, region, y }, { target: 'y', method: 'ml' })
    const other = fitTable({ region, city, y }, { target: 'y', method: 'ml' })
    expect(one.remarks).toContain('left out columns that other columns determine: "region=south"')
    expect(other.remarks).toContain('left out columns that other columns determine: "city=rome"')
    one.predicted!.forEach((value, i) => {
      expect(value).toBeCloseTo(other.predicted![i]!, 10)
    })
    const model = readModel(writeModel(one.model))
    expect(predictTable(model, { city, region }).rows).toHaveLength(n)
    const unknown = predictTable(model, { city: ['rome', 'rome'], region: ['south', 'east'] })
    expect(unknown.unseen).toBe(1)
  })
})

describe('parts of dates', () => {
  const day = (i: number): string =>
    new Date(Date.UTC(2023, 11, 20) + i * 86_400_000).toISOString().slice(0, 10)

  test('on few rows, where months and years say the same', () => {
    const when = Array.from({ length: 25 }, (_, i) => day(i))
    const target = when.map((_, i) => (i % 7) + 0.1 * Math.sin(9 * i))
    const fit = fitTable({ when, target }, { target: 'target', dateParts: true, method: 'ml' })
    expect(fit.remarks).toContain('left out columns that other columns determine: "when.month"')
    expect(fit.design.names[0]).toBe('when.year')
    const { predicted, rows } = predictTable(readModel(writeModel(fit.model)), { when })
    expect(rows).toHaveLength(25)
    predicted!.forEach((value, i) => {
      expect(value).toBeCloseTo(fit.predicted![i]!, 10)
    })
  })
})
