import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failure, many, normals, run, runJson, testFolder } from '../../testing/run.js'

// How numbers were written in files that new users brought in their first hour.
const folder = testFolder()
const z = normals(5)

test('look and reports read numbers as the flags say', async () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({ x: 700 + 37 * i, y: 3 * i + 5000 * Math.abs(z()) }))
  const euro = (value: number): string =>
    value.toLocaleString('de-DE', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const path = folder.file(
    'euro.csv',
    `x;y\n${rows.map(({ x, y }) => `${euro(x)} €;${euro(y)} €`).join('\n')}\n`,
  )
  const plain = folder.file(
    'plain.csv',
    `x;y\n${rows.map(({ x, y }) => `${x};${y.toFixed(2)}`).join('\n')}\n`,
  )
  const flags = ['--decimal', ',', '--thousands', '.', '--units', '€']
  const { columns } = await runJson('look', path, ...flags)
  expect(columns).toEqual((await runJson('look', plain)).columns)
  const report = join(folder.path, 'euro.html')
  expect((await run('fit', path, '--target', 'y', ...flags, '--report', report)).status).toBe(0)
  expect(readFileSync(report, 'utf8')).not.toContain('cannot be used')
})

test('what is made of several numbers is told as such, and not left out as names', async () => {
  const path = folder.file(
    'several.csv',
    `pressure,place,latitude,y\n${many((i) => `${100 + i}/${60 + (i % 40)},"(41.${100 + i}, -87.${200 + i})","${40 + (i % 9)}°${10 + (i % 50)}'${10 + (i % 49)}.5""N",${i}`)}\n`,
  )
  const error = await failure('fit', path, '--target', 'y', '--model', 'linear')
  expect(error).toContain('"pressure" with "100/60" in row 1 (two numbers, or a fraction')
  expect(error).toContain('"place" with "(41.100, -87.200)" in row 1 (a point on a map: write longitude')
  expect(error).toContain('(degrees, minutes and seconds: write them as decimal degrees)')
})

test('an office of statistics marks values by letters: the error says how to read them', async () => {
  const value = (i: number): string => `${(50 + 9 * z()).toFixed(1)} ${['', '', 'b', 'p'][i % 4]}`
  const rows = many((i) => `G${i}\t${value(i)}\t${i % 20 === 4 ? ': ' : value(i + 1)}\t${value(i * i)}`)
  const path = folder.file('office.tsv', `geo\\TIME_PERIOD\t2019 \t2020 \t2021 \n${rows}\n`)
  const error = await failure('fit', path, '--target', '2021')
  expect(error).toContain('"2019" with')
  expect(error).toContain('(a letter beside the number, "b", as offices and laboratories mark values)')
  expect(error).toMatch(/read what stands beside numbers by --units (?:b,p|p,b)/)
  expect((await runJson('fit', path, '--target', '2021', '--units', 'b,p')).dropped.missing).toBe(3)
  // Without the k it would be another number.
  const views = folder.file(
    'views.csv',
    `views,y\n${many((i) => `${i % 3 ? 100 + i : `${i}.5k`},${(i * i) % 17}`)}\n`,
  )
  const multiple = await failure('fit', views, '--target', 'y', '--model', 'linear')
  expect(multiple).toContain('"0.5k" in row 1 (a unit, "k", beside numbers without it: write them out)')
  expect(multiple).not.toContain('--units')
})

test('12.500 € may be twelve thousand: the error names both ways', async () => {
  const grouped = (value: number): string =>
    value < 1000 ? String(value) : `${Math.floor(value / 1000)}.${String(value % 1000).padStart(3, '0')}`
  const prices = Array.from({ length: 60 }, (_, i) => ({
    price: 900 + 211 * i,
    km: 5000 + 1733 * ((i * 7) % 60),
  }))
  const path = folder.file(
    'cars.csv',
    `price;km\n${prices.map(({ price, km }) => `${grouped(price)} €;${grouped(km)} km`).join('\n')}\n`,
  )
  const error = await failure('fit', path, '--target', 'price')
  expect(error).toContain(
    'read thousands separators by --thousands . --decimal , and what stands beside numbers by --units "km,€"; or read decimal points by --decimal . and what stands beside numbers by --units "km,€"',
  )
  const { columns } = await runJson('look', path, '--thousands', '.', '--decimal', ',', '--units', 'km,€')
  expect(columns[0].range).toEqual(['900', '13349'])
})

test('0,091 has a decimal comma: nobody parts the thousands of a number below one', async () => {
  const path = folder.file(
    'plate.csv',
    `well;raw\n${many((i) => `${i};0,${String(91 + i).padStart(3, '0')}`)}\n`,
  )
  const error = await failure('fit', path, '--target', 'raw')
  expect(error).toContain('got "0,091" in row 1 (a decimal comma); read decimal commas by --decimal ,;')
  expect(error).not.toContain('--thousands')
})

test('M in several columns, in one of them in most rows: the error says how all are read at once', async () => {
  const rows = many(
    (i) => `${i % 9 === 4 ? 'M' : 10 * (i % 36)},${i % 6 ? 'M' : 15 + i / 10},${50 + 3 * z()}`,
    400,
  )
  const path = folder.file('airport.csv', `drct,gust,dwpf\n${rows}\n`)
  const error = await failure('fit', path, '--target', 'dwpf')
  expect(error).toContain('"drct" with "M" in row 5 (numbers are needed), "gust" with "M" in row 2 (numbers')
  expect(error).toContain('take "M" as missing in all columns by --missing M, in place of the usual signs')
  const { remarks } = await run('fit', path, '--target', 'dwpf', '--missing', 'M')
  expect(remarks.join()).toContain('left out columns that are empty in most rows')
})

test('€13K and €0.9M are told as what they are, also as the target, and are no labels', async () => {
  const money = (i: number): string => (i % 3 ? `€${1 + (i % 40)}K` : `€${(1 + (i % 9)) / 10}M`)
  const path = folder.file('players.csv', `Overall,Wage\n${many((i) => `${50 + (i % 40)},${money(i)}`)}\n`)
  const said = '(a currency sign and a multiple: write the number out)'
  expect(await failure('fit', path, '--target', 'Wage')).toContain(`got "€0.1M" in row 1 ${said}`)
  expect(await failure('fit', path, '--target', 'Overall', '--model', 'linear')).toContain(said)
})

test('the minus of typography is one, and one behind the number is told', async () => {
  const number = (i: number): string => `${(i % 13) - 6},${i % 10}`
  const file = (name: string, minus: string): string =>
    folder.file(name, `x;y\n${many((i) => `${number(i).replace('-', minus)};${minus}${i}E${minus}2`, 60)}\n`)
  const fit = (path: string): Promise<Record<string, unknown>> =>
    runJson('fit', path, '--target', 'y', '--decimal', ',', '--method', 'ml')
  const [plain, typeset] = [await fit(file('hyphen.csv', '-')), await fit(file('minus.csv', '\u2212'))]
  expect(typeset.params).toEqual(plain.params)
  expect(await failure('fit', file('open.csv', '\u2212'), '--target', 'y')).toContain('--decimal ,')
  const behind = folder.file('behind.csv', `x,y\n${many((i) => `${i}.5${i % 5 ? '' : '-'},${i}`, 60)}\n`)
  expect(await failure('fit', behind, '--target', 'y')).toContain(
    'a minus behind the number: write it in front',
  )
})

test('dates, units and digits as they are written in Japan are told as what they are', async () => {
  const wide = (i: number): string =>
    String(100 + i).replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))
  const row = (i: number): string => `2024年${1 + (i % 12)}月${1 + (i % 28)}日,${wide(i)},${i}.5℃,${i * i}円`
  const path = folder.file('sales.csv', `日付,来客数,気温,売上\n${many(row, 60)}\n`)
  const told = await failure('fit', path, '--target', '売上')
  expect(told).toContain('"１００" in row 1 (digits of full width: write them as 0 to 9)')
  expect(told).toContain('--units "℃,円"')
  const given = ['--target', '売上', '--units', '℃,円', '--exclude', '来客数', '--method', 'ml']
  const { remarks } = await run('fit', path, ...given)
  expect(remarks).toContain(
    'column "日付": dates, taken as days since 2024-01-01; --date-parts gives year, month, weekday and hour',
  )
})

test('H and L beside what a laboratory measured are marks, which one flag leaves out', async () => {
  const value = (i: number): number => 4 + ((i * i) % 90) / 10
  const mark = (v: number): string => (v > 11 ? ' H' : v < 5 ? ' L' : '')
  const row = (i: number): string => `${value(i).toFixed(1)}${mark(value(i))},${2 * value(i) + z()}`
  const path = folder.file('cbc.csv', `WBC,HGB\n${many(row, 60)}\n`)
  expect(await failure('fit', path, '--target', 'HGB')).toContain('--units H,L')
  expect((await runJson('fit', path, '--target', 'HGB', '--units', 'L,H', '--method', 'ml')).rows).toBe(60)
})

test("Fortran's exponents are numbers; without a sign behind the D they are told", async () => {
  const noise = Array.from({ length: 60 }, z)
  const row = (shown: (value: number) => string, i: number): string =>
    ` ${i + 1}  ${shown(1e5 + 997 * ((37 * i) % 61))}  ${shown(1e-4 * (2 + ((37 * i) % 61) + noise[i]!))}`
  const plain = (value: number): string => value.toExponential(6)
  const fortran = (value: number): string => plain(value).replace(/e([+-])/, 'D$10')
  const file = (name: string, shown: (value: number) => string): string =>
    folder.file(name, ` STEP  PRESSURE  RATE\n${many((i) => row(shown, i), 60)}\n`)
  const [d, e] = [file('rates-d.dat', fortran), file('rates-e.dat', plain)]
  const fit = (path: string): Promise<Record<string, unknown>> =>
    runJson('fit', path, '--target', 'RATE', '--features', 'PRESSURE', '--method', 'ml')
  expect((await fit(d)).params).toEqual((await fit(e)).params)
  const columnsOf = async (path: string): Promise<unknown> => (await runJson('look', path)).columns
  expect(await columnsOf(d)).toEqual(await columnsOf(e))
  const bare = folder.file('bare.csv', `x,y\n${many((i) => `1.5D3,${i}`)}\n2.5D3,1\n`)
  expect(await failure('fit', bare, '--target', 'y')).toContain('an exponent written with D')
})

test('many different numbers with a unit are measured, however few they are for their rows; a few are groups', async () => {
  const tenths = (i: number): string => `${(11 + ((37 * i) % 41) / 10).toFixed(1)}`
  const row = (i: number): string =>
    `${tenths(i)} % vol,${tenths(3 * i)} g/l,${5 * (1 + (i % 4))} mg,${i % 90}`
  const path = folder.file('wines.csv', `alcohol,acid,dose,y\n${many(row, 200)}\n`)
  const said = await failure('fit', path, '--target', 'y', '--model', 'linear')
  expect(said).toContain('2 columns cannot be used as they are, got "alcohol" with "11.0 % vol"')
  expect(said).toContain('--units "% vol,g/l"')
  const read = ['--target', 'y', '--model', 'linear', '--units', '% vol,g/l', '--method', 'ml']
  const { coefficients } = (await runJson('fit', path, ...read)).params
  expect(Object.keys(coefficients)).toEqual(['alcohol', 'acid', 'dose=15 mg', 'dose=20 mg', 'dose=5 mg'])
})

test('numbers of books, some of which end in an X, are names', async () => {
  const isbn = (i: number): string => `${30_000_000 + 7919 * i}${i % 11 === 10 ? 'X' : i % 10}`
  const path = folder.file(
    'books.csv',
    `isbn,pages,weight\n${many((i) => `${isbn(i)},${80 + i},${9 * i}`, 120)}\n`,
  )
  const { remarks } = await run('fit', path, '--target', 'weight', '--method', 'ml')
  expect(remarks.join('\n')).toContain('as names and ids do: "isbn"')
})

test('footnotes behind numbers, as pages of the web have them, are no part of them where that is said', async () => {
  const people = (i: number): string => (1000 + 37 * i).toLocaleString('en-US')
  const note = (i: number): string => (i % 9 === 4 ? '[a]' : i % 11 === 5 ? '[12]' : i % 13 === 6 ? '†' : '')
  const path = folder.file(
    'towns.tsv',
    `town\tpeople\tarea\n${many((i) => `T${i}\t${people(i)}${note(i)}\t${i}`, 60)}\n`,
  )
  const said = await failure('fit', path, '--target', 'people')
  expect(said).toContain('--units "[a],[12],†"')
  const read = ['--thousands', ',', '--units', '[a],[12],†', '--method', 'ml']
  // people = 1000 + 37 area in every row.
  const { params } = await runJson('fit', path, '--target', 'people', ...read)
  expect(params.coefficients.area).toBeCloseTo(37, 9)
})

test('a comma behind zeros in front may part two values: +0157,5', async () => {
  const path = folder.file('isd.csv', `t,y\n${many((i) => `"+0${100 + i},5",${i}`)}\n`)
  expect(await failure('fit', path, '--target', 'y')).toContain(
    '"+0100,5" in row 1 (a decimal comma, or two values, since zeros stand in front)',
  )
})

test('m2 is a unit like m²', async () => {
  const row = (i: number): string => `${(25 + ((37 * i) % 71) + 0.5).toFixed(1)} m2;${3 * ((37 * i) % 71)}`
  const path = folder.file('flats.csv', `area;rent\n${many(row, 90)}\n`)
  const said = await failure('fit', path, '--target', 'rent', '--model', 'linear')
  expect(said).toContain('(a unit, "m2")')
  expect(said).toContain('--units m2')
  const read = ['--model', 'linear', '--units', 'm2', '--method', 'ml']
  const { params } = await runJson('fit', path, '--target', 'rent', ...read)
  expect(params.coefficients.area).toBeCloseTo(3, 9)
  expect((await run('fit', path, '--target', 'rent', '--units', '25')).status).toBe(2)
})
