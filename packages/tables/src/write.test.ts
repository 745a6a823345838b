import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { RlviError } from 'rlvi'
import { expect, test } from 'vitest'
import { read } from './read.js'
import { withTable } from './table.js'
import { cellsOf, testFolder } from './testing.js'
import { type OutTable, writeTable } from './write.js'

const folder = testFolder()

function table(numbers: readonly number[], texts: readonly string[]): OutTable {
  return {
    rows: numbers.length,
    columns: [
      { name: 'x', kind: 'number', at: (i) => numbers[i]! },
      { name: 'say "what", no', kind: 'text', at: (i) => texts[i]! },
    ],
  }
}

test.each(['csv', 'parquet'])('%s gives back every number and every text', async (ending) => {
  const path = join(folder.path, `round.${ending}`)
  const numbers = fc.double({ noDefaultInfinity: true, noNaN: true })
  // DuckDB's CSV reader takes an empty text for a missing one, and a zero byte for broken input.
  const texts = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\0'))
  const some = fc.array(fc.tuple(numbers, texts), { minLength: 20, maxLength: 60 })
  const check = async (rows: [number, string][]): Promise<void> => {
    const all: [number, string][] = [
      [0.1 + 0.2, 'a,"b"\nc'],
      [5e-324, '1'],
      [1.7976931348623157e308, 'word'],
      ...rows,
    ]
    await writeTable(
      path,
      table(
        all.map((row) => row[0]),
        all.map((row) => row[1]),
      ),
    )
    const wanted = { features: ['x', 'say "what", no'] }
    const found = await withTable(path, {}, (opened) => read(opened, wanted))
    const [x, texts] = [...found.values()].map(cellsOf)
    // 0 and -0 are one number here.
    expect(x!.map((value) => (value as number) + 0)).toEqual(all.map((row) => row[0] + 0))
    expect(texts).toEqual(all.map((row) => row[1]))
  }
  await fc.assert(fc.asyncProperty(some, check), { numRuns: 20 })
})

test('missing values are empty', async () => {
  const path = join(folder.path, 'gaps.csv')
  await writeTable(path, {
    rows: 2,
    columns: [
      { name: 'row', kind: 'integer', at: (i) => i },
      { name: 'x', kind: 'number', at: (i) => (i === 0 ? null : Number.NaN) },
      { name: 'bad', kind: 'boolean', at: (i) => (i === 0 ? null : true) },
    ],
  })
  expect(readFileSync(path, 'utf8')).toBe('row,x,bad\n0,,\n1,,true\n')
})

test('a failure halfway leaves the old file and nothing else', async () => {
  const path = join(folder.path, 'kept.csv')
  writeFileSync(path, 'old')
  const before = readdirSync(folder.path)
  const halfway: OutTable = {
    rows: 100_000,
    columns: [
      {
        name: 'x',
        kind: 'number',
        at(i) {
          if (i === 50_000) throw new RlviError('row 50000', 'must be there', 'nothing')
          return i
        },
      },
    ],
  }
  await expect(writeTable(path, halfway)).rejects.toThrow('row 50000: must be there')
  await expect(writeTable(join(folder.path, 'new.parquet'), halfway)).rejects.toThrow('row 50000')
  expect(readFileSync(path, 'utf8')).toBe('old')
  expect(readdirSync(folder.path)).toEqual(before)
})

test('a new file takes the place of the old one', async () => {
  const path = join(folder.path, 'replaced.csv')
  writeFileSync(path, 'old')
  const link = join(folder.path, 'link.csv')
  symlinkSync(path, link)
  await writeTable(link, table([1], ['a']))
  expect(readFileSync(path, 'utf8')).toBe('x,"say ""what"", no"\n1,a\n')
})

test('a folder that is not there, a folder in place of a file', async () => {
  const nowhere = join(folder.path, 'no', 'out.csv')
  await expect(writeTable(nowhere, table([1], ['a']))).rejects.toThrow(
    'out.csv: could not be written, got no such file or folder; nothing was changed there',
  )
  await expect(writeTable(join(folder.path, 'no', 'out.parquet'), table([1], ['a']))).rejects.toThrow(
    'out.parquet: could not be written',
  )
  const inPlace = join(folder.path, 'folder.csv')
  mkdirSync(inPlace)
  await expect(writeTable(inPlace, table([1], ['a']))).rejects.toThrow('a file to write is needed')
})

test('a name whose ending is no format of ours is not written to as CSV', async () => {
  const path = join(folder.path, 'out.xlsx')
  await expect(writeTable(path, table([1], ['a']))).rejects.toThrow(
    'out.xlsx: a file name that ends in .csv or .parquet is needed, got ".xlsx"',
  )
  expect(existsSync(path)).toBe(false)
})

// Root may write anywhere.
test.skipIf(process.getuid?.() === 0)('a folder that may not be written to', async () => {
  const locked = join(folder.path, 'locked')
  mkdirSync(locked, { mode: 0o555 })
  await expect(writeTable(join(locked, 'x.csv'), table([1], ['a']))).rejects.toThrow(
    'x.csv: could not be written, got no permission',
  )
})

test.skipIf(!existsSync('/dev/full'))('a full disk', async () => {
  const link = join(folder.path, 'full.csv')
  symlinkSync('/dev/full', link)
  await expect(writeTable(link, table([1], ['a']))).rejects.toThrow(
    'full.csv: could not be written, got the disk is full',
  )
  expect(existsSync('/dev/full')).toBe(true)
})

test.skipIf(process.platform === 'win32')(
  'a disk that takes only a part: an error, and no half table',
  () => {
    const path = join(folder.path, 'part.csv')
    const before = readdirSync(folder.path)
    // No file may grow beyond 4096 bytes: the system takes that much of a longer piece, and reports no error.
    const program = `import { writeTable } from '@rlvi/tables'
    const column = { name: 'x', kind: 'integer', at: (i) => i }
    await writeTable(process.argv[1], { rows: 1200, columns: [column] }).catch((error) => {
      console.error(error.message)
      process.exitCode = 1
    })`
    const argv = [process.execPath, '--input-type=module', '--eval', program, path]
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', `trap '' XFSZ; ulimit -f 4; exec "$0" "$@"`, ...argv],
      {
        cwd: fileURLToPath(new URL('..', import.meta.url)),
        encoding: 'utf8',
      },
    )
    expect(stderr).toBe(
      `${path}: could not be written, got the largest size of a file is reached; nothing was changed there\n`,
    )
    expect(status).toBe(1)
    expect(readdirSync(folder.path)).toEqual(before)
  },
)
