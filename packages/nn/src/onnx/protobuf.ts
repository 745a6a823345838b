import { RlviError } from 'rlvi'

/** The little of the protobuf wire format that ONNX files need: varints, fixed-width numbers, nested messages. */

const utf8 = new TextEncoder()
const fromUtf8 = new TextDecoder('utf-8', { fatal: true })

/** Bytes of a message under construction; large pieces (weights) are kept by reference until `bytes()`. */
export interface Message {
  readonly pieces: Uint8Array[]
  length: number
}

export function message(): Message {
  return { pieces: [], length: 0 }
}

function append(into: Message, piece: Uint8Array): void {
  into.pieces.push(piece)
  into.length += piece.length
}

function varint(into: Message, value: bigint): void {
  const out: number[] = []
  let rest = BigInt.asUintN(64, value)
  while (rest > 127n) {
    out.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  out.push(Number(rest))
  append(into, Uint8Array.from(out))
}

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5

function key(into: Message, field: number, wire: number): void {
  varint(into, BigInt(field * 8 + wire))
}

export function putInt(into: Message, field: number, value: number | bigint): void {
  key(into, field, VARINT)
  varint(into, BigInt(value))
}

export function putFloat(into: Message, field: number, value: number): void {
  key(into, field, FIXED32)
  append(into, new Uint8Array(Float32Array.of(value).buffer))
}

export function putBytes(into: Message, field: number, value: Uint8Array): void {
  key(into, field, BYTES)
  varint(into, BigInt(value.length))
  append(into, value)
}

export function putText(into: Message, field: number, value: string): void {
  putBytes(into, field, utf8.encode(value))
}

export function putMessage(into: Message, field: number, value: Message): void {
  key(into, field, BYTES)
  varint(into, BigInt(value.length))
  // One by one: the graph of a large network has more pieces than a call can have arguments.
  for (const piece of value.pieces) into.pieces.push(piece)
  into.length += value.length
}

export function bytes(of: Message): Uint8Array {
  const out = new Uint8Array(of.length)
  let at = 0
  for (const piece of of.pieces) {
    out.set(piece, at)
    at += piece.length
  }
  return out
}

/** One field of a message that was read; which member is set depends on the wire type. */
export interface Field {
  readonly field: number
  readonly int: bigint
  readonly bytes: Uint8Array
}

const NO_BYTES = new Uint8Array(0)

/** The fields of a message in the order of the file. Nothing is believed about lengths: a bad one is an error. */
export function* fields(of: Uint8Array): Generator<Field> {
  let at = 0
  const broken = (what: string): Error =>
    new RlviError(
      'onnx file',
      'must be whole',
      `${what} at byte ${of.byteOffset + at}`,
      'is it an ONNX file?',
    )
  const readVarint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (at >= of.length) throw broken('a number without end')
      const byte = of[at++]
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return BigInt.asUintN(64, value)
    }
    throw broken('a number of more than 10 bytes')
  }
  const take = (length: number): Uint8Array => {
    if (length > of.length - at) throw broken(`a field of ${length} bytes where ${of.length - at} are left`)
    at += length
    return of.subarray(at - length, at)
  }
  while (at < of.length) {
    const head = Number(readVarint())
    const field = Math.floor(head / 8)
    const wire = head % 8
    if (wire === VARINT) yield { field, int: readVarint(), bytes: NO_BYTES }
    else if (wire === FIXED64) yield { field, int: 0n, bytes: take(8) }
    else if (wire === FIXED32) yield { field, int: 0n, bytes: take(4) }
    else if (wire === BYTES) yield { field, int: 0n, bytes: take(Number(readVarint())) }
    else throw broken(`wire type ${wire}`)
  }
}

/** A repeated number: packed into one field or one field each, since writers do either. */
export function readInts(field: Field): bigint[] {
  if (field.bytes.length === 0) return [BigInt.asIntN(64, field.int)]
  const out: bigint[] = []
  let value = 0n
  let shift = 0n
  for (const byte of field.bytes) {
    // Without an end, a number would grow with every byte of the file.
    if (shift >= 70n)
      throw new RlviError(
        'onnx file',
        'numbers must end within 10 bytes',
        field.bytes.length,
        'is it an ONNX file?',
      )
    value |= BigInt(byte & 127) << shift
    shift += 7n
    if (byte < 128) {
      out.push(BigInt.asIntN(64, value))
      value = 0n
      shift = 0n
    }
  }
  return out
}

export function readFloats(field: Field): number[] {
  if (field.bytes.length % 4 > 0)
    throw new RlviError('onnx file', 'numbers must have 4 bytes', field.bytes.length)
  const view = new DataView(field.bytes.buffer, field.bytes.byteOffset, field.bytes.byteLength)
  return Array.from({ length: field.bytes.length >> 2 }, (_, i) => view.getFloat32(4 * i, true))
}

export function readDoubles(field: Field): Float64Array {
  if (field.bytes.length % 8 > 0)
    throw new RlviError('onnx file', 'long numbers must have 8 bytes', field.bytes.length)
  // A copy: the bytes may begin anywhere in the file, numbers may not.
  return new Float64Array(new Uint8Array(field.bytes).buffer)
}

export function readText(field: Field): string {
  try {
    return fromUtf8.decode(field.bytes)
  } catch {
    throw new RlviError('onnx file', 'names must be text', 'other bytes', 'is it an ONNX file?')
  }
}
