import { spawnSync } from 'node:child_process'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { read } from '../read.js'
import { withTable } from '../table.js'
import { testFolder } from '../testing.js'

const folder = testFolder()
afterEach(() => vi.unstubAllEnvs())

const rowsOf = (path: string): Promise<number> =>
  withTable(path, {}, async (table) => {
    const [column] = (await read(table, { features: table.columns.map(({ name }) => name) })).values()
    return column !== undefined && 'matrix' in column ? column.matrix.rows : Number.NaN
  })

/** A part of an archive, whose size may be another than it says. */
interface Part {
  readonly name: string
  readonly text: string
  readonly says?: number
}

/** A zip archive, by its format. */
function zip(parts: readonly Part[]): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const { name, text, says } of parts) {
    const packed = deflateRawSync(text)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc32(text), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(says ?? text.length, 18)
    head.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, Buffer.from(name), packed])
    const entry = Buffer.alloc(16)
    entry.writeUInt32LE(at, 12)
    central.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), head, entry, Buffer.from(name))
    locals.push(local)
    at += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, directory, end])
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const related = (type: string, target: string): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
  `<Relationship Id="rId1" Type="${relations}/${type}" Target="${target}"/></Relationships>`

/** A spreadsheet of one sheet. */
function xlsx(rows: string, says?: number): Buffer {
  const sheet = `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`
  return zip([
    { name: '_rels/.rels', text: related('officeDocument', 'xl/workbook.xml') },
    {
      name: 'xl/workbook.xml',
      text: `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', text: related('worksheet', 'worksheets/sheet1.xml') },
    { name: 'xl/worksheets/sheet1.xml', text: sheet, ...(says === undefined ? {} : { says }) },
  ])
}
const row = (r: number, value: string): string =>
  `<row r="${r}"><c r="A${r}" t="inlineStr"><is><t>${value}</t></is></c></row>`
const numbers = (from: number, to: number): string =>
  Array.from(
    { length: to - from },
    (_, k) => `<row r="${from + k}"><c r="A${from + k}"><v>${k}</v></c></row>`,
  ).join('')

describe('a spreadsheet', () => {
  test('is read whatever it unpacks to, within the bound', async () => {
    expect(await rowsOf(folder.file('good.xlsx', xlsx(row(1, 'x') + numbers(2, 102))))).toBe(100)
  })

  test('that unpacks to more is an error that says how to read it', async () => {
    const path = folder.file('bomb.xlsx', xlsx(row(1, 'x') + numbers(2, 5002)))
    vi.stubEnv('RLVI_MAX_UNPACKED', '100000')
    await expect(rowsOf(path)).rejects.toThrow(
      `${path}: a file that unpacks to at most 100000 bytes is needed, got more; if it should, set RLVI_MAX_UNPACKED to more bytes`,
    )
    vi.stubEnv('RLVI_MAX_UNPACKED', '1000000')
    expect(await rowsOf(path)).toBe(5000)
  })

  test('by itself it may unpack to 256 MiB', async () => {
    const path = folder.file('even.xlsx', xlsx(row(1, 'x') + ' '.repeat(2 ** 28)))
    await expect(rowsOf(path)).rejects.toThrow(
      'a file that unpacks to at most 268435456 bytes is needed, got more',
    )
  })

  test('that says it unpacks to more is believed before room is made for it', async () => {
    const path = folder.file('says.xlsx', xlsx(row(1, 'x') + numbers(2, 10), 2 ** 32 - 2))
    await expect(rowsOf(path)).rejects.toThrow(
      'a file that unpacks to at most 268435456 bytes is needed, got more',
    )
  })

  test.each([
    ['in the last corner of a sheet', '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'],
    ['beyond all columns', '<row r="2"><c r="AAAAAAAAAAAA2"><v>1</v></c></row>'],
    ['beyond all rows', '<row r="1e300"><c r="A2"><v>1</v></c></row>'],
  ])('with a cell %s is an error, not the end of the process', async (_, far) => {
    const path = folder.file('far.xlsx', xlsx(row(1, 'x') + far))
    await expect(rowsOf(path)).rejects.toThrow(
      `${path}: cells that take at most 257 MiB of memory, for a file of its size, are needed, got cells that take more: some may be far from the others; save it as CSV`,
    )
  })

  test('may come by stdin', () => {
    const program = `
      import { withTable } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)}
      console.log((await withTable('-', {}, async ({ columns }) => columns))[0].name)
    `
    const input = xlsx(row(1, 'x') + numbers(2, 10))
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      input,
      encoding: 'utf8',
    })
    expect(stdout).toBe('x\n')
  })

  test('that is no archive says so', async () => {
    await expect(rowsOf(folder.file('broken.xlsx', 'PK\x03\x04 and no more'))).rejects.toThrow(
      /broken\.xlsx: could not be read as a spreadsheet, got .*; save it as CSV$/,
    )
  })
})

describe('a packed text', () => {
  // Two megabytes packed, two gigabytes unpacked, made without unpacking: gzip takes members one after the other.
  const member = gzipSync(`${'1,2\n'.repeat(2 ** 22)}`, { level: 9 })
  const bomb = (): Buffer => Buffer.concat([gzipSync('x,y\n'), ...Array.from({ length: 128 }, () => member)])

  test('that unpacks to more than a hundred times its size and a gigabyte is an error', async () => {
    expect(bomb().length).toBeLessThan(3e6)
    await expect(rowsOf(folder.file('bomb.csv.gz', bomb()))).rejects.toThrow(
      'bomb.csv.gz: a file that unpacks to at most 1073741824 bytes is needed, got more; if it should, set RLVI_MAX_UNPACKED to more bytes',
    )
  })

  test('is held to the bound that is given', async () => {
    const path = folder.file('rows.csv.gz', gzipSync(`x,y\n${'1,2\n'.repeat(1000)}`))
    vi.stubEnv('RLVI_MAX_UNPACKED', '4003')
    await expect(rowsOf(path)).rejects.toThrow(
      'a file that unpacks to at most 4003 bytes is needed, got more',
    )
    vi.stubEnv('RLVI_MAX_UNPACKED', '4004')
    expect(await rowsOf(path)).toBe(1000)
    vi.stubEnv('RLVI_MAX_UNPACKED', 'many')
    await expect(rowsOf(path)).rejects.toThrow(
      'RLVI_MAX_UNPACKED: a number of bytes above 0 is needed, got "many"',
    )
  })

  test('of stdin is, too', () => {
    const program = `
      import { withTable } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)}
      await withTable('-', {}, async () => undefined).catch(({ message }) => console.log(message))
    `
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      input: gzipSync(`x,y\n${'1,2\n'.repeat(1000)}`),
      encoding: 'utf8',
      env: { ...process.env, RLVI_MAX_UNPACKED: '4003' },
    })
    expect(stdout).toMatch('stdin: a file that unpacks to at most 4003 bytes is needed, got more')
  })

  test('that was cut off, or is damaged, is no shorter table', async () => {
    const packed = gzipSync(`x\n${Array.from({ length: 5000 }, (_, i) => `${(i * i) % 9973}\n`).join('')}`)
    const half = packed.subarray(0, packed.length / 2)
    await expect(rowsOf(folder.file('half.csv.gz', half))).rejects.toThrow(
      'half.csv.gz: a packed file that is whole is needed, got unexpected end of file; get it again',
    )
    const other = Uint8Array.from(packed).fill(0x55, 500, 520)
    await expect(rowsOf(folder.file('other.csv.gz', other))).rejects.toThrow(
      /other\.csv\.gz: a packed file that is whole is needed, got /,
    )
  })

  test('by Zstandard is bounded by the sizes of its blocks', async () => {
    // A frame of blocks that each repeat a byte 128 KiB times, by the format (RFC 8878): 16 blocks are 64 bytes.
    const blocks = 16
    const block = (k: number): number[] => {
      const head = ((2 ** 17) << 3) | (1 << 1) | (k === blocks - 1 ? 1 : 0)
      return [head & 255, (head >> 8) & 255, head >> 16, 0x30]
    }
    const frame = [
      0x28,
      0xb5,
      0x2f,
      0xfd,
      0x00,
      0x58,
      ...Array.from({ length: blocks }, (_, k) => block(k)).flat(),
    ]
    const path = folder.file('zeros.csv.zst', Uint8Array.from(frame))
    vi.stubEnv('RLVI_MAX_UNPACKED', String(2 ** 21 - 1))
    await expect(rowsOf(path)).rejects.toThrow(
      `a file that unpacks to at most ${2 ** 21 - 1} bytes is needed`,
    )
    vi.stubEnv('RLVI_MAX_UNPACKED', String(2 ** 21))
    // Within the bound it is DuckDB that reads it: one line of zeros, too long.
    await expect(rowsOf(path)).rejects.toThrow(/zeros\.csv\.zst: (?!a file that unpacks)/)
    await expect(rowsOf(folder.file('cut.csv.zst', Uint8Array.from(frame.slice(0, -6))))).rejects.toThrow(
      'cut.csv.zst: a packed file that is whole is needed, got unexpected end of file; get it again',
    )
  })
})
