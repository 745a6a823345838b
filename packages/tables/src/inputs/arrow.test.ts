import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { read } from '../read.js'
import { withTable } from '../table.js'
import { cellsOf, testFolder } from '../testing.js'
import { unpackLz4 } from './lz4.js'

const folder = testFolder()
const golden = (name: string): string => fileURLToPath(new URL(`../../golden/${name}`, import.meta.url))

async function columns(path: string): Promise<{ remarks: readonly string[]; cells: object }> {
  return await withTable(path, {}, async (table) => {
    const names = table.columns.map(({ name }) => name)
    const found = await read(table, { features: names })
    return { remarks: table.remarks, cells: Object.fromEntries([...found].map(([k, v]) => [k, cellsOf(v)])) }
  })
}

describe('Feather files of pandas', () => {
  test.each(['lz4', 'plain'])('%s has the values of the same table as CSV', async (name) => {
    const path = golden(`${name}.feather`)
    const { cells, remarks } = await columns(path)
    expect(cells).toEqual((await columns(golden('feather.csv'))).cells)
    expect(remarks).toEqual([`${path}: left out columns of types that are not read: "list" (List<Int64>)`])
  })

  test('zstd too, where Node unpacks it', async () => {
    const found = columns(golden('zstd.feather'))
    if ('zstdDecompressSync' in zlib)
      expect((await found).cells).toEqual((await columns(golden('feather.csv'))).cells)
    else await expect(found).rejects.toThrow('columns packed by zstd, which Node unpacks from 22.15 on')
  })

  test('damaged, of version 1, and none at all are errors', async () => {
    const whole = readFileSync(golden('lz4.feather'))
    for (const length of [10, 1000, whole.length - 20])
      await expect(columns(folder.file('cut.feather', whole.subarray(0, length)))).rejects.toThrow(
        /cut\.feather: could not be read as Arrow, got /,
      )
    await expect(columns(folder.file('old.feather', 'FEA1\0\0\0\0'))).rejects.toThrow('Feather of version 1')
  })
})

describe('LZ4', () => {
  const frame = (...blocks: (readonly number[])[]): Uint8Array => {
    const sized = blocks.flatMap((block) => [
      ...new Uint8Array(Uint32Array.of(block.length).buffer),
      ...block,
    ])
    return Uint8Array.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, ...sized, 0, 0, 0, 0])
  }
  const length = (count: number): number[] =>
    count < 15 ? [] : [...Array<number>(Math.floor((count - 15) / 255)).fill(255), (count - 15) % 255]

  test('literals come as they are, and copies go on into themselves', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 700 }),
        fc.integer({ min: 4, max: 900 }),
        fc.nat(),
        (bytes, count, seed) => {
          const back = 1 + (seed % bytes.length)
          const token = 16 * Math.min(15, bytes.length) + Math.min(15, count - 4)
          const copy = [back & 255, back >> 8, ...length(count - 4)]
          const block = [token, ...length(bytes.length), ...bytes, ...copy, 0x10, 7]
          const expected = [...bytes]
          for (let k = 0; k < count; k++) expected.push(expected.at(-back)!)
          expect([...unpackLz4(frame(block), 2 ** 20)]).toEqual([...expected, 7])
        },
      ),
    )
  })

  test('what is cut off, points to nothing or is too much is an error', () => {
    const block = [0x1f, 1, 1, 0, 255, 255, 0, 0x10, 7]
    expect(unpackLz4(frame(block), 2 ** 20).length).toBe(1 + 15 + 4 + 510 + 1)
    expect(() => unpackLz4(frame(block), 100)).toThrow('more bytes than may be')
    expect(() => unpackLz4(frame([0x1f, 1, 2, 0, 0]), 2 ** 20)).toThrow('points to nothing')
    for (let end = 0; end < frame(block).length - 4; end++)
      expect(() => unpackLz4(frame(block).subarray(0, end), 2 ** 20)).toThrow()
  })
})
