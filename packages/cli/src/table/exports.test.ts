import { expect, test } from 'vitest'
import { run, runJson, testFolder } from '../testing/run.js'

// Tables as other programs export them: read as they were meant, or an error that says what to do.
const folder = testFolder()

async function failure(...argv: string[]): Promise<string> {
  const { status, remarks } = await run(...argv)
  expect(status).toBe(1)
  return remarks.at(-1)!
}

const many = (line: (i: number) => string, n = 40): string =>
  Array.from({ length: n }, (_, i) => line(i)).join('\n')
const numbers = (i: number): string => (10 * Math.sin(i)).toFixed(1).replace('.', ',')

test('a bank writes what it is about above the header, and a sum below the rows', async () => {
  const rows = many(
    (i) => `${1 + (i % 28)}.3.2025;${i % 2 === 0 ? 'Miete' : 'Kauf'};${numbers(i)};${numbers(i + 3)}`,
  )
  const path = folder.file(
    'bank.csv',
    `Umsätze;;;\nKonto: 123;Zeitraum: 2025;;\n\nTag;Art;Menge;Betrag\n${rows}\n1.4.2025;Summe;9,5;99,5\n`,
  )
  const { remarks } = await run('fit', path, '--target', 'Betrag', '--decimal', ',')
  expect(remarks[0]).toContain('left out 3 lines ("Umsätze;;;", …) above the header')
  expect(remarks).toContain(
    'row 41 has "Summe" in column "Art": what sums up other rows is none to learn from; take it out',
  )
})

test('a survey tool writes questions and ids below the names', async () => {
  const ids = ['a', 'b', 'c'].map((id) => `"{""ImportId"":""${id}""}"`).join(',')
  const rows = many((i) => `${20 + (i % 30)},${i % 5},${(i * i) % 11}`)
  const path = folder.file('survey.csv', `Q1,Q2,Q3\nHow old?,"How happy, really?",Why?\n${ids}\n${rows}\n`)
  const { remarks } = await run('fit', path, '--target', 'Q1', '--model', 'linear')
  expect(remarks[0]).toContain('left out the second and the third line, which have questions and ids')
  expect((await runJson('fit', path, '--target', 'Q1', '--model', 'linear')).rows).toBe(40)
})

test('pandas names groups, columns and the index in a line each', async () => {
  const rows = many(
    (i) => `2025-01-${String(1 + (i % 28)).padStart(2, '0')},${Math.sin(i)},${Math.cos(i * i)}`,
  )
  const path = folder.file('groups.csv', `kind,price,price\nof,A,B\ndate,,\n${rows}\n`)
  const { remarks } = await run('fit', path, '--target', 'price B')
  expect(remarks[0]).toContain('the header has three lines: columns are called "date", "price A", "price B"')
})

test('names of groups may be years, and values may have signs beside them', async () => {
  const rows = many((i) => `${i % 2 === 0 ? 'Nord' : 'Sud'};${numbers(i)} €;${numbers(i * i)} %`)
  const path = folder.file('ventes.csv', `;2025;2025\nRégion;Chiffre;Marge\n${rows}\n`)
  const { remarks } = await run('fit', path, '--target', '2025 Marge', '--decimal', ',', '--units', '€,%')
  expect(remarks[0]).toContain('columns are called "Région", "2025 Chiffre", "2025 Marge"')
  // The first row is none of the header, whatever stands beside its numbers.
  const plain = folder.file('plain.csv', `Région;Chiffre;Marge\n${rows}\n`)
  const { rows: used } = await runJson('fit', plain, '--target', 'Marge', '--decimal', ',', '--units', '€,%')
  expect(used).toBe(40)
})

test('a sensor writes units beside numbers, and words where it has none: all is told at once', async () => {
  const rows = many(
    (i) =>
      `${i % 13 === 4 ? 'ERR' : `${(20 + 3 * Math.sin(i)).toFixed(2)} °C`},${i % 9 === 2 ? 'OVL' : `${400 + ((i * i) % 97)} ppm`},${i % 17}`,
  )
  const path = folder.file('sensor.csv', `temp,co2,y\n${rows}\n`)
  const error = await failure('fit', path, '--target', 'y', '--model', 'linear')
  expect(error).toMatch(/"co2" with "\d+ ppm" in row 1 \(a unit, "ppm"\)/)
  expect(error).toContain('--units "°C,ppm" and take "ERR", "OVL" as missing by --missing ERR,OVL')
  const read = ['--units', '°C,ppm', '--missing', 'ERR,OVL']
  expect((await runJson('fit', path, '--target', 'y', '--model', 'linear', ...read)).dropped.missing).toBe(8)
})

test('values below the limit of detection are no categories', async () => {
  const rows = many((i) => `${i % 3 === 0 ? (0.05 + i / 100).toFixed(2) : '"<0.05"'},${Math.sin(i)}`)
  const path = folder.file('limits.csv', `ammonium,y\n${rows}\n`)
  expect(await failure('fit', path, '--target', 'y')).toMatch(
    /column "ammonium": numbers are needed, got "<0.05" in row 2 \(a value beyond the limits of measurement\)/,
  )
})

test('notes below the table are left out; a row that was cut off is an error', async () => {
  const rows = `x,y\n${many((i) => `${i},${(i * i) % 7}`)}\n`
  for (const [notes, said] of [
    [
      '\nSource: the office\nNote: as of 2024\n',
      'last 2 lines, a note below the table ("Source: the office", …)',
    ],
    ['(40 rows)\r\n', 'last line, a note below the table ("(40 rows)")'],
    // As offices of health write what was asked for, with more lines than notes have elsewhere.
    [
      `"---"\n${'"Group By: County"\n'.repeat(30)}"---"\n`,
      'last 32 lines, a note below the table ("Group By: County", …)',
    ],
  ] as const) {
    const path = folder.file('notes.csv', rows + notes)
    expect((await run('look', path)).remarks).toEqual([`${path}: left out the ${said}`])
    const { rows: used } = await runJson('fit', path, '--target', 'y', '--model', 'linear')
    expect(used).toBe(40)
  }
  // In other letters than UTF-8 too.
  const latin = folder.file('latin.csv', Buffer.from(`${rows}\nQuelle: das Büro\n`, 'latin1'))
  expect((await run('look', latin)).remarks[1]).toContain('a note below the table ("Quelle: das Büro")')
  const cut = folder.file('cut.csv', `${rows}Berl`)
  expect(await failure('fit', cut, '--target', 'y')).toContain(
    'got 1, "Berl"; fix that line; if it is a note',
  )
  const quoted = folder.file('quoted.csv', `x,y\n${many((i) => `"${i}\n\nSource: z",${(i * i) % 7}`)}\n`)
  expect((await runJson('look', quoted)).rows).toBe(40)
})

test('a sports watch writes two dashes where it has no value', async () => {
  const rows = many((i) => `${i % 10 === 4 ? '--' : 120 + ((7 * i) % 50)},${5 + (i % 9)},${(i * i) % 41}`)
  const path = folder.file('watch.csv', `"Avg HR","Distance","Calories"\n${rows}\n`)
  const { status, remarks } = await run('fit', path, '--target', 'Calories')
  expect(status).toBe(0)
  expect(remarks).toContain('dropped 4 of 40 rows for missing values ("Avg HR" misses 4)')
})

test.each([
  ['ten', 10, 3600],
  ['twelve', 12, 60],
  ['fourteen', 14, 1],
])('a weather service writes date and time in %s digits', async (word, digits, seconds) => {
  const when = (i: number): string =>
    new Date(Date.UTC(2024, 4, 1, 8) + 1000 * seconds * i).toISOString().replaceAll(/\D/g, '')
  const per = 86_400 / seconds
  const line = (time: (i: number) => string): string =>
    `MESS_DATUM,TT_TU\n${many((i) => `${time(i)},${(10 + (3 * i) / per + Math.sin(i * i) / per).toFixed(9)}`)}\n`
  const path = folder.file(
    `weather-${digits}.csv`,
    line((i) => when(i).slice(0, digits)),
  )
  const { remarks } = await run('fit', path, '--target', 'TT_TU')
  expect(remarks).toContain(
    `column "MESS_DATUM": dates and times of ${word} digits, taken as days since 2024-05-01; --date-parts gives year, month, weekday and hour; --numbers MESS_DATUM takes them as numbers`,
  )
  const found = await runJson('fit', path, '--target', 'TT_TU')
  expect(found.params.coefficients.MESS_DATUM).toBeCloseTo(3, 1)
  expect(
    (await run('fit', path, '--target', 'TT_TU', '--numbers', 'MESS_DATUM')).remarks.join(),
  ).not.toContain('dates and times')
  // The model knows what a single time is.
  const saved = `${folder.path}/weather.json`
  await run('fit', path, '--target', 'TT_TU', '--save', saved)
  const next = folder.file('next.csv', `MESS_DATUM\n${when(per).slice(0, digits)}\n`)
  const { out } = await run('predict', saved, next)
  expect(Number(out.trim().split(',').at(-1))).toBeCloseTo(13, 1)
})
