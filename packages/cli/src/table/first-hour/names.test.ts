import { join } from 'node:path'
import { expect, test } from 'vitest'
import { failure, many, normals, run, runJson, testFolder } from '../../testing/run.js'

// Numbers and texts that name rows, in files that new users brought in their first hour.
const folder = testFolder()
const z = normals(5)

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

test('long numbers that differ late are shown as different', async () => {
  const ids = many((i) => `${7e17 + i * 13337},${1714521600.25 + i / 100},${i}`)
  const { columns } = await runJson('look', folder.file('long.csv', `id,t,y\n${ids}\n`))
  for (const { range } of columns) expect(range[0]).not.toBe(range[1])
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

test('an index of pandas in Parquet is left out, and not the date that goes with it', async () => {
  const rows = many((i) => `2024-01-${String(1 + (i % 28)).padStart(2, '0')},${i},${z()},${z()}`, 28)
  const parquet = join(folder.path, 'pandas.parquet')
  const path = folder.file('pandas.csv', `day,__index_level_0__,x,y\n${rows}\n`)
  await run('fit', path, '--target', 'y', '--good', parquet)
  const { remarks } = await run('fit', parquet, '--target', 'y', '--method', 'ml')
  expect(remarks).toContain('left out "__index_level_0__", as pandas calls it: row names or an index')
  expect(remarks).not.toContain('repeat another one')
})
