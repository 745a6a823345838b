import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { many, normals, run, runJson, testFolder } from '../testing/run.js'

// Files as people and their programs write them: read as they were meant, or an error that says what it is.
const folder = testFolder()
const z = normals(21)
const rows = Array.from({ length: 40 }, (_, i) => {
  const [age, height] = [Math.round(500 + 100 * z()) / 10, Math.round(1700 + 80 * z()) / 10]
  return { age, height, score: i === 5 ? 500 : Math.round(10 * (2 * age - 0.5 * height + 3 * z())) / 10 }
})
const lines = rows.map(({ age, height, score }) => `${age},${height},${score}`)
const body = `age,height,score\n${lines.join('\n')}\n`
const plain = folder.file('plain.csv', body)
const target = ['--target', 'score']
const wanted = runJson('fit', plain, ...target)

async function same(path: string, ...flags: string[]): Promise<readonly string[]> {
  const found = await runJson('fit', path, ...target, ...flags)
  expect({ ...found, seconds: 0 }).toEqual({ ...(await wanted), seconds: 0 })
  return (await run('fit', path, ...target, ...flags)).remarks
}

describe('lines above the header', () => {
  test.each([
    ['a title', 'Scores 2023\nExported by hand\n\n', 3, 'Scores 2023'],
    ['a title in as many cells', 'Scores 2023,,\n,,\n', 2, 'Scores 2023,,'],
    ['remarks', '# sensor 5\n', 1, '# sensor 5'],
  ])('%s', async (name, above, count, first) => {
    const path = folder.file(`${name}.csv`, above + body)
    const which = `${count} line${count > 1 ? 's' : ''} (${JSON.stringify(first)}${count > 1 ? ', …' : ''})`
    expect(await same(path)).toContain(
      `${path}: left out ${which} above the header; --skip 0 reads from the first line`,
    )
    expect((await same(path, '--skip', String(count))).join()).not.toContain('above the header')
    // Errors speak of the file's own lines, and rows count from the header.
    const broken = folder.file(`${name}-broken.csv`, `${above}${body}1,2\n`)
    expect((await run('fit', broken, ...target)).remarks.at(-1)).toContain(
      `line ${count + 42}: every line must have`,
    )
    const odd = folder.file(`${name}-odd.csv`, `${above}${body}old,1,2\n`)
    expect((await run('fit', odd, ...target)).remarks.at(-1)).toContain('got "old" in row 41')
    const stream = ['stream', ...target, '--model', 'linear', '--input']
    expect((await run(...stream, path, '--skip', String(count))).out).toBe((await run(...stream, plain)).out)
  })

  test("Excel's word for the delimiter", async () => {
    await same(folder.file('sep.csv', `sep=;\n${body.replaceAll(',', ';')}`))
  })

  test('a header is none that one sign parts as all rows, whatever stands within each value', async () => {
    const label = (i: number): string => `kind; ${i % 3}`
    const path = folder.file(
      'within.csv',
      `age,mark,name\n${many((i) => `${i % 7}.5,${i % 5},${label(i)}`)}\n`,
    )
    const { out, remarks } = await run('look', path)
    expect(remarks).toEqual([])
    for (const name of ['age', 'mark', 'name']) expect(out).toContain(`\n  ${name} `)
    const over = folder.file(
      'over.csv',
      `"age\nin years",mark,the name\n${many((i) => `${i % 7}.5,${i % 5},kind ${i % 3}`)}\n`,
    )
    expect((await run('look', over)).out).toContain('60 rows, 3 columns')
    // Commas before decimals, below a title with a comma.
    const german = folder.file(
      'german.csv',
      `Werte, gemessen\nAlter;Wert\n${many((i) => `${i % 7},5;${i % 5},25`)}\n`,
    )
    expect((await run('look', german, '--decimal', ',')).out).toContain('2 columns')
  })

  test('a header over several lines, a column of one, and a table without a header are none', async () => {
    const quoted = folder.file('quoted.csv', body.replace('age', '"age\nin years"'))
    expect((await runJson('fit', quoted, ...target)).features[0]).toBe('age\nin years')
    const bare = folder.file('bare.csv', `7\n${lines.join('\n')}\n`)
    expect((await run('fit', bare, '--target', 'column3')).remarks.join()).not.toContain('above')
  })
})

test('a delimiter at the end of every line, with one in the header or without', async () => {
  await same(folder.file('ended.csv', body.replaceAll(/(?<=\d)\n/g, ',\n')), '--exclude', 'column4')
  await same(folder.file('all-ended.csv', body.replaceAll('\n', ',\n')), '--exclude', 'column4')
})

test('blanks around texts are no part of them; capitals are, with a remark', async () => {
  const kinds = ['cat ', 'cat', ' dog', 'dog']
  const text = rows.map(({ age }, i) => `${age},${kinds[i % 4]},${['yes', 'Yes', 'no'][i % 3]}`)
  const path = folder.file('kinds.csv', `age , kind , smokes\n${text.join('\n')}\n`)
  expect((await run('audit', path, '--target', 'smokes')).remarks).toContain(
    'column "smokes": "Yes" and "yes" differ in capitals alone, and are taken as different; write them alike if they are the same',
  )
  const { classes } = await runJson('fit', path, '--target', 'kind')
  expect(classes).toEqual(['cat', 'dog'])
  const { remarks } = await run('fit', path, '--target', 'age', '--save', join(folder.path, 'kinds.json'))
  expect(remarks).toContain(
    'column "smokes": "Yes" and "yes" differ in capitals alone, and are taken as different; write them alike if they are the same',
  )
  expect((await run('predict', join(folder.path, 'kinds.json'), path)).remarks.join()).not.toContain(
    'never seen',
  )
})

test('-999 among other numbers is asked about', async () => {
  const codes = rows.map(({ age, height, score }, i) => `${age},${i % 8 === 0 ? -999 : height},${score}`)
  const path = folder.file('codes.csv', `age,height,score\n${codes.join('\n')}\n`)
  const { remarks } = await run('fit', path, ...target)
  expect(remarks).toContain(
    'column "height": 5 rows have -999, far from all others: does it stand for a missing value? --missing -999 takes it so',
  )
  expect((await run('fit', path, ...target, '--missing', '-999')).remarks.join()).toContain(
    '"height" misses 5',
  )
  // 99 among ages is an age.
  const ages = folder.file('ages.csv', `age,y\n${rows.map((_, i) => `${60 + (i % 40)},${i}`).join('\n')}\n`)
  expect((await run('fit', ages, '--target', 'y')).remarks.join()).not.toContain('missing value')
})

test('-9 and -8 in a column of positive numbers are asked about, -1 beside 0 is not', async () => {
  const odd = (i: number): number | undefined => (i % 8 === 0 ? -9 : i % 16 === 3 ? -8 : undefined)
  const codes = rows.map(
    ({ age, height, score }, i) => `${odd(i) ?? age},${i % 5 === 0 ? -1 : i % 4},${height},${score}`,
  )
  const path = folder.file('codes-9.csv', `age,change,height,score\n${codes.join('\n')}\n`)
  const { remarks } = await run('fit', path, ...target)
  const about = remarks.filter((remark) => remark.includes('missing value'))
  expect(about[0]).toBe(
    'column "age": 8 rows have -8 or -9, far from all others: does it stand for a missing value? --missing -8,-9 takes it so',
  )
  // The fit itself finds them apart, and says so by the numbers that stand in the file.
  expect(about).toHaveLength(2)
  expect(about[1]).toContain('in column "age", at -9, -8, mostly')
  expect(remarks.join()).not.toContain('column "change"')
})

test('points that may part thousands are asked about', async () => {
  const grouped = (value: number): string =>
    value < 1000 ? String(value) : `${Math.floor(value / 1000)}.${String(value % 1000).padStart(3, '0')}`
  const prices = rows.map((_, i) => 700 + 37 * i * (i % 5))
  const text = rows.map(
    ({ age, score }, i) => `${grouped(prices[i]!)};€ ${grouped(2000 + prices[i]! * 3)};${age};${score}`,
  )
  const path = folder.file('points.csv', `price;rent;age;score\n${text.join('\n')}\n`)
  const { remarks } = await run('fit', path, ...target, '--units', '€')
  expect(remarks.filter((remark) => remark.includes('three digits'))).toHaveLength(2)
  expect(remarks.join()).toMatch(
    /column "price": all points have three digits behind them \(\d\.\d{3}\), taken as decimals; if they part thousands, --thousands \. --decimal , reads them so/,
  )
  // Three decimals everywhere, parted by commas, are decimals.
  const exact = rows.map(({ age, score }, i) => `${(1 + i / 7).toFixed(3)},${age},${score}`)
  const three = folder.file('three.csv', `x,age,score\n${exact.join('\n')}\n`)
  expect((await run('fit', three, ...target)).remarks.join()).not.toContain('three digits')
})

test('codes with zeros in front', async () => {
  const codes = rows.map(({ score }, i) => `${['02115', '10001', '90210'][i % 3]},${score}`)
  const { remarks } = await run('fit', folder.file('zip.csv', `zip,score\n${codes.join('\n')}\n`), ...target)
  expect(remarks).toContain(
    'column "zip": written with zeros in front, as codes are, taken as numbers; --categories zip takes them as categories',
  )
})

test.each([
  [
    'two orders',
    (i: number) => (i % 2 ? `${1980 + i}-05-20` : `20/05/${1980 + i}`),
    /(?=.*"20\/05\/\d{4}")(?=.*"\d{4}-05-20")/,
  ],
  ['years of either century', (i: number) => `${10 + (i % 18)}.05.${10 + i}`, /"\d\d\.05\.\d\d"/],
  [
    'names of months in another language',
    (i: number) => `${10 + (i % 18)}-Mai-${1990 + i}`,
    /"\d\d-Mai-\d{4}"/,
  ],
])('dates with %s are named as dates', async (name, date, example) => {
  const path = folder.file(
    `${name}.csv`,
    `when,score\n${rows.map(({ score }, i) => `${date(i)},${score}`).join('\n')}\n`,
  )
  const { remarks } = await run('fit', path, ...target)
  expect(remarks.at(-1)).toMatch(
    /^column "when": .*\(dates in ways that are not read: .*\); write all dates as 2020-01-31/,
  )
  expect(remarks.at(-1)).toMatch(example)
})

describe('a second line of the header', () => {
  test('with units is left out, and rows count from below it', async () => {
    const path = folder.file('units.csv', body.replace('\n', '\nyears,cm,points\n'))
    expect(await same(path)).toContain(
      `${path}: left out the second line, which has units or further names ("years", "cm", "points"); --header yes keeps it`,
    )
    const { remarks } = await run('fit', path, ...target, '--header', 'yes')
    expect(remarks.at(-1)).toContain('got "age" with "years" in row 1')
    const odd = folder.file('units-odd.csv', `${body.replace('\n', '\nyears,cm,points\n')}old,1,2\n`)
    expect((await run('fit', odd, ...target)).remarks.at(-1)).toContain('got "old" in row 41')
    // One unit alone, where it is nothing else.
    const names = rows.map(({ age, score }, i) => `${'abcd'[i % 4]},${age},${score}`)
    const one = folder.file('one-unit.csv', `kind,age,score\n,[years],\n${names.join('\n')}\n`)
    expect((await runJson('fit', one, ...target)).rows).toBe(40)
  })

  test('with names below those of groups makes names with both', async () => {
    const text = body.replace('age,height,score\n', 'body,,result\nage,height,score\n')
    const path = folder.file('groups.csv', text)
    const found = await runJson('fit', path, '--target', 'result score')
    expect(found.features).toEqual(['body age', 'body height'])
    expect(Object.values(found.params.coefficients)).toEqual(
      Object.values((await wanted).params.coefficients),
    )
  })

  test('is none where it may be a row', async () => {
    // A word that comes again, one word alone, and a line with a number.
    const again = rows.map(({ age }, i) => `${age},${['low', 'high'][i % 2]},${i}`)
    for (const second of ['?,low,?', 'none,low,7', 'first,high,NA']) {
      const path = folder.file('row.csv', `age,kind,score\n${second}\n${again.join('\n')}\n`)
      expect((await run('fit', path, ...target)).remarks.join()).not.toContain('second line')
    }
  })
})

test('names of which some come again are left out; categories of which there are too many are not', async () => {
  const people = rows.map(({ score }, i) => `${i % 8 === 7 ? 'P1' : `P${i}`},${i % 2},${score}`)
  const path = folder.file('people.csv', `name,kind,score\n${people.join('\n')}\n`)
  const { status, remarks } = await run('fit', path, ...target)
  expect([status, remarks]).toEqual([
    0,
    expect.arrayContaining([
      'left out columns that have more different texts than one for every two rows, as names and ids do: "name"',
    ]),
  ])
  // Who asks for it is told why not.
  expect((await run('fit', path, ...target, '--features', 'name')).status).toBe(1)
  const towns = Array.from({ length: 200 }, (_, i) => `T${i % 60},${i % 7},${i % 11}`)
  const many = folder.file('towns.csv', `town,kind,score\n${towns.join('\n')}\n`)
  expect((await run('fit', many, ...target)).remarks.at(-1)).toMatch(
    /^column "town": .*got 60;.*--exclude town/,
  )
})

test('seconds and milliseconds since 1970 are told as such, by name and size', async () => {
  const times = rows.map(
    ({ age, score }, i) =>
      `${1_700_000_000_000 + 977 * i * i},${1_700_000_000 + i * i},${1_600_000_000 + ((7919 * i) % 1009)},${age},${score}`,
  )
  const path = folder.file('epoch.csv', `ts,amount,paidAt,age,score\n${times.join('\n')}\n`)
  const { remarks } = await run('fit', path, ...target)
  expect(remarks.filter((remark) => remark.includes('1970'))).toEqual([
    'column "ts" looks like milliseconds since 1970, and is taken as a number: what it says is per millisecond; written as dates it would be per day',
    'column "paidAt" looks like seconds since 1970, and is taken as a number: what it says is per second; written as dates it would be per day',
  ])
})

test('columns below each other with blanks between them', async () => {
  const aligned = ['age,height,score', ...lines].map((line) =>
    line
      .split(',')
      .map((cell) => cell.padStart(8))
      .join(' '),
  )
  await same(folder.file('aligned.txt', `${aligned.join('\r\n')}\r\n`))

  const latin = aligned.map((line) => line.replace(/ age/, ' âge'))
  const encoded = folder.file('aligned-latin.txt', Buffer.from(`${latin.join('\n')}\n`, 'latin1'))
  expect((await runJson('fit', encoded, ...target)).features).toEqual(['âge', 'height'])
  // A name of two words is no two values.
  const towns = rows.map(({ age, score }, i) => `${i % 2 === 0 ? 'New York' : 'Rome'}   ${age}  ${score}`)
  const path = folder.file('towns.txt', `town   age  score\n${towns.join('\n')}\n`)
  expect((await run('fit', path, ...target)).status).toBe(1)
})

test('values beyond a limit, and signs for a missing target, are told as such', async () => {
  const limits = rows.map(
    ({ age, score }, i) => `${i % 9 === 4 ? '<0.5' : age},${i % 11 === 5 ? '*' : score}`,
  )
  const path = folder.file('limits.csv', `age,score\n${limits.join('\n')}\n`)
  const { remarks } = await run('fit', path, ...target)
  expect(remarks.at(-1)).toContain('"age" with "<0.5" in row 5 (a value beyond the limits of measurement)')
  expect(remarks.at(-1)).toContain('take it as missing by --missing "*"')
  expect((await run('fit', path, ...target, '--missing', '*,<0.5')).status).toBe(0)
})

test('two units in a column are both named', async () => {
  const sizes = rows.map(
    ({ height, score }, i) => `${i % 3 === 0 ? `${height / 100} m` : `${height} cm`},${score}`,
  )
  const path = folder.file('two-units.csv', `height,score\n${sizes.join('\n')}\n`)
  expect((await run('fit', path, ...target)).remarks.at(-1)).toContain(
    '(a unit, "m", where others have "cm")',
  )
})

const withRare = (score: (i: number, x: number) => number): string => {
  const many = Array.from({ length: 3000 }, (_, i) => {
    const x = z()
    return `${x},${i === 7 || i === 1900 ? 'rare' : ['a', 'b'][i % 2]},${score(i, x)}`
  })
  return folder.file('rare.csv', `x,kind,score\n${many.join('\n')}\n`)
}

test('a category of two rows in thousands has its coefficient', async () => {
  const path = withRare((i, x) => 2 * x + z() + (i === 7 || i === 1900 ? 10 : 0))
  const found = await runJson('fit', path, ...target)
  expect(found.status).toBe('converged')
  // Four standard errors of the mean of two.
  expect(Math.abs(found.params.coefficients['kind=rare'] - 10)).toBeLessThan(4 / Math.sqrt(2))
})

test('a category of bad rows alone is left out, instead of ending the fit', async () => {
  const path = withRare((i, x) => (i === 7 ? 500 : i === 1900 ? -500 : 2 * x + z()))
  const saved = join(folder.path, 'rare.json')
  const { status, remarks } = await run('fit', path, ...target, '--save', saved)
  expect(status).toBe(0)
  expect(remarks).toContain('left out columns that too few rows hold that the fit trusts: "kind=rare"')
  expect((await run('predict', saved, path)).remarks.join()).not.toContain('never seen')
})
