import { describe, expect, test } from 'vitest'
import { failure, many, normals, run, runJson, testFolder } from '../../testing/run.js'

// What stands above, in and below the header of files that new users brought in their first hour.
const folder = testFolder()
const z = normals(5)
const right = (value: number): string => value.toFixed(4).padStart(10)

test('columns of blanks below remarks, of which the last has the names', async () => {
  const row = (i: number): string =>
    `${String(i).padStart(5)}  ${(i / 7).toFixed(3).padStart(9)}  ${(10 + (i % 9)).toFixed(2)}`
  const path = folder.file('stars.dat', `# Catalog of standards\n#  ID         RA      V\n${many(row, 60)}\n`)
  const { rows, columns } = await runJson('look', path)
  expect([rows, columns.map(({ name }: { name: string }) => name)]).toEqual([60, ['ID', 'RA', 'V']])
})

test('a log of a network says which line has the names, and what is below it is no row', async () => {
  const row = (i: number): string =>
    `${1.7e9 + i}.5\tC${i * 7919}\t${i % 3 ? 'dns' : '-'}\t${i % 40}\t${3 * (i % 40)}.25`
  const path = folder.file(
    'conn.log',
    `#separator \\x09\n#unset_field\t-\n#path\tconn\n#fields\tts\tuid\tservice\tpackets\tbytes\n#types\ttime\tstring\tstring\tcount\tcount\n${many(row, 60)}\n#close\t2024-05-01-11-00-00\n`,
  )
  const { rows, columns } = await runJson('look', path)
  expect([rows, columns.map(({ name }: { name: string }) => name)]).toEqual([
    60,
    ['ts', 'uid', 'service', 'packets', 'bytes'],
  ])
  expect((await runJson('fit', path, '--target', 'bytes', '--features', 'packets')).rows).toBe(60)
})

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

test('below the names of ports and sensors a logger writes what is measured, by which columns are called', async () => {
  const head = [
    '"z6-04711","Port 1","Port 1","Port 2","Port 8"',
    '"60 records","TEROS 12","TEROS 12","TEROS 12","Battery"',
    '"Timestamps"," m³/m³ Water Content"," °C Soil Temperature"," m³/m³ Water Content"," % Battery Percent"',
  ]
  const rows = Array.from({ length: 60 }, (_, i) => {
    const wet = 0.2 + 0.001 * ((37 * i) % 61)
    const deep = (0.1 + 0.5 * wet + 0.002 * z()).toFixed(4)
    return `"2024-05-${String(1 + Math.floor(i / 24)).padStart(2, '0')} ${String(i % 24).padStart(2, '0')}:00:00",${wet.toFixed(4)},${(15 + (i % 7)).toFixed(1)},${deep},${100 - Math.floor(i / 20)}`
  })
  const path = folder.file('zentra.csv', `\ufeff${[...head, ...rows].join('\r\n')}\r\n`)
  const { columns, rows: count } = await runJson('look', path)
  expect(count).toBe(60)
  const names = columns.map(({ name }: { name: string }) => name)
  expect(names).toEqual([
    'Timestamps',
    'Port 1 m³/m³ Water Content',
    '°C Soil Temperature',
    'Port 2 m³/m³ Water Content',
    '% Battery Percent',
  ])
  expect((await run('look', path)).remarks[0]).toContain('the header has three lines: columns are called')
  const { params } = await runJson('fit', path, '--target', names[3], '--features', names[1])
  // Five standard errors of .002 / (.0176 sqrt(60)).
  expect(Math.abs(params.coefficients[names[1]] - 0.5)).toBeLessThan(0.075)
})

test('a header that comes again among the rows, where files were put together, is left out', async () => {
  const head = 'time, rpm, flow'
  const row = (i: number): string => `2024-05-01 08:${10 + (i % 50)},${900 + 7 * i},${3 + 0.1 * i}`
  const rows = many((i) => (i % 20 === 0 ? `${head}\n${row(i)}` : row(i)))
  const path = folder.file('trips.csv', `${rows}\n`)
  for (const argv of [['look'], ['fit', '--target', 'flow', '--method', 'ml']]) {
    const { remarks } = await run(argv[0]!, path, ...argv.slice(1))
    expect(remarks[0]).toContain('left out 2 lines that repeat the header; rows are counted without them')
  }
  expect((await runJson('look', path)).rows).toBe(60)
  const { rows: count, params } = await runJson('fit', path, '--target', 'flow', '--features', 'rpm')
  expect(count).toBe(60)
  expect(params.coefficients.rpm).toBeCloseTo(0.1 / 7, 9)
})

test('groups, names and units in a line each: columns are called by the names', async () => {
  const head = 'SysObs\tGasEx\tGasEx\tLeafQ\nobs\tA\tgsw\tQin\n\tµmol m⁻² s⁻¹\tmol m⁻² s⁻¹\tµmol m⁻² s⁻¹'
  const rows = many((i) => `${i + 1}\t${i % 13}.5\t0.${10 + (i % 7)}\t${100 + 7 * i}`)
  const path = folder.file('licor.txt', `[Header]\nConsole\t68C\n[Data]\n${head}\n${rows}\n`)
  const { rows: count, columns } = await runJson('look', path)
  expect([count, columns.map(({ name }: { name: string }) => name)]).toEqual([60, ['obs', 'A', 'gsw', 'Qin']])
})

test('means below rows whose names have no name of their own are told', async () => {
  const rows = many((i) => `tube ${i},${i % 7},${3 * (i % 7)}.${i % 9},`)
  const head = ',Dose,Live,'
  const { remarks } = await run('look', folder.file('flow.csv', `${head}\n${rows}\nMean,3,9,\nSD,2,6,\n`))
  expect(remarks.join('\n')).toContain('the last 2 rows are called "Mean", "SD": what sums up other rows')
  expect((await run('look', folder.file('alone.csv', `${head}\n${rows}\n`))).remarks.join()).not.toContain(
    'sums up',
  )
})

test('a potentiostat says how many lines its header has, of which some have as many values as rows', async () => {
  const above = Array.from({ length: 50 }, (_, k) => (k % 7 === 3 ? `Ns\t0\t1\t2` : `Setting ${k} : ${k}`))
  const rows = many((i) => `2\t${i}.5\t${3 + i / 100}`)
  const text = `EC-Lab ASCII FILE\nNb header lines : 53\n${above.join('\n')}\nmode\ttime/s\tEwe/V\n${rows}\n`
  const { rows: count, columns } = await runJson('look', folder.file('cell.txt', text))
  expect([count, columns.map(({ name }: { name: string }) => name)]).toEqual([
    60,
    ['mode', 'time/s', 'Ewe/V'],
  ])
})

test('a table that R printed has numbers of rows, and no name above them', async () => {
  const rows = many(
    (i) => `${String(i + 1).padEnd(3)} ${(i / 7).toFixed(2).padStart(6)} ${(i % 2 ? 'a' : 'b').padStart(6)}`,
  )
  const { rows: count, columns } = await runJson(
    'look',
    folder.file('print.txt', `     width colour\n${rows}\n`),
  )
  expect(count).toBe(60)
  expect(columns.map(({ name }: { name: string }) => name)).toEqual(['column1', 'width', 'colour'])
})

test('pandas names an index of two levels below two lines of names', async () => {
  const rows = many((i) => `${i % 2 ? 'north' : 'south'},${2000 + i},${i % 7}.5,${i % 5}.25,${i}`)
  const head = ',,price,price,total\n,,mean,std,mean\nregion,year,,,'
  const { rows: count, columns } = await runJson('look', folder.file('levels.csv', `${head}\n${rows}\n`))
  expect(count).toBe(60)
  const names = columns.map(({ name }: { name: string }) => name)
  expect(names).toEqual(['region', 'year', 'price mean', 'price std', 'total mean'])
})

test('commas in the brackets of names part none', async () => {
  const rows = many((i) => `${right(-i / 2)}, ${right(18 - i / 30)}, ${right(34 + (i % 7) / 10)}`)
  const head = 'Depth [salt water, m], Temperature [ITS-90, deg C], Salinity [PSU]'
  const { rows: count, columns } = await runJson('look', folder.file('cast.csv', `${head}\n${rows}\n`))
  expect(count).toBe(60)
  expect(columns.map(({ name, range }: { name: string; range: string[] }) => [name, range[1]])).toEqual([
    ['Depth [salt water, m]', '0'],
    ['Temperature [ITS-90, deg C]', '18'],
    ['Salinity [PSU]', '34.6'],
  ])
})

test('carets between values and tildes around texts, as tables of foods have them', async () => {
  const row = (i: number): string => `~0${1000 + i}~^~BUTTER,NO ${i}~^${(i * i) % 97}.5^${i % 13}^~~`
  const path = folder.file('foods.txt', `~NDB_No~^~Desc~^~Energy~^~Fat~^~Note~\r\n${many(row)}\r\n`)
  const { rows, columns } = await runJson('look', path)
  expect(rows).toBe(60)
  expect(columns.map(({ name, kind }: { name: string; kind: string }) => [name, kind])).toEqual([
    ['NDB_No', 'number'],
    ['Desc', 'text'],
    ['Energy', 'number'],
    ['Fat', 'number'],
    ['Note', 'none'],
  ])
})

test('below the names of an RDB file stand the widths and kinds of its columns', async () => {
  const rows = many(
    (i) => `USGS\t2024-03-01 ${String(i % 24).padStart(2, '0')}:00\t${900 + i}\t${5 + i / 100}`,
  )
  const head = '# retrieved\n#\nagency_cd\tdatetime\t57467_00060\t57468_00065\n5s\t20d\t14n\t14n'
  const { columns, rows: count } = await runJson('look', folder.file('water.rdb', `${head}\n${rows}\n`))
  expect(count).toBe(60)
  expect(columns.map(({ kind }: { kind: string }) => kind)).toEqual(['text', 'date', 'number', 'number'])
})

test('merged cells leave years below the name of their group, and nothing below the others', async () => {
  const rows = many((i) => `Store ${i},${100 + i},${i % 7},${500 + i},${510 + i}`)
  const path = folder.file('merged.csv', `Store,Area,Staff,Sales,\n,,,2023,2024\n${rows}\n`)
  const { columns, rows: count } = await runJson('look', path)
  expect(count).toBe(60)
  const names = columns.map(({ name }: { name: string }) => name)
  expect(names).toEqual(['Store', 'Area', 'Staff', 'Sales 2023', 'Sales 2024'])
  // Without a gap in it the second line is a row.
  const full = folder.file('full.csv', `Store,Area,Staff,Sales,\nStore x,1,2,2023,2024\n${rows}\n`)
  expect((await runJson('look', full)).rows).toBe(61)
})

test('values below each other, the last of which has blanks in quotes behind a tab', async () => {
  const rows = many(
    (i) =>
      `${(15 + (i % 9)).toFixed(1).padEnd(7)}${String(4 + (i % 3)).padEnd(4)}${70 + (i % 13)}\t"vw ${i % 2 ? 'rabbit' : 'golf'}"`,
  )
  const { columns, rows: count } = await runJson('look', folder.file('auto.data', `${rows}\n`))
  expect(count).toBe(60)
  expect(columns.map(({ kind }: { kind: string }) => kind)).toEqual(['number', 'number', 'number', 'text'])
  // A table of texts with tabs, some with two blanks in them, stays one.
  const texts = many((i) => `new  york ${i}\told  town ${i}`)
  expect((await runJson('look', folder.file('texts.tsv', `from\tto\n${texts}\n`))).columns).toHaveLength(2)
})

test('what stands in quotes parts nothing, though they begin in the middle of a line', async () => {
  const agent = '"Mozilla/5.0 (X11; Linux x86_64; rv:109.0)"'
  const rows = many((i) => `http 10.0.0.${i % 4}:80 0.${100 + i} ${200 + i} ${agent} "-"`)
  const { columns } = await runJson('look', folder.file('access.log', `${rows}\n`))
  expect(columns).toHaveLength(6)
})

test('two colons part values; in addresses they do not', async () => {
  const ratings = folder.file('ratings.dat', `${many((i) => `${i % 7}::${i}::${1 + (i % 5)}::97830${i}`)}\n`)
  const { columns, rows } = await runJson('look', ratings)
  expect([rows, columns.length]).toEqual([60, 4])
  const hosts = folder.file('hosts.csv', `host,y\n${many((i) => `fe80::${i}::1,${i}`)}\n`)
  expect((await runJson('look', hosts)).columns).toHaveLength(2)
})

test('a header that ends in a delimiter where no row does, and notes in quotes below the table', async () => {
  const scope = folder.file('scope.csv', `X,CH1,CH2,\n${many((i) => `${i},${i / 7},${i / 9}`)}\n`)
  const { columns, rows } = await runJson('look', scope)
  expect([rows, columns.length]).toEqual([60, 3])
  const notes = '\n"Total funded: 460296150"\n"Total not funded: 0"\n'
  const loans = folder.file('loans.csv', `"a","b","c"\n${many((i) => `"${i}","${i * i}","x"`)}\n${notes}`)
  expect((await runJson('look', loans)).rows).toBe(60)
})

test('remarks by a percent sign above values without a header, as MATLAB writes them', async () => {
  const rows = many(
    (i) => `${(i / 100).toExponential(4)}\t${Math.sin(i).toExponential(4)}\t${i % 9 ? i : 'NaN'}`,
  )
  const path = folder.file('run.txt', `% run 07, 12-Mar-2024\n% time[s] force[N] disp[mm]\n${rows}\n`)
  expect((await run('look', path)).remarks[0]).toContain(
    'left out 2 lines ("% run 07, 12-Mar-2024", …) above the values',
  )
  const { columns, rows: count } = await runJson('look', path)
  expect([count, columns.length]).toEqual([60, 3])
  // A percent sign may be part of a name.
  const load = folder.file('load.csv', `%user,%system\n${many((i) => `${i},${i % 7}`)}\n`)
  expect((await runJson('look', load)).columns[0].name).toBe('%user')
})

test('what a database says of its columns in lines with `#` is above the header, and no header', async () => {
  const row = (i: number): string => `,,0,2025-03-01T00:${10 + (i % 50)}:00Z,web-${i % 2},${i % 17}.5,${i}.25`
  const path = folder.file(
    'influx.csv',
    `#group,false,false,false,true,false,false\r\n#datatype,string,long,dateTime:RFC3339,string,double,double\r\n#default,_result,,,,,\r\n,result,table,_time,host,load,temp\r\n${many(row, 60).replaceAll('\n', '\r\n')}\r\n\r\n`,
  )
  const { rows, columns } = await runJson('look', path)
  const names = columns.map(({ name }: { name: string }) => name)
  expect([rows, names.slice(2)]).toEqual([60, ['table', '_time', 'host', 'load', 'temp']])
})

test.each([
  [
    'a list of SAP',
    '01.02.2025   Listenausgabe   1\n-------------------------\n\n',
    '|',
    '-------------------',
  ],
  ['Markdown', '', '|', '|---|:-----:|---:|'],
  ['psql', '', '', '------+-------+------'],
])('the line that %s draws below the names is no row', async (_, above, edge, rule) => {
  const row = (i: number): string => `${edge} ${['Oslo', 'Rome'][i % 2]} | ${i % 17}.5 | ${i}.25 ${edge}`
  const below = edge === '' ? '(60 rows)\n\n' : above === '' ? '' : '-------------------\n'
  const path = folder.file(
    'drawn.txt',
    `${above}${edge} city | size | price ${edge}\n${rule}\n${many(row, 60)}\n${below}`,
  )
  expect((await runJson('fit', path, '--target', 'price', '--method', 'ml')).rows).toBe(60)
})

describe('lines that end before the last columns', () => {
  const row = (i: number): string => `${i % 17}.5;${i}.25;mV`
  const ends = (i: number): string => (i % 4 ? '' : i % 8 ? ';checked;' : ';;')

  test('again and again, as spreadsheets write them, lack values', async () => {
    const path = folder.file('ragged.csv', `x;y;unit;remark;\n${many((i) => row(i) + ends(i), 60)}\n\n`)
    const { remarks } = await run('fit', path, '--target', 'y', '--method', 'ml')
    expect(remarks[0]).toContain('many lines end before the last columns: what they lack is taken as missing')
    expect((await runJson('fit', path, '--target', 'y', '--method', 'ml')).rows).toBe(60)
  })

  test('in two of sixty are mistakes', async () => {
    const path = folder.file(
      'cut.csv',
      `x;y;unit;remark\n${many((i) => row(i) + (i % 40 === 30 || i === 50 ? '' : ';ok'), 60)}\n`,
    )
    expect(await failure('fit', path, '--target', 'y')).toMatch(/line \d+: every line must have 4 values/)
  })
})

test('a sign between two ids in every row parts no values where tabs do', async () => {
  const row = (i: number): string => `P${i};Q${i}\tGEN${i}\t${i % 17}.5\t${i}.25`
  const path = folder.file('proteins.txt', `Protein IDs\tGene\tScore\tIntensity\n${many(row, 60)}\n`)
  const { columns } = await runJson('look', path)
  expect(columns.map(({ name }: { name: string }) => name)).toEqual([
    'Protein IDs',
    'Gene',
    'Score',
    'Intensity',
  ])
})

test('a first line with more values than all others, which says what the file is, is left out', async () => {
  const above = '"EXTF";700;21;"Buchungsstapel";12;20240131;;"RE";"EUR"'
  const row = (i: number): string => `${i}.5;"S";"EUR";${4400 + (i % 7)}`
  const path = folder.file('datev.csv', `${above}\nUmsatz;Soll/Haben;WKZ;Konto\n${many(row, 60)}\n`)
  const { columns } = await runJson('look', path)
  expect(columns.map(({ name }: { name: string }) => name)).toEqual(['Umsatz', 'Soll/Haben', 'WKZ', 'Konto'])
  // One with fewer may have lost some names.
  const few = folder.file('few.csv', `a,b\n${many((i) => `${i},2,3,4`, 60)}\n`)
  expect(await failure('look', few)).toContain(
    'line 2: every line must have 2 values like the header, got more; fix that line; if the first line is no header, --skip 1 leaves it out',
  )
})

test('columns below a line of dashes, with blanks in their values, as clients of databases print them', async () => {
  const row = (i: number): string =>
    `${String(i).padStart(7)} ${`Kunde ${i % 9} GmbH`.padEnd(20)} ${(i % 13 === 5 ? 'NULL' : `${i}.5`).padStart(8)} ${i % 2 ? 'a "b"' : ''}`
  const head = `${'OrderID'.padEnd(7)} ${'CustomerName'.padEnd(20)} ${'Freight'.padEnd(8)} ${'Note'.padEnd(12)}`
  const rule = [7, 20, 8, 12].map((width) => '-'.repeat(width)).join(' ')
  const path = folder.file('sqlcmd.txt', `${head}\n${rule}\n${many(row, 60)}\n\n(60 rows affected)\n`)
  const { rows, columns } = await runJson('look', path)
  expect(rows).toBe(60)
  expect(columns.map(({ name }: { name: string }) => name)).toEqual([
    'OrderID',
    'CustomerName',
    'Freight',
    'Note',
  ])
  expect(columns[1].top[0].value).toMatch(/^Kunde \d GmbH$/)
  expect(columns[2].missing).toBe(5)
  expect(columns[3]).toMatchObject({ missing: 30, top: [{ value: 'a "b"' }] })
})

test('a name that stands in the only column among others says that nothing parted the values', async () => {
  const path = folder.file('odd.csv', `x~y\n${many((i) => `${i}~${i * i}`)}\n`)
  expect(await failure('fit', path, '--target', 'y')).toContain(
    '--target: a column of the file is needed, got "y"',
  )
  const wide = folder.file('odd2.csv', `weight~height\n${many((i) => `${i}~${i * i}`)}\n`)
  expect(await failure('fit', wide, '--target', 'height')).toContain(
    'all names are in one column, "weight~height": what parts values was not found',
  )
})

test('two lines with #, of names and of units, as buoys report them', async () => {
  const row = (i: number): string =>
    `2023 01 ${String(1 + (i % 28)).padStart(2, '0')} ${(i % 17) + 0.5}  ${(i % 19) + 0.25} ${i}.5`
  const path = folder.file(
    'buoy.txt',
    `#YY  MM DD WSPD GST  WVHT\n#yr  mo dy m/s  m/s     m\n${many(row, 60)}\n`,
  )
  const { columns } = await runJson('look', path)
  expect(columns.map(({ name }: { name: string }) => name)).toEqual(['YY', 'MM', 'DD', 'WSPD', 'GST', 'WVHT'])
  const { remarks } = await run('fit', path, '--target', 'WVHT', '--method', 'ml')
  expect(remarks[0]).toContain('left out 1 line ("#yr')
})
