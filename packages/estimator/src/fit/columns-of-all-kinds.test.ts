import { describe, expect, test } from 'vitest'
import type { Columns } from '../columns/column.js'
import { readModel } from '../model/read-model.js'
import { writeModel } from '../model/write-model.js'
import { predictTable } from '../predict/predict-table.js'
import { fitTable } from './fit-table.js'
import type { FitTableOptions } from './options.js'

const n = 60
const z = (i: number, k: number): number => Math.sin(12.9898 * i + 78.233 * k) * 2
const each = <T>(of: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => of(i))
const x = each((i) => z(i, 1))
const y = each((i) => 1 + 3 * z(i, 1) + 0.1 * z(i, 2))

const fit = (columns: Columns, options: FitTableOptions = {}): ReturnType<typeof fitTable> =>
  fitTable(columns, { target: 'y', method: 'ml', ...options })

function message(columns: Columns, options: FitTableOptions = {}): string {
  try {
    fit(columns, options)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('it was fitted')
}

describe('all problems at once', () => {
  const columns = {
    age: each((i) => (i === 7 ? 'old' : String(20 + (i % 31)))),
    name: each((i) => `n${i % 40}`),
    price: each((i) => `$${i}`),
    wide: each((i) => `${i},5`),
    x,
    y,
  }

  test('one error names every column, its first odd value, and what cures it', () => {
    // By itself a column of so many names would be left out.
    expect(message(columns, { features: ['age', 'name', 'price', 'wide', 'x'] })).toBe(
      'columns: 4 columns cannot be used as they are, got "age" with "old" in row 7 (numbers are needed), ' +
        '"name" with 40 (a text feature may have at most 50 different values, and one for every two rows), ' +
        '"price" with "$0" in row 0 (a currency sign) (numbers are needed), ' +
        '"wide" with "0,5" in row 0 (a decimal comma) (numbers are needed); ' +
        'read decimal commas by decimal "," and what stands beside numbers by units ["$"]; ' +
        'or fix the columns, or leave them out by exclude ["age","name","price","wide"]; ' +
        'or take words as missing by numbers ["age"]; ' +
        'or take all values as categories by categories ["age","price","wide"]; rows count from 0',
    )
  })

  test('and the cures work', () => {
    const { rows, design, remarks } = fit(columns, { exclude: ['name', 'price', 'wide'], numbers: ['age'] })
    expect([rows.length, design.names]).toEqual([n - 1, ['age', 'x']])
    expect(remarks).toContain('column "age": 1 word taken as missing')
    const { wide } = columns
    expect(fit({ wide, x, y }, { decimal: ',' }).design.names).toEqual(['wide', 'x'])
    const grade = each((i) => (i === 3 ? 'top' : String(i % 14)))
    expect(message({ grade, y })).toMatch(/^column "grade": numbers are needed, got "top" in row 3/)
    const { names } = fit({ grade, y }, { categories: ['grade'] }).design
    expect(names).toHaveLength(14)
    expect(names).toContain('grade=top')
  })

  test('more than a few are counted, and the cure names all', () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, k) => [`c${k}`, each((i) => `$${i + k}`)]))
    expect(message({ ...many, y })).toMatch(/12 columns cannot .* and 4 more; .*"c11"/)
  })

  test('a column of both lists, and one that is no feature', () => {
    expect(message({ x, y }, { numbers: ['x'], categories: ['x'] })).toMatch(
      /numbers: a column is in categories or/,
    )
    expect(message({ x, y }, { numbers: ['xx'] })).toMatch(
      /numbers: a column of the features is needed, got "xx"/,
    )
  })
})

describe('what says nothing is left out, with one remark for each reason', () => {
  const columns = {
    c: each(() => 5),
    same: each(() => 'x'),
    empty: each(() => 'NA'),
    name: each((i) => `name ${i}`),
    id: each((i) => String(9007199254740993n + BigInt(i))),
    x,
    city: each((i) => ['rome', 'oslo', 'bonn'][i % 3]!),
    country: each((i) => ['it', 'no', 'de'][i % 3]!),
    y,
  }

  test('and the fit is that of the others', () => {
    const found = fit(columns)
    expect(found.remarks).toEqual(
      expect.arrayContaining([
        'left out columns that never vary: "c" (5), "same" ("x")',
        'left out columns that have no values: "empty"',
        'left out columns that have another text in every row, as names and ids do: "name", "id"',
        'left out columns that other columns determine: "country"',
      ]),
    )
    const { city } = columns
    expect(found.params).toEqual(fit({ x, city, y }).params)
    expect(found.rows.length).toBe(n)
  })

  test('but a constant is the intercept of a model without one, and has a mean', () => {
    expect(fit({ c: columns.c, x, y }, { intercept: false }).design.names).toEqual(['c', 'x'])
    expect(fitTable({ c: columns.c, x }, { model: 'mean' }).design.names).toEqual(['c', 'x'])
  })

  test('ids that are too long to be told apart are no constant; as numbers they are asked for', () => {
    const id = each((i) => String(9007199254740993n + BigInt(i % 20)))
    expect(fit({ id, x, y }).design.names).toHaveLength(20)
    expect(message({ id, x, y }, { numbers: ['id'] })).toMatch(
      /column "id": a feature must vary by more than rounding, got 9007199254740992 to 9007199254741012/,
    )
  })
})

describe('what looks strange is said', () => {
  test.each([
    [
      'n',
      each((i) => i + 1),
      'column "n" just counts the rows: is there something to learn from it? exclude ["n"] leaves it out',
    ],
    ['n', each((i) => i), 'column "n" just counts the rows'],
    [
      'customer_id',
      each((i) => 1000 + ((i * 7919) % 997)),
      'column "customer_id" has another whole number in every row',
    ],
    ['shuffled', each((i) => (i * 7) % 60), 'column "shuffled" has another whole number in every row'],
    [
      'twin',
      each((i) => z(i, 1) + 1e-3 * z(i, 5)),
      'columns "x" and "twin" say nearly the same (correlation beyond 0.9999)',
    ],
    [
      'anti',
      each((i) => -z(i, 1) + 0.04 * z(i, 5)),
      'columns "x" and "anti" say nearly the same (correlation -0.999',
    ],
  ])('%s', (name, values, remark) => {
    expect(fit({ x, [name]: values, y }).remarks.join('\n')).toContain(remark)
  })

  test.each([
    ['year', each((i) => 1871 + i)],
    ['population', each((i) => 1000 + i * i)],
    ['other', each((i) => z(i, 7))],
  ])('nothing of %s', (name, values) => {
    expect(fit({ x, [name]: values, y }).remarks.join('\n')).not.toMatch(
      /counts|another whole|nearly the same/,
    )
  })
})

describe('dates', () => {
  const iso = (day: number): string => new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10)
  const trend = each((i) => 2 + 0.5 * i + 0.01 * z(i, 2))

  test('are days since the first, in a fit and in a prediction', () => {
    const day = each((i) => (i === 9 ? '' : iso(i + 20)))
    const { params, remarks, model, rows } = fit({ day, y: trend })
    expect(remarks).toContain(
      'column "day": dates, taken as days since 2020-01-21; dateParts gives year, month, weekday and hour',
    )
    expect(rows.length).toBe(n - 1)
    const same = fit({ day: each((i) => (i === 9 ? null : i)), y: trend })
    expect(params).toEqual(same.params)
    const later = predictTable(readModel(writeModel(model)), { day: [iso(120), 'NA', iso(20)] })
    expect([...later.rows]).toEqual([0, 2])
    expect(later.predicted![0]).toBeCloseTo(2 + 0.5 * 100, 0)
    expect(() => predictTable(model, { day: ['2020-01-02', 'soon'] })).toThrow(
      'column "day": dates are needed, got "soon" in row 1; give dates, which the model was fitted to there',
    )
  })

  test('in other ways are the same days, in a fit and in a prediction', () => {
    const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
    const of = (i: number): readonly [string, string, string] => {
      const [year, month, day] = iso(i).split('-')
      return [year!, month!, day!]
    }
    const ways: readonly [(i: number) => string, string][] = [
      [
        (i) => `${of(i)[2]}.${of(i)[1]}.${of(i)[0].slice(2)}`,
        'dates, the day before the month, with years of two digits as 1969 to 2039',
      ],
      [
        (i) => `${months[Number(of(i)[1]) - 1]} ${Number(of(i)[2])}, ${of(i)[0]}`,
        'dates, the month before the day',
      ],
      [(i) => of(i).join(''), 'dates of eight digits'],
    ]
    const plain = fit({ day: each(iso), y: trend })
    for (const [way, what] of ways) {
      const { params, remarks, model } = fit({ day: each(way), y: trend })
      expect(params).toEqual(plain.params)
      expect(remarks.join()).toContain(`column "day": ${what}, taken as days since 2020-01-01`)
      // One date by itself, though it could be a number.
      const saved = readModel(writeModel(model))
      const { predicted } = predictTable(saved, { day: [way(7)] })
      expect([...predicted!]).toEqual([...predictTable(plain.model, { day: [iso(7)] }).predicted!])
    }
    const { predicted } = predictTable(fit({ day: each(ways[2]![0]), y: trend }).model, { day: [20200108] })
    expect([...predicted!]).toEqual([...predictTable(plain.model, { day: [iso(7)] }).predicted!])
  })

  test('that are times alone are hours', () => {
    const clock = (i: number): string => `${Math.floor(i / 4)}:${15 * (i % 4) || '00'}`
    const { params, remarks, model } = fit({ took: each(clock), y: trend })
    expect(remarks).toContain('column "took": times, taken as hours (1:30 is 1.5)')
    expect(params).toEqual(fit({ took: each((i) => i / 4), y: trend }).params)
    const later = predictTable(readModel(writeModel(model)), { took: ['25:00', 'NA'] })
    expect(later.predicted![0]).toBeCloseTo(2 + 0.5 * 100, 0)
    // So they are as a target.
    const took = fit({ x, y: each(clock) })
    expect(took.params).toEqual(fit({ x, y: each((i) => i / 4) }).params)
    expect(took.remarks).toContain('column "y": times, taken as hours (1:30 is 1.5)')
  })

  test('with a word among them: which, and that it may stand for a missing one', () => {
    const day = each((i) => (i === 9 ? 'unknown' : iso(i)))
    expect(message({ day, y: trend })).toBe(
      'column "day": dates are needed, got "unknown" in row 9; fix the column, or leave it out by exclude ["day"]; or take it as missing by missing ["unknown"], in place of the usual signs: name those that are there, too; or take all values as categories by categories ["day"]; rows count from 0',
    )
    expect(fit({ day, y: trend }, { missing: ['unknown'] }).rows.length).toBe(n - 1)
  })

  test('have parts: the year is a number, those that come again are categories', () => {
    const hour = (i: number): string =>
      `${iso(Math.floor(365 + 182 * z(i * i, 3)))} ${String(5 * (i % 4)).padStart(2, '0')}:30:00`
    const { design, model } = fit({ when: each(hour), y: trend }, { dateParts: true, target: 'y' })
    expect(design.names[0]).toBe('when.year')
    const names = design.names.map((name) => name.split('=')[0])
    expect([...new Set(names)]).toEqual(['when.year', 'when.month', 'when.weekday', 'when.hour'])
    // Less one of each, which has no column of its own.
    expect([11, 6]).toEqual(
      ['when.month', 'when.weekday'].map((part) => names.filter((name) => name === part).length),
    )
    const again = predictTable(readModel(writeModel(model)), { when: each(hour), y: trend })
    expect(again.predicted!.length).toBe(n)
  })

  test('parts that never vary are none', () => {
    const { design } = fit({ day: each((i) => iso(i % 28)), y: trend }, { dateParts: true })
    expect(design.names.every((name) => name.startsWith('day.weekday='))).toBe(true)
  })

  test('as categories, and as a target', () => {
    const day = each((i) => iso(i % 3))
    expect(fit({ day, y }, { categories: ['day'] }).design.names).toEqual([
      'day=2020-01-02',
      'day=2020-01-03',
    ])
    expect(message({ x, y: each(iso) })).toBe(
      'column "y": numbers or labels are needed, got dates; give another target, or make numbers of them, such as days since one of them',
    )
  })
})

describe('missing values that the user names', () => {
  const named = { x: x.map((value, i) => (i % 9 === 4 ? -999 : value)), y }
  const gaps = { x: x.map((value, i) => (i % 9 === 4 ? null : value)), y }

  test('are missing as numbers and as texts, and no others are', () => {
    expect(fit(named, { missing: ['-999'] }).params).toEqual(fit(gaps).params)
    const texts = { x: named.x.map((value) => (value === -999 ? '-999.0' : String(value))), y }
    expect(fit(texts, { missing: ['-999'] }).params).toEqual(fit(gaps).params)
    const city = each((i) => (i % 7 === 0 ? 'unknown' : i % 2 ? 'oslo' : 'NA'))
    const found = fit({ city, y }, { missing: ['unknown'] })
    expect(found.design.names).toHaveLength(1)
    expect(found.dropped).toBe(city.filter((name) => name === 'unknown').length)
    expect(
      message({ x: x.map((value, i) => (i === 4 ? 'NA' : String(value))), y }, { missing: ['-'] }),
    ).toMatch(/column "x": numbers are needed, got "NA" in row 4/)
  })

  test('are remembered by the model', () => {
    const { model } = fit(named, { missing: ['-999'] })
    const kept = readModel(writeModel(model))
    expect(predictTable(kept, { x: [1, -999, 2] }).missing).toBe(1)
    expect(predictTable(kept, { x: [1, -999, 2] }, { missing: ['-1'] }).missing).toBe(0)
  })
})

describe('a word among numbers is none', () => {
  const engine = each((i) => (i % 29 === 0 ? 'rotary' : String(100 + 7 * (i % 13))))

  test('where their writer says that they are texts', () => {
    const values = [...new Set(engine)]
    const codes = Int32Array.from(engine, (text) => values.indexOf(text))
    expect(message({ engine, y })).toMatch(/"rotary" in row 0/)
    expect(fit({ engine: { codes, values, asText: true }, y }).design.names).toContain('engine=rotary')
  })

  test('where they are a few codes, of a feature; of a target nobody knows', () => {
    const cylinders = each((i) => (i % 29 === 0 ? 'rotary' : String(4 + 2 * (i % 3))))
    const { design, remarks } = fit({ cylinders, y })
    expect(design.names).toEqual(['cylinders=6', 'cylinders=8', 'cylinders=rotary'])
    expect(remarks).toContain(
      'column "cylinders": a few numbers and "rotary", taken as categories; numbers ["cylinders"] takes words as missing',
    )
    expect(message({ x, y: cylinders })).toMatch(/^column "y": numbers are needed, got "rotary" in row 0/)
  })
})
