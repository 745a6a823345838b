import { inflateSync } from 'node:zlib'
import { RlviError } from 'rlvi'

/** A piece of a MAT file: its type, and the bytes that it holds. */
export interface Element {
  readonly type: number
  readonly bytes: Uint8Array
  /** Where the next element begins, from the start of the enclosing bytes. */
  readonly next: number
}

export const COMPRESSED = 15
export const MATRIX = 14

/** What an element may unpack to: well above the largest matrix here, well below what would fill the memory. */
const MOST_BYTES = 2 ** 29

/**
 * The element that begins at `at`. A tag is a type and a size of 4 bytes each; where both fit into 4 bytes (2 and 2), the
 * data follow in the other 4. Elements end on multiples of 8 bytes, but for compressed ones.
 */
export function elementAt(where: string, bytes: Uint8Array, at: number, little: boolean): Element {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (at + 8 > bytes.length) throw cut(where, at + 8, bytes.length)
  const first = view.getUint32(at, little)
  const small = first >>> 16
  if (small > 0) {
    if (small > 4) throw damaged(where, `a small element at byte ${at} must hold at most 4 bytes`, small)
    return { type: first & 0xffff, bytes: bytes.subarray(at + 4, at + 4 + small), next: at + 8 }
  }
  const size = view.getUint32(at + 4, little)
  const end = at + 8 + size
  if (end > bytes.length) throw cut(where, end, bytes.length)
  const padded = first === COMPRESSED ? end : Math.ceil(end / 8) * 8
  return { type: first, bytes: bytes.subarray(at + 8, end), next: Math.min(padded, bytes.length) }
}

/** The one element inside a compressed one. */
export function unpacked(where: string, element: Element, little: boolean): Element {
  let bytes: Uint8Array
  try {
    bytes = inflateSync(element.bytes, { maxOutputLength: MOST_BYTES })
  } catch (problem) {
    throw damaged(where, 'a compressed element must unpack', (problem as Error).message)
  }
  return elementAt(where, bytes, 0, little)
}

const SIZES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 2,
  5: 4,
  6: 4,
  7: 4,
  9: 8,
  12: 8,
  13: 8,
}

/** The numbers of an element; MATLAB stores them in the narrowest type that holds them. */
export function numbersOf(where: string, { type, bytes }: Element, little: boolean): Float64Array {
  const size = SIZES[type]
  if (size === undefined) throw damaged(where, 'an element with numbers must have a numeric type', type)
  if (bytes.length % size !== 0) {
    throw damaged(where, `numbers of ${size} bytes must fill their element`, bytes.length)
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const read = readerOf(view, type, little)
  const out = new Float64Array(bytes.length / size)
  for (let k = 0; k < out.length; k++) out[k] = read(k * size)
  return out
}

function readerOf(view: DataView, type: number, little: boolean): (at: number) => number {
  switch (type) {
    case 1:
      return (at) => view.getInt8(at)
    case 2:
      return (at) => view.getUint8(at)
    case 3:
      return (at) => view.getInt16(at, little)
    case 4:
      return (at) => view.getUint16(at, little)
    case 5:
      return (at) => view.getInt32(at, little)
    case 6:
      return (at) => view.getUint32(at, little)
    case 7:
      return (at) => view.getFloat32(at, little)
    case 12:
      return (at) => Number(view.getBigInt64(at, little))
    case 13:
      return (at) => Number(view.getBigUint64(at, little))
    default:
      return (at) => view.getFloat64(at, little)
  }
}

function cut(where: string, needed: number, got: number): RlviError {
  return new RlviError(
    where,
    `an element needs ${needed} bytes up to its end`,
    got,
    'the file is cut short or damaged: fetch it again',
  )
}

export function damaged(where: string, rule: string, got: unknown): RlviError {
  return new RlviError(where, rule, got, 'the file is damaged: fetch it again')
}
