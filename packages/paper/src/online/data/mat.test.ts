import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readNumberTable } from '../../shared/number-table.js'
import { readMat } from './mat.js'

const golden = (name: string): Buffer =>
  readFileSync(new URL(`../../../golden/online/${name}`, import.meta.url))
// Written by scipy.io.savemat, without and with compression, beside the same numbers as text.
const plain = golden('activity-v6.mat')
const packed = golden('activity-v7.mat')
const table = readNumberTable('activity.csv', golden('activity.csv'))

it.each([
  ['plain', plain],
  ['packed', packed],
])('reads the numeric matrices of a %s file, every bit, and passes over texts', (_, bytes) => {
  const variables = readMat('file.mat', bytes)
  expect([...variables.keys()].sort()).toEqual(['actid', 'feat', 'small'])
  const feat = variables.get('feat')
  expect([feat?.rows, feat?.cols]).toEqual([36, 60])
  for (let j = 0; j < 60; j++) {
    const column = Array.from({ length: 36 }, (_, i) => feat?.values[i * 60 + j])
    expect(column).toEqual(Array.from(table.column(`f${j}`)))
  }
  expect(variables.get('actid')?.values).toEqual(table.column('actid'))
  expect(Array.from(variables.get('small')?.values ?? [])).toEqual([1, 2, 3])
})

/** A file with one variable, in either byte order, from the format's description. */
function written(little: boolean, type: number, numbers: Uint8Array, rows: number, cols: number): Uint8Array {
  const word = (...values: number[]): Buffer => {
    const out = Buffer.alloc(4 * values.length)
    for (const [k, value] of values.entries()) {
      if (little) out.writeUInt32LE(value, 4 * k)
      else out.writeUInt32BE(value, 4 * k)
    }
    return out
  }
  const padded = Buffer.concat([numbers, Buffer.alloc((8 - (numbers.length % 8)) % 8)])
  const parts = [word(6, 8, 6, 0), word(5, 8, rows, cols), word((1 << 16) | 1), Buffer.from('a\0\0\0')]
  const body = Buffer.concat([...parts, word(type, numbers.length), padded])
  const header = Buffer.alloc(128, ' ')
  header.write('MATLAB 5.0 MAT-file')
  header.set(little ? [0, 1, 0x49, 0x4d] : [1, 0, 0x4d, 0x49], 124)
  return Buffer.concat([header, word(14, body.length), body])
}

it.each([true, false])('reads both byte orders (low byte first: %s), column after column', (little) => {
  const numbers = Buffer.alloc(12)
  for (const [k, value] of [1, -2, 3, 4, -500, 6].entries()) {
    if (little) numbers.writeInt16LE(value, 2 * k)
    else numbers.writeInt16BE(value, 2 * k)
  }
  const a = readMat('file.mat', written(little, 3, numbers, 2, 3)).get('a')
  expect(a).toEqual({ rows: 2, cols: 3, values: Float64Array.of(1, 3, -500, -2, 4, 6) })
})

it('says what to do about a file of version 7.3', () => {
  const bytes = Buffer.alloc(600, 0)
  bytes.write('MATLAB 7.3 MAT-file, Platform: GLNXA64')
  expect(() => readMat('file.mat', bytes)).toThrow(/version 7 or earlier.*7\.3 \(HDF5\).*'-v7'/)
  expect(() => readMat('file.mat', Buffer.from('\x89HDF\r\n\x1a\n', 'latin1'))).toThrow(/-v7/)
})

it.each([
  ['empty', Buffer.alloc(0)],
  ['a text', Buffer.from('x,y\n1,2\n'.repeat(40))],
  ['numbers of another size', written(true, 9, Buffer.alloc(12), 1, 1)],
  ['too few numbers', written(true, 9, Buffer.alloc(16), 3, 1)],
  ['numbers of no type', written(true, 99, Buffer.alloc(8), 1, 1)],
  ['junk behind the matrix', Buffer.concat([plain, Buffer.alloc(16, 0)])],
])('refuses a file that is damaged: %s', (_, bytes) => {
  expect(() => readMat('file.mat', bytes)).toThrow(
    /^file\.mat: .*, got .*(fetch it again|another kind of file)/,
  )
})

it('refuses every cut of a file', () => {
  for (const bytes of [plain, packed]) {
    const ends = new Set<number>()
    // A file may be cut between two variables without showing it.
    for (let at = 128; at < bytes.length; ) {
      ends.add(at)
      const size = bytes.readUInt32LE(at + 4)
      at += 8 + (bytes === plain ? Math.ceil(size / 8) * 8 : size)
    }
    for (let length = 0; length < bytes.length; length += 37) {
      if (ends.has(length)) continue
      expect(() => readMat('file.mat', bytes.subarray(0, length))).toThrow(/^file\.mat: /)
    }
  }
})

it('takes no damage for numbers: any byte of the packed part may be wrong', () => {
  const good = readMat('file.mat', packed)
  for (let at = 136; at < packed.length; at += 211) {
    const bytes = Buffer.from(packed)
    bytes[at] ^= 0x55
    let variables = new Map()
    try {
      variables = readMat('file.mat', bytes)
    } catch (problem) {
      expect((problem as Error).message).toMatch(/^file\.mat: /)
    }
    for (const [name, matrix] of variables) expect(matrix).toEqual(good.get(name))
  }
})

it('refuses a compressed element that holds no whole element', () => {
  const inner = deflateSync(Buffer.from([14, 0, 0, 0, 255, 0, 0, 0]))
  const tag = Buffer.alloc(8)
  tag.writeUInt32LE(15, 0)
  tag.writeUInt32LE(inner.length, 4)
  const bytes = Buffer.concat([plain.subarray(0, 128), tag, inner])
  expect(() => readMat('file.mat', bytes)).toThrow(/an element needs 263 bytes up to its end, got 8/)
})
