import { RlviError, show } from 'rlvi'
import { type Shape, showShape, sizeOf } from '../graph/graph.js'

/** A tensor of a file; half-precision numbers are widened when read. */
export interface StoredTensor {
  readonly shape: Shape
  readonly values: Float32Array | Float64Array | Int32Array | BigInt64Array
}

/** The contents of a safetensors file. */
export interface Safetensors {
  readonly tensors: ReadonlyMap<string, StoredTensor>
  readonly metadata: Readonly<Record<string, string>>
}

/** Larger headers are refused by the format's own rule. */
const LARGEST_HEADER = 100_000_000

const widths: Readonly<Record<string, number>> = { F64: 8, F32: 4, F16: 2, BF16: 2, I64: 8, I32: 4 }

/**
 * Reads a safetensors file: 8 bytes with the header's length, a JSON header, the numbers. Nothing in it is trusted: every
 * length, type and offset is checked, and the tensors must fill the file without gaps or overlaps.
 */
export function readSafetensors(bytes: Uint8Array, where = 'safetensors'): Safetensors {
  const fail = (rule: string, got: unknown): never => {
    throw new RlviError(where, rule, got, 'is it a safetensors file, and complete?')
  }
  if (bytes.length < 8) fail('must have at least 8 bytes', bytes.length)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const long = view.getBigUint64(0, true)
  if (long > BigInt(Math.min(LARGEST_HEADER, bytes.length - 8))) {
    fail(`the header must fit into the file of ${bytes.length} bytes`, long)
  }
  const start = 8 + Number(long)
  const header = parseHeader(bytes.subarray(8, start), fail)
  const { __metadata__: metadata = {}, ...entries } = header

  const tensors = new Map<string, StoredTensor>()
  const spans: (readonly [number, number])[] = []
  for (const [name, entry] of Object.entries(entries)) {
    const { dtype, shape, data_offsets: offsets } = entry as Partial<Entry>
    const width = typeof dtype === 'string' && Object.hasOwn(widths, dtype) ? widths[dtype] : undefined
    if (width === undefined)
      return fail(`${show(name)}: the type must be one of ${Object.keys(widths).join(', ')}`, dtype)
    if (!areCounts(shape)) return fail(`${show(name)}: the shape must list whole numbers`, shape)
    if (!areCounts(offsets) || offsets.length !== 2) return fail(`${show(name)}: needs two offsets`, offsets)
    const [from, to] = offsets
    if (to < from || start + to > bytes.length) fail(`${show(name)}: must lie inside the file`, offsets)
    if (to - from !== sizeOf(shape) * width) {
      fail(`${show(name)}: ${dtype} ${showShape(shape)} takes ${sizeOf(shape) * width} bytes`, to - from)
    }
    spans.push([from, to])
    tensors.set(name, { shape, values: decode(copied(bytes, start + from, start + to), dtype as string) })
  }
  spans.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  let end = 0
  for (const [from, to] of spans) {
    if (from !== end) fail(`the tensors must follow each other without gaps (at byte ${end})`, from)
    end = to
  }
  if (start + end !== bytes.length)
    fail(`the tensors must fill the file of ${bytes.length} bytes`, start + end)
  return { tensors, metadata: metadata as Readonly<Record<string, string>> }
}

interface Entry {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data_offsets: readonly number[]
}

function parseHeader(
  bytes: Uint8Array,
  fail: (rule: string, got: unknown) => never,
): Readonly<Record<string, unknown>> {
  let header: unknown
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return fail('the header must be JSON', 'something else')
  }
  if (!isRecord(header)) return fail('the header must be a JSON object', header)
  for (const [name, entry] of Object.entries(header)) {
    if (!isRecord(entry)) fail(`${show(name)}: must be described by a JSON object`, entry)
  }
  const metadata = header.__metadata__
  if (isRecord(metadata) && !Object.values(metadata).every((value) => typeof value === 'string')) {
    fail('the metadata must be texts', metadata)
  }
  return header
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function areCounts(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((n) => Number.isSafeInteger(n) && n >= 0)
}

/** Not `slice`, which in a Buffer is a view of the whole file. A buffer of its own is aligned. */
function copied(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return new Uint8Array(bytes.subarray(from, to))
}

function decode(bytes: Uint8Array, dtype: string): StoredTensor['values'] {
  const buffer = bytes.buffer as ArrayBuffer
  switch (dtype) {
    case 'F64':
      return new Float64Array(buffer)
    case 'I64':
      return new BigInt64Array(buffer)
    case 'I32':
      return new Int32Array(buffer)
    case 'F16':
      return Float32Array.from(new Uint16Array(buffer), fromHalf)
    case 'BF16': {
      const wide = Uint32Array.from(new Uint16Array(buffer), (bits) => bits << 16)
      return new Float32Array(wide.buffer)
    }
    default:
      return new Float32Array(buffer)
  }
}

function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

/** Writes what `readSafetensors` reads. The numbers start at a multiple of 8 bytes. */
export function writeSafetensors(
  tensors: ReadonlyMap<string, StoredTensor>,
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array {
  // Without a prototype, so that every text can be a name.
  const header: Record<string, unknown> = Object.create(null)
  if (Object.keys(metadata).length > 0) header.__metadata__ = metadata
  let offset = 0
  // Widest first, so that every tensor is aligned.
  const sorted = [...tensors].sort(([, a], [, b]) => b.values.BYTES_PER_ELEMENT - a.values.BYTES_PER_ELEMENT)
  for (const [name, { shape, values }] of sorted) {
    if (values.length !== sizeOf(shape)) {
      throw new RlviError(name, `needs ${sizeOf(shape)} values for ${showShape(shape)}`, values.length)
    }
    if (name === '__metadata__') throw new RlviError('safetensors', 'a tensor must have another name', name)
    const end = offset + values.byteLength
    header[name] = { dtype: dtypeOf(values), shape, data_offsets: [offset, end] }
    offset = end
  }
  const text = new TextEncoder().encode(JSON.stringify(header))
  const padded = Math.ceil(text.length / 8) * 8
  const out = new Uint8Array(8 + padded + offset).fill(0x20, 8, 8 + padded)
  new DataView(out.buffer).setBigUint64(0, BigInt(padded), true)
  out.set(text, 8)
  let at = 8 + padded
  for (const [, { values }] of sorted) {
    out.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at)
    at += values.byteLength
  }
  return out
}

function dtypeOf(values: StoredTensor['values']): string {
  if (values instanceof Float64Array) return 'F64'
  if (values instanceof Float32Array) return 'F32'
  return values instanceof Int32Array ? 'I32' : 'I64'
}
