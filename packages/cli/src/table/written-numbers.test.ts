import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { run, runJson, testFolder, uniforms } from '../testing/run.js'

// Numbers as people write them: named as what they are, with the flag that reads them; read, they are the numbers themselves.
const folder = testFolder()
const u = uniforms(11)
const rows = Array.from({ length: 60 }, (_, i) => {
  const x = Math.round(5_000_000 * u()) / 100
  return { x, y: Math.round(100 * (2 * x + 5000 * u())) / 100 + (i % 20 === 0 ? 1e6 : 0) }
})
const write = (name: string, text: (value: number) => string, sign = ';'): string =>
  folder.file(name, `x${sign}y\n${rows.map(({ x, y }) => `${text(x)}${sign}${text(y)}`).join('\n')}\n`)
const plain = write('plain.csv', String)
const model = ['--target', 'y', '--model', 'linear']

/** What the audit and the stream say of a file; the values of a row are shown as they are written. */
const suspects = async (...argv: string[]): Promise<unknown> =>
  (await runJson('audit', ...argv, ...model)).suspects.map((suspect: object) => ({
    ...suspect,
    values: null,
  }))
const lines = async (...argv: string[]): Promise<string> =>
  (await run('stream', ...model, '--input', ...argv)).out

/** What every other way to write the numbers must give, too. */
let wanted: { readonly fit: object; readonly suspects: unknown; readonly lines: string }
beforeAll(async () => {
  wanted = {
    fit: await runJson('fit', plain, ...model),
    suspects: await suspects(plain),
    lines: await lines(plain),
  }
})

const fixed = { minimumFractionDigits: 2 }
const format = (country: string): ((value: number) => string) => {
  const { format: text } = new Intl.NumberFormat(country, fixed)
  return text
}
const cases: [string, (value: number) => string, string[]][] = [
  ['german', format('de-DE'), ['--decimal', ',', '--thousands', '.']],
  ['french', format('fr-FR'), ['--decimal', ',', '--thousands', 'space']],
  ['swiss', format('de-CH'), ['--thousands', 'apostrophe']],
  ['american', format('en-US'), ['--thousands', ',']],
  ['dollars', (value) => `$${format('en-US')(value)}`, ['--thousands', ',', '--units', '"$"']],
  [
    'euros',
    (value) => `${format('de-DE')(value)} €`,
    ['--decimal', ',', '--thousands', '.', '--units', '"€"'],
  ],
  [
    'reais',
    (value) => `R$ ${format('pt-BR')(value)}`,
    ['--decimal', ',', '--thousands', '.', '--units', '"R$"'],
  ],
  ['USD', (value) => `USD ${format('en-US')(value)}`, ['--thousands', ',', '--units', 'USD']],
  ['percent', (value) => `${value} %`, ['--units', '"%"']],
  ['tonnes', (value) => `${value} t`, ['--units', 't']],
]

describe.each(cases)('%s', (name, text, flags) => {
  const path = write(`${name}.csv`, text)
  const given = flags.map((flag) => flag.replaceAll('"', ''))

  test('the error names the flags', async () => {
    const { status, remarks } = await run('fit', path, ...model)
    expect(status).toBe(1)
    for (let k = 0; k < flags.length; k += 2) expect(remarks.at(-1)).toContain(`${flags[k]} ${flags[k + 1]}`)
    expect(remarks.at(-1)).toMatch(/in row 1 \(.*; rows count from 1, after the header$/)
  })

  test('with the flags it is the fit of the plain file', async () => {
    const found = await runJson('fit', path, ...model, ...given)
    expect({ ...found, seconds: 0 }).toEqual({ ...wanted.fit, seconds: 0 })
  })

  test('predict, audit and stream read it alike', async () => {
    const saved = join(folder.path, `${name}.json`)
    await run('fit', path, ...model, '--method', 'ml', ...given, '--save', saved)
    expect((await run('predict', saved, path, ...given)).out).toBe((await run('predict', saved, plain)).out)
    expect(await suspects(path, ...given)).toEqual(wanted.suspects)
    expect(await lines(path, ...given)).toBe(wanted.lines)
  })
})

test('one group of digits could be thousands or decimals: both flags are named', async () => {
  const path = folder.file(
    'unsure.csv',
    `x;y\n${rows.map((_, i) => `${i + 1},${100 + i};${i}`).join('\n')}\n`,
  )
  const { remarks } = await run('fit', path, ...model)
  expect(remarks.at(-1)).toMatch(
    /got "1,100" in row 1 \(a thousands separator, or a decimal comma\); read thousands separators by --thousands ,; or read decimal commas by --decimal ,; /,
  )
})

test('units that differ are not added up', async () => {
  const path = folder.file(
    'mixed.csv',
    `x,y\n${rows.map((_, i) => `${i} ${i % 2 ? 'g' : 'kg'},${i * i}`).join('\n')}\n`,
  )
  const { remarks } = await run('fit', path, ...model)
  expect(remarks.at(-1)).toMatch(
    /^column "x": numbers are needed, got "0 kg" in row 1 \(a unit, "kg", where others have "g"\)/,
  )
  expect(remarks.at(-1)).not.toContain('--units')
})

test('a few sizes are categories, whatever stands beside them', async () => {
  const path = folder.file(
    'sizes.csv',
    `memory,y\n${rows.map((_, i) => `${2 ** (i % 3)} GB,${i % 3} `).join('\n')}\n`,
  )
  expect((await runJson('fit', path, ...model)).features).toEqual(['memory=2 GB', 'memory=4 GB'])
})

test.each([
  [
    ['--thousands', '.'],
    /^--thousands: another sign than that before decimals is needed, got "."; give --decimal , too/,
  ],
  [['--thousands', 'x'], /^--thousands: one of , . space apostrophe underscore is needed, got "x"/],
  [['--units', '5'], /^--units: signs or words without digits are needed, got "5"/],
])('%j', async (flags, message) => {
  for (const argv of [
    ['fit', plain],
    ['stream', '--input', plain],
    ['audit', plain],
  ]) {
    const { status, remarks } = await run(...argv, ...model, ...flags)
    expect([status, remarks.at(-1)]).toEqual([2, expect.stringMatching(message)])
  }
})
