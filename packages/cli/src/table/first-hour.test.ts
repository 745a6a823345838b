import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { normals, run, runJson, testFolder } from '../testing/run.js'

// Files that new users brought in their first hour: what is made of them, and what `look` and reports say of it.
const folder = testFolder()
const z = normals(5)
const many = (line: (i: number) => string, n = 60): string =>
  Array.from({ length: n }, (_, i) => line(i)).join('\n')

async function failure(...argv: string[]): Promise<string> {
  const { status, remarks } = await run(...argv)
  expect(status).toBe(1)
  return remarks.at(-1)!
}

describe('a survey tool that names the answers below the questions', () => {
  const when = (i: number): string => `0${1 + (i % 7)}/0${1 + (i % 9)}/2024 01:${10 + (i % 50)}:00 PM`
  const rows = many(
    (i) =>
      `${i * 7919 + 4e9},${when(i)},${['Bad', 'Good', 'Fine'][i % 3]},${(i * i) % 97},${i % 2 ? 'Car' : ''},`,
    63,
  )
  const head = 'Respondent ID,Start Date,"How was it, really?",How old are you?,Which do you own?,'
  const path = folder.file('survey.csv', `${head}\n,,Response,Open-Ended Response,Car,Bike\n${rows}\n`)
  const target = ['--target', 'How old are you?']

  test('the header has two lines, though an answer below a question comes again in the rows', async () => {
    const { remarks } = await run('look', path)
    expect(remarks[0]).toContain(
      'the header has two lines: columns are called "Respondent ID", "Start Date", "How was it, really?", "How old are you?", "Which do you own? Car", "Which do you own? Bike"',
    )
    expect((await runJson('look', path)).rows).toBe(63)
  })

  test('dates that could begin with day or month are read as the user says', async () => {
    expect(await failure('fit', path, ...target)).toContain(
      'say what comes first by --date-order dmy (the day) or --date-order mdy (the month), or write them as 2020-01-31',
    )
    for (const [order, first] of [
      ['dmy', '2024-01-01'],
      ['mdy', '2024-01-01'],
    ] as const) {
      const { remarks } = await run('fit', path, ...target, '--date-order', order)
      const what = order === 'dmy' ? 'the day before the month' : 'the month before the day'
      expect(remarks.join()).toContain(`column "Start Date": dates, ${what}, taken as days since ${first}`)
      const { columns } = await runJson('look', path, '--date-order', order)
      const end = order === 'dmy' ? '2024-09-07' : '2024-07-09'
      expect(columns[1]).toMatchObject({ kind: 'date', range: [first, end] })
    }
  })
})

test('a portal of statistics: lines above the header, a column for each year, a delimiter at the end', async () => {
  const years = [2019, 2020, 2021, 2022]
  const rows = many((i) => {
    const size = Math.exp(8 + z())
    return `"Land ${i}","GDP",${years.map((_, k) => `"${(size * 1.02 ** k * Math.exp(z() / 200)).toFixed(3)}"`)},`
  })
  const above = '"Data Source","World Development Indicators",\n\n"Last Updated Date","2024-06-28",\n\n'
  const head = `"Country","Indicator",${years.map((year) => `"${year}"`)},`
  const path = folder.file('portal.csv', `\ufeff${above}${head}\n${rows}\n`)
  const { status, remarks } = await run('fit', path, '--target', '2022')
  expect(status).toBe(0)
  expect(remarks[0]).toContain('left out 4 lines')
  const alike = remarks.filter((remark) => remark.includes('nearly the same'))
  expect(alike).toEqual([expect.stringMatching(/^columns "2019", "2020" and "2021" say .*correlations from/)])
  // All values are in quotes, numbers or not: that says nothing.
  expect(remarks.join()).not.toContain('written as texts')
})

test('points of GeoJSON are columns, and a name inside of a structure is found', async () => {
  const features = Array.from({ length: 60 }, (_, i) => {
    const [lon, lat] = [z(), z()]
    const properties = { depth: 3 * lon - 2 * lat + z() / 10 + (i % 12 === 0 ? 9 : 0) }
    return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [lon, lat] } }
  })
  const path = folder.file('points.geojson', JSON.stringify({ type: 'FeatureCollection', features }))
  expect(await failure('fit', path, '--target', 'depth')).toContain('did you mean "properties.depth"?')
  const { params } = await runJson('fit', path, '--target', 'properties.depth')
  expect(params.coefficients['geometry.longitude']).toBeCloseTo(3, 1)
  expect(params.coefficients['geometry.latitude']).toBeCloseTo(-2, 1)
  const same = await runJson('fit', path, '--target', 'properties.depth', '--memory', '1MB')
  expect(same.params).toEqual(params)
})

test('numbers of tickets, some with letters in front, are names', async () => {
  const rows = many(
    (i) => `${i % 5 === 2 ? `PC ${17000 + i}` : 110000 + i * i},${20 + ((i * i) % 40)},${i % 2}`,
  )
  const path = folder.file('tickets.csv', `Ticket,Age,Survived\n${rows}\n`)
  const { status, remarks } = await run('fit', path, '--target', 'Survived')
  expect(status).toBe(0)
  expect(remarks).toContain(
    'left out columns that have another text in every row, as names and ids do: "Ticket"',
  )
  // One word is a slip, and so are numbers with a word behind them.
  const slip = folder.file(
    'slip.csv',
    `price,y\n${many((i) => `${i % 9 === 2 ? `${i} approx` : i},${(i * i) % 17}`)}\n`,
  )
  expect(await failure('fit', slip, '--target', 'y', '--model', 'linear')).toContain('"2 approx" in row 3')
})

describe('times without a date', () => {
  const hms = (hours: number): string =>
    [Math.floor(hours), Math.floor(hours * 60) % 60, Math.round(hours * 3600) % 60]
      .map((part) => String(part).padStart(2, '0'))
      .join(':')
  const took = Array.from(
    { length: 80 },
    (_, i) => Math.round(3600 * (1 + i / 60 + Math.abs(z()) / 20)) / 3600,
  )
  const lines = took.map((hours, i) => ({ km: (10 * hours + z() / 5).toFixed(2), hours, bad: i % 16 === 4 }))
  const value = ({ hours, bad }: (typeof lines)[0]): number => hours + (bad ? 2 : 0)
  const watch = folder.file(
    'watch.csv',
    `km,time\n${lines.map((line) => `${line.km},${hms(value(line))}`).join('\n')}\n`,
  )
  const plain = folder.file(
    'hours.csv',
    `km,time\n${lines.map((line) => `${line.km},${value(line)}`).join('\n')}\n`,
  )

  test('are a target of hours, in memory, by passes, in an audit and in a prediction', async () => {
    const { params, flagged } = await runJson('fit', plain, '--target', 'time')
    const { remarks } = await run('fit', watch, '--target', 'time')
    expect(remarks).toContain('column "time": times, taken as hours (1:30 is 1.5)')
    for (const more of [[], ['--model', 'linear'], ['--memory', '1kB']]) {
      const found = await runJson('fit', watch, '--target', 'time', ...more)
      expect(found.flagged).toBe(flagged)
      expect(found.params.coefficients.km).toBeCloseTo(params.coefficients.km, 9)
    }
    expect((await runJson('audit', watch, '--target', 'time')).flagged).toBe(5)
    const saved = join(folder.path, 'watch.json')
    await run('fit', watch, '--target', 'time', '--save', saved)
    const rmse = async (path: string): Promise<number> => (await runJson('predict', saved, path)).error.rmse
    expect(await rmse(watch)).toBeCloseTo(await rmse(plain), 9)
  })

  test('are numbers to look, and of times within a day it shows the hours', async () => {
    const found = await runJson('look', watch)
    const plainly = await runJson('look', plain)
    expect(found.columns[1]).toEqual({ ...plainly.columns[1], use: { as: 'feature', how: 'hours' } })
    const logs = many((i) => JSON.stringify({ at: `2024-05-01T0${i % 6}:30:00Z`, y: i, tags: [i] }))
    const { columns } = await runJson('look', folder.file('logs.ndjson', `${logs}\n`))
    expect(columns[0]).toMatchObject({
      range: ['2024-05-01 00:30', '2024-05-01 05:30'],
      use: { as: 'feature' },
    })
    expect(columns[2].use).toEqual({ as: 'left out', how: 'it holds lists' })
  })
})

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

describe('JSON of an interface', () => {
  const rows = Array.from({ length: 60 }, (_, i) => {
    const [x, noise] = [z(), z()]
    return { id: `o${i}`, attributes: { x, y: 2 * x + noise / 10 + (i % 15 === 3 ? 20 : 0) } }
  })
  const slope = async (path: string, ...more: string[]): Promise<number> =>
    (await runJson('fit', path, '--target', 'attributes.y', ...more)).params.coefficients['attributes.x']

  test('with two lists in it: --table names one', async () => {
    const path = folder.file('lists.json', JSON.stringify({ data: rows, included: [{ id: 'a' }], page: 1 }))
    expect(await failure('fit', path, '--target', 'attributes.y')).toContain(
      'one list of rows is needed, got "data", "included"; choose one by --table, such as "data"',
    )
    expect(await slope(path, '--table', 'data')).toBeCloseTo(2, 1)
    expect(await failure('fit', path, '--target', 'y', '--table', 'dat')).toContain(
      'there are "data", "included"',
    )
    const plain = folder.file('rows.json', JSON.stringify(rows))
    expect(await failure('fit', plain, '--target', 'attributes.y', '--table', 'data')).toContain(
      'leave --table out',
    )
  })

  test('with its rows deep inside', async () => {
    const path = folder.file('deep.json', JSON.stringify({ response: { total: 60, results: rows } }))
    expect((await run('look', path)).remarks).toEqual([
      `${path}: the rows are those of the list "response.results"`,
    ])
    expect(await slope(path)).toBeCloseTo(2, 1)
  })
})

describe('a service of weather', () => {
  const hours = Array.from({ length: 60 }, (_, i) => ({
    time: `2024-05-0${1 + Math.floor(i / 24)}T${String(i % 24).padStart(2, '0')}:00`,
    t: 15 + z(),
  })).map(({ time, t }, i) => ({ time, t, rh: 90 - 2 * t + z() / 10 + (i % 15 === 3 ? 20 : 0) }))
  const slope = async (path: string, ...more: string[]): Promise<number> =>
    (await runJson('fit', path, '--target', 'rh', ...more)).params.coefficients.t
  const lists = {
    time: hours.map(({ time }) => time),
    t: hours.map(({ t }) => t),
    rh: hours.map(({ rh }) => rh),
  }

  test('answers by columns, a list for each', async () => {
    const path = folder.file(
      'by-columns.json',
      JSON.stringify({ latitude: 52.5, units: { t: 'C' }, hourly: lists }),
    )
    expect((await run('look', path)).remarks).toEqual([
      `${path}: the columns are the lists in "hourly", each with a value for every row`,
    ])
    expect(await slope(path)).toBeCloseTo(-2, 1)
    const daily = { day: ['2024-05-01', '2024-05-02'], most: [20, 21] }
    const both = folder.file('both.json', JSON.stringify({ hourly: lists, daily }))
    expect(await failure('fit', both, '--target', 'rh')).toContain(
      'one group of columns is needed, got "hourly", "daily"; choose one by --table, such as "hourly"',
    )
    expect(await slope(both, '--table', 'hourly')).toBeCloseTo(-2, 1)
  })

  test('writes what the place is above the table, with more values than a row has', async () => {
    const rows = hours.map(({ time, t, rh }) => `${time},${t},${rh}`).join('\n')
    const path = folder.file('place.csv', `lat,lon,height,zone\n52.5,13.4,38,GMT\n\ntime,t,rh\n${rows}\n`)
    expect((await run('look', path)).remarks[0]).toContain(
      'left out 3 lines ("lat,lon,height,zone", …) above',
    )
    expect(await slope(path)).toBeCloseTo(-2, 1)
  })
})

test('dates with a zone behind a blank, and weeks, are dates to look', async () => {
  const rows = many((i) => `2024-03-${10 + (i % 20)} 10:12:33 +0200,2024-W${10 + (i % 30)},${i}`)
  const { columns } = await runJson('look', folder.file('zones.csv', `paid,week,y\n${rows}\n`))
  expect(columns[0]).toMatchObject({ kind: 'date', range: ['2024-03-10', '2024-03-29'], missing: 0 })
  expect(columns[1]).toMatchObject({ kind: 'date', range: ['2024-03-04', '2024-09-23'], missing: 0 })
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

test('a sign among words is a category, with a remark', async () => {
  const rows = many((i) => `${['good', 'bad', '.', 'fair'][i % 4]},${(i * i) % 37}`)
  const path = folder.file('sign.csv', `health,y\n${rows}\n`)
  const { remarks } = await run('fit', path, '--target', 'y', '--model', 'linear')
  expect(remarks).toContain(
    'column "health": "." is a category like the others; --missing . takes it as missing',
  )
  const taken = await run('fit', path, '--target', 'y', '--model', 'linear', '--missing', '.')
  expect(taken.remarks).toContain('dropped 15 of 60 rows for missing values ("health" misses 15)')
})

test('-999 in the target is asked about, too', async () => {
  const rows = many((i) => `${z()},${i % 12 === 5 ? -999 : 50 + 3 * z()}`)
  const { remarks } = await run('fit', folder.file('target.csv', `x,y\n${rows}\n`), '--target', 'y')
  expect(remarks).toContain(
    'column "y": 5 rows have -999, far from all others: does it stand for a missing value? --missing -999 takes it so',
  )
})

test('a total among the features is asked about', async () => {
  const rows = many((i) => `${(i * i) % 41},${(i * 7) % 29},${((i * i) % 41) + ((i * 7) % 29)}`)
  const { remarks } = await run('fit', folder.file('total.csv', `a,b,Total\n${rows}\n`), '--target', 'a')
  expect(remarks.join()).toContain(
    'if a feature was computed from the target, as a total is, leave it out by --exclude',
  )
})

test('an office of statistics marks values by letters: the error says how to read them', async () => {
  const value = (i: number): string => `${(50 + 9 * z()).toFixed(1)} ${['', '', 'b', 'p'][i % 4]}`
  const rows = many((i) => `G${i}\t${value(i)}\t${i % 20 === 4 ? ': ' : value(i + 1)}\t${value(i * i)}`)
  const path = folder.file('office.tsv', `geo\\TIME_PERIOD\t2019 \t2020 \t2021 \n${rows}\n`)
  const error = await failure('fit', path, '--target', '2021')
  expect(error).toContain('"2019" with')
  expect(error).toContain('(a letter beside the number, "b", as offices mark values)')
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

test('an instrument writes its settings above the header', async () => {
  const settings = 'LabVIEW Measurement\nSeparator\tTab\n***End***\n\nSamples\t120\t120\t120\n***End***\n'
  const rows = many((i) => `${i / 1000}\t${(2 + z()).toFixed(3)}\t${(9 * z()).toFixed(3)}\t25\t`)
  const path = folder.file('test.lvm', `${settings}X_Value\tVoltage\tCurrent\tTemp\tComment\n${rows}\n`)
  const { remarks } = await run('look', path)
  expect(remarks[0]).toContain('left out 6 lines ("LabVIEW Measurement", …) above the header')
  expect((await runJson('look', path)).rows).toBe(60)
  // Broken lines at the beginning of a table without such a header are errors.
  const ragged = folder.file('ragged.csv', `a,b,c\n1,2\n3\n${many((i) => `${i},${i * i},${i % 7}`)}\n`)
  expect(await failure('fit', ragged, '--target', 'c')).toContain('line 2: every line must have 3 values')
})

test('long numbers that differ late are shown as different', async () => {
  const ids = many((i) => `${7e17 + i * 13337},${1714521600.25 + i / 100},${i}`)
  const { columns } = await runJson('look', folder.file('long.csv', `id,t,y\n${ids}\n`))
  for (const { range } of columns) expect(range[0]).not.toBe(range[1])
})

test('a header that begins with #, below remarks that do', async () => {
  const rows = many(
    (i) => `${2460400.5 + i} ${(8 + 0.1 * z()).toFixed(3)} ${'VB'[i % 2]} ${(1 + (i % 7) / 5).toFixed(2)}`,
  )
  for (const head of ['#JD Magnitude Band Airmass', '# JD Magnitude Band Airmass']) {
    const path = folder.file('star.dat', `# SS Cyg, from the archive\n# no codes\n${head}\n${rows}\n`)
    const { columns, rows: count } = await runJson('look', path)
    expect(columns.map(({ name }: { name: string }) => name)).toEqual(['JD', 'Magnitude', 'Band', 'Airmass'])
    expect(count).toBe(60)
    expect((await run('look', path)).remarks[0]).toContain(
      'left out 2 lines ("# SS Cyg, from the archive", …)',
    )
  }
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

test('numbers of telephones are names, in memory and by passes', async () => {
  const rows = many((i) => `+4915${10_000_000 + 7919 * i},${(i * i) % 23},${z()}`)
  const path = folder.file('calls.csv', `msisdn,x,y\n${rows}\n`)
  for (const more of [[], ['--memory', '1kB']]) {
    const { remarks } = await run('fit', path, '--target', 'y', ...more)
    expect(remarks).toContain(
      'left out columns that have another text in every row, as names and ids do: "msisdn"',
    )
  }
})

test('numbered districts are names, and no dates', async () => {
  const rows = many((i) => `${String(i + 1).padStart(3, '0')} Kreis ${i + 10},${(i * i) % 23},${z()}`)
  const { remarks } = await run(
    'fit',
    folder.file('districts.csv', `district,x,y\n${rows}\n`),
    '--target',
    'y',
  )
  expect(remarks).toContain(
    'left out columns that have another text in every row, as names and ids do: "district"',
  )
})

test("a logger's line about itself, units, and how each value was made are no rows", async () => {
  const head = [
    '"TOA5","Station","CR1000","12345","CR1000.Std.27","CPU:met.CR1","4711","Hourly"',
    '"TIMESTAMP","RECORD","BattV_Min","AirT_Avg","RH"',
    '"TS","RN","Volts","Deg C","%"',
    '"","","Min","Avg","Smp"',
  ]
  const rows = Array.from({ length: 60 }, (_, i) => {
    const rh = (37 * i) % 61
    return `"2024-05-${String(1 + Math.floor(i / 24)).padStart(2, '0')} ${String(i % 24).padStart(2, '0')}:00:00",${100 + i},12.${i % 7},${(30 - 0.25 * rh + 0.4 * z()).toFixed(2)},${20 + rh}`
  })
  const path = folder.file('toa5.dat', `${[...head, ...rows].join('\r\n')}\r\n`)
  const { columns, rows: count } = await runJson('look', path)
  expect(count).toBe(60)
  expect(columns.map(({ name, kind }: { name: string; kind: string }) => [name, kind])).toEqual([
    ['TIMESTAMP', 'date'],
    ['RECORD', 'number'],
    ['BattV_Min', 'number'],
    ['AirT_Avg', 'number'],
    ['RH', 'number'],
  ])
  const { coefficients } = (
    await runJson('fit', path, '--target', 'AirT_Avg', '--exclude', 'TIMESTAMP,RECORD')
  ).params
  // Six standard errors of .4 / (18 sqrt(60)).
  expect(Math.abs(coefficients.RH + 0.25)).toBeLessThan(0.02)
})
