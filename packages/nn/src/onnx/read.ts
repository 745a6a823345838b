import { RlviError } from 'rlvi'
import { type Field, fields, readDoubles, readFloats, readInts, readText } from './protobuf.js'
import {
  type Arrays,
  type Attribute,
  type DataType,
  type Dimension,
  type OnnxGraph,
  type OnnxModel,
  type OnnxNode,
  type OnnxTensor,
  TYPE_CODES,
  type Value,
} from './schema.js'

/** Reads an ONNX file: its nodes, weights and metadata. Parts that the package does not know are passed over. */
export function readOnnx(file: Uint8Array): OnnxModel {
  let graph: OnnxGraph | undefined
  let opset = 0
  const metadata: Record<string, string> = {}
  for (const field of fields(file)) {
    if (field.field === 7) graph = graphOf(field.bytes)
    if (field.field === 8) {
      const entries = [...fields(field.bytes)]
      const domain = entries.find((entry) => entry.field === 1)
      const version = entries.find((entry) => entry.field === 2)
      if ((domain === undefined || domain.bytes.length === 0) && version) opset = Number(version.int)
    }
    if (field.field === 14) {
      const [name, value] = [1, 2].map((i) => textOf(field.bytes, i))
      metadata[name] = value
    }
  }
  if (graph === undefined)
    throw new RlviError('onnx file', 'must hold a graph', 'none', 'is it an ONNX file?')
  return { graph, opset, metadata }
}

function textOf(message: Uint8Array, wanted: number): string {
  for (const field of fields(message)) if (field.field === wanted) return readText(field)
  return ''
}

/** Graphs in attributes of nodes of graphs: a loop in a branch, and no more. */
const DEEPEST = 8

function graphOf(message: Uint8Array, depth = 0): OnnxGraph {
  if (depth > DEEPEST)
    throw new RlviError('onnx file', `graphs in each other, at most ${DEEPEST} deep, are needed`, depth)
  const nodes: OnnxNode[] = []
  const initializers = new Map<string, OnnxTensor>()
  const inputs: Value[] = []
  const outputs: Value[] = []
  for (const field of fields(message)) {
    if (field.field === 1) nodes.push(nodeOf(field.bytes, depth))
    if (field.field === 5) {
      const [name, tensor] = tensorOf(field.bytes)
      initializers.set(name, tensor)
    }
    if (field.field === 11) inputs.push(namedValue(field.bytes))
    if (field.field === 12) outputs.push(namedValue(field.bytes))
  }
  return { name: textOf(message, 2), nodes, initializers, inputs, outputs }
}

function nodeOf(message: Uint8Array, depth: number): OnnxNode {
  const inputs: string[] = []
  const outputs: string[] = []
  const attributes: Record<string, Attribute> = {}
  for (const field of fields(message)) {
    if (field.field === 1) inputs.push(readText(field))
    if (field.field === 2) outputs.push(readText(field))
    if (field.field === 5) {
      const value = attributeOf(field.bytes, depth)
      if (value) attributes[textOf(field.bytes, 1)] = value
    }
  }
  return { op: textOf(message, 4), domain: textOf(message, 7), inputs, outputs, attributes }
}

function attributeOf(message: Uint8Array, depth: number): Attribute | undefined {
  const all = [...fields(message)]
  const one = (wanted: number): Field | undefined => all.find(({ field }) => field === wanted)
  const many = (wanted: number): Field[] => all.filter(({ field }) => field === wanted)
  const kind = Number(one(20)?.int ?? 0)
  const [f, i, s, t, g] = [2, 3, 4, 5, 6].map(one)
  // A number that is 0 may be left out of the file.
  if (kind === 1) return { kind: 'float', value: f ? readFloats(f)[0] : 0 }
  if (kind === 2) return { kind: 'int', value: i ? Number(readInts(i)[0]) : 0 }
  if (kind === 3) return { kind: 'text', value: s ? readText(s) : '' }
  if (kind === 4 && t) return { kind: 'tensor', value: tensorOf(t.bytes)[1] }
  if (kind === 5 && g) return { kind: 'graph', value: graphOf(g.bytes, depth + 1) }
  if (kind === 6) return { kind: 'floats', value: many(7).flatMap(readFloats) }
  if (kind === 7) return { kind: 'ints', value: many(8).flatMap(readInts).map(Number) }
  return undefined
}

const MAKERS: { readonly [K in DataType]: (bytes: ArrayBuffer) => Arrays[K] } = {
  float32: (bytes) => new Float32Array(bytes),
  float64: (bytes) => new Float64Array(bytes),
  int64: (bytes) => new BigInt64Array(bytes),
  int32: (bytes) => new Int32Array(bytes),
  uint8: (bytes) => new Uint8Array(bytes),
  bool: (bytes) => new Uint8Array(bytes),
}

function tensorOf(message: Uint8Array): readonly [name: string, tensor: OnnxTensor] {
  const name = textOf(message, 8)
  const where = `onnx file, tensor ${name || '(no name)'}`
  const dims: number[] = []
  const listed: (number | bigint)[] = []
  // One by one: there may be more than a call can have arguments.
  const list = (values: Iterable<number | bigint>): void => {
    for (const value of values) listed.push(value)
  }
  let code = 0
  let raw: Uint8Array | undefined
  for (const field of fields(message)) {
    if (field.field === 1) for (const dim of readInts(field)) dims.push(Number(dim))
    if (field.field === 2) code = Number(field.int)
    if (field.field === 4) list(readFloats(field))
    if (field.field === 5 || field.field === 7) list(readInts(field))
    if (field.field === 9) raw = field.bytes
    if (field.field === 10) list(readDoubles(field))
    if (field.field === 14 && field.int === 1n) {
      throw new RlviError(where, 'must be in the file itself', 'data in another file')
    }
  }
  const type = (Object.keys(TYPE_CODES) as DataType[]).find((key) => TYPE_CODES[key] === code)
  if (type === undefined) {
    throw new RlviError(where, `must be of type ${Object.keys(TYPE_CODES).join(', ')}`, `type ${code}`)
  }
  const data = raw ? fromRaw(where, type, raw) : fromList(type, listed)
  const size = dims.reduce((product, length) => product * length, 1)
  if (data.length !== size) throw new RlviError(where, `needs ${size} values for [${dims}]`, data.length)
  return [name, { type, dims, data }]
}

function fromRaw(where: string, type: DataType, raw: Uint8Array): OnnxTensor['data'] {
  const make = MAKERS[type]
  const width = make(new ArrayBuffer(0)).BYTES_PER_ELEMENT
  if (raw.length % width > 0) throw new RlviError(where, `needs a multiple of ${width} bytes`, raw.length)
  // A copy: the bytes may begin anywhere in the file, numbers may not.
  return make(new Uint8Array(raw).buffer)
}

function fromList(type: DataType, listed: readonly (number | bigint)[]): OnnxTensor['data'] {
  if (type === 'int64') return BigInt64Array.from(listed, whole)
  const numbers = listed.map(Number)
  const empty = MAKERS[type](new ArrayBuffer(0)) as Exclude<OnnxTensor['data'], BigInt64Array>
  return (empty.constructor as Float32ArrayConstructor).from(numbers)
}

function whole(value: number | bigint): bigint {
  if (typeof value === 'bigint') return value
  if (Number.isInteger(value)) return BigInt(value)
  throw new RlviError('onnx file', 'whole numbers are needed', value, 'is it an ONNX file?')
}

function namedValue(message: Uint8Array): Value {
  const shape: Dimension[] = []
  let code = 0
  for (const type of fields(message)) {
    if (type.field !== 2) continue
    for (const tensor of fields(type.bytes)) {
      if (tensor.field !== 1) continue
      for (const part of fields(tensor.bytes)) {
        if (part.field === 1) code = Number(part.int)
        if (part.field === 2) {
          for (const dimension of fields(part.bytes))
            if (dimension.field === 1) shape.push(sizeOf(dimension.bytes))
        }
      }
    }
  }
  const type = (Object.keys(TYPE_CODES) as DataType[]).find((key) => TYPE_CODES[key] === code) ?? 'float32'
  return { name: textOf(message, 1), type, shape }
}

function sizeOf(dimension: Uint8Array): Dimension {
  for (const field of fields(dimension)) {
    if (field.field === 1) return Number(field.int)
    if (field.field === 2) return readText(field)
  }
  return '?'
}
